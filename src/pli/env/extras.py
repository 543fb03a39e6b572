"""What is said where a package is missing that one of pip's extras brings."""


class MissingExtra(ModuleNotFoundError):
    """A package is not installed; the message names the extra that brings it."""


def missing(module: str | None, extra: str) -> MissingExtra:
    """To be raised `from None`: why the import failed says less than what to do about it. Takes the
    name of the module that was not found."""
    package = (module or extra).partition(".")[0]
    return MissingExtra(f"{package} is not installed: pip install 'pli[{extra}]'", name=package)
