"""AWS Signature Version 4, for S3 and compatible services."""

from __future__ import annotations

import datetime
import hashlib
import hmac
from collections.abc import Mapping

from .connections import Target

#: Access key, secret key, session token ("": none), region.
Signing = tuple[str, str, str, str]


def signed_headers(
    method: str,
    target: Target,
    signing: Signing,
    body: bytes = b"",
    sent: Mapping[str, str] | None = None,
    now: datetime.datetime | None = None,
) -> dict[str, str]:
    """Returns the headers that sign a request. The core sorts and encodes queries.

    Args:
        sent: the request's other headers, of which those of S3 are signed.
    """
    payload = hashlib.sha256(body).hexdigest()
    access, secret, token, region = signing
    time = (now or datetime.datetime.now(datetime.timezone.utc)).strftime("%Y%m%dT%H%M%SZ")
    headers = {"x-amz-content-sha256": payload, "x-amz-date": time}
    if token:
        headers["x-amz-security-token"] = token
    others = {name.lower(): value.strip() for name, value in (sent or {}).items()}
    others = {name: value for name, value in others.items() if name.startswith("x-amz-")}
    signed = {"host": target.host, **others, **headers}
    names = ";".join(sorted(signed))
    path, _, query = target.path.partition("?")
    lines = "".join(f"{name}:{signed[name]}\n" for name in sorted(signed))
    canonical = "\n".join([method, path, query, lines, names, payload])
    scope = f"{time[:8]}/{region}/s3/aws4_request"
    digest = hashlib.sha256(canonical.encode()).hexdigest()
    text = "\n".join(["AWS4-HMAC-SHA256", time, scope, digest])
    key = f"AWS4{secret}".encode()
    for part in (*scope.split("/"), text):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    headers["Authorization"] = (
        f"AWS4-HMAC-SHA256 Credential={access}/{scope}, SignedHeaders={names}, "
        f"Signature={key.hex()}"
    )
    return headers
