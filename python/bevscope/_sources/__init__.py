"""Sources: where the bytes of a data set come from."""

from . import http as http  # sends the core's requests
