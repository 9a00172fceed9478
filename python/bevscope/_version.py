from ._core import version

__version__: str = version()
