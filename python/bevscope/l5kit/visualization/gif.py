"""write_gif() under the name that L5Kit gives its module."""

from .video import write_gif

__all__ = ["write_gif"]
