"""Keys of S3 that the program gives."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass, field

from .. import _core
from .._errors import Error, InvalidArgument, ReadError


@dataclass(frozen=True)
class S3Credentials:
    """Keys that sign requests to S3. Neither printed nor pickled.

    Attributes:
        access_key: public part.
        secret_key: never sent.
        session_token: None for keys without one.
        expires: when they become invalid, with a time zone; None: never.
    """

    access_key: str = field(repr=False)
    secret_key: str = field(repr=False)
    session_token: str | None = field(default=None, repr=False)
    expires: datetime.datetime | None = None

    def __post_init__(self) -> None:
        if self.expires is not None and self.expires.tzinfo is None:
            raise InvalidArgument("S3Credentials: expires must have a time zone")

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError(
            "S3 credentials cannot be pickled; set the callback in each process"
        )


S3CredentialsCallback = Callable[[str], S3Credentials | None]

_Keys = tuple[str, str, str, float | None]


def set_s3_credentials(callback: S3CredentialsCallback | None) -> None:
    """Sets the function that gives the keys for all addresses s3:// of this process, in
    place of the environment and the files of Amazon's tools; None: these again.

    `callback(bucket)` returns `S3Credentials`, or None for anonymous requests. It is
    called by the first request to a bucket, 5 minutes before the keys expire (or after
    half of the time that remains, if that is later), and when the service has refused
    them as expired: that request is sent once more. Any thread may call it, one at a time
    per bucket; it must not read or write that bucket by bevscope. Data sets that are open
    keep the callback with which they were opened. Processes started by "spawn" set their
    own.

    Reads and writes raise an `Error` of the callback as it is, and other exceptions as
    `ReadError`, whose `__cause__` is the exception, and whose text has only its type.
    """

    def call(bucket: str) -> _Keys | None:
        assert callback is not None
        try:
            found = callback(bucket)
        except Error:
            raise
        except Exception as error:
            kind = type(error).__name__
            raise ReadError(
                f"s3://{bucket}: the credentials callback failed ({kind})", "network"
            ) from error
        if found is None:
            return None
        if not isinstance(found, S3Credentials):
            raise InvalidArgument(
                f"s3://{bucket}: the credentials callback returned an invalid object "
                f"(found {type(found).__name__}, expected S3Credentials or None)"
            )
        expires = found.expires.timestamp() if found.expires else None
        return found.access_key, found.secret_key, found.session_token or "", expires

    _core.set_s3_credentials(None if callback is None else call)
