"""AWS Signature Version 4 of requests without body, for S3 and compatible services."""

from __future__ import annotations

import datetime
import hashlib
import hmac

from ._connections import Origin, Target

#: Access key, secret key, session token ("": none), region.
Signing = tuple[str, str, str, str]

_EMPTY = hashlib.sha256(b"").hexdigest()


def signed_headers(
    method: str, target: Target, signing: Signing, now: datetime.datetime | None = None
) -> dict[str, str]:
    """Returns the headers that sign a request. The core sorts and encodes queries."""
    access, secret, token, region = signing
    time = (now or datetime.datetime.now(datetime.timezone.utc)).strftime("%Y%m%dT%H%M%SZ")
    headers = {"x-amz-content-sha256": _EMPTY, "x-amz-date": time}
    if token:
        headers["x-amz-security-token"] = token
    signed = {"host": _host_of(target.origin), **headers}
    names = ";".join(sorted(signed))
    path, _, query = target.path.partition("?")
    lines = "".join(f"{name}:{signed[name]}\n" for name in sorted(signed))
    canonical = "\n".join([method, path, query, lines, names, _EMPTY])
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


def _host_of(origin: Origin) -> str:
    """Returns the header Host as http.client sends it."""
    host = f"[{origin.host}]" if ":" in origin.host else origin.host
    usual = 443 if origin.scheme == "https" else 80
    return host if origin.port in (None, usual) else f"{host}:{origin.port}"
