"""`python -m pli` is the command `pli`."""

from pli.cli import main

main()
