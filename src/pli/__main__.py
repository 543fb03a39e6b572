"""The command `pli`, also as `python -m pli`."""

import sys

from pli.errors import INTERRUPTED


def main() -> None:
    """Everything is imported here, so that Ctrl-C is answered from the first moment on."""
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None and hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")  # old terminals know few letters
        from pli.cli import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
