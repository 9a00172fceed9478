"""Signatures of requests to S3 are those of Amazon's published examples."""

import datetime

import pytest

from bevscope._sources.connections import Target
from bevscope._sources.signing import signed_headers

# From "Signature Calculations for the Authorization Header" of the S3 API reference.
SIGNING = (
    "AKIAIOSFODNN7EXAMPLE",
    "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "",
    "us-east-1",
)
NOW = datetime.datetime(2013, 5, 24, tzinfo=datetime.timezone.utc)
ORIGIN = "https://examplebucket.s3.amazonaws.com"


@pytest.mark.parametrize(
    ("path", "signature"),
    [
        (
            "/?max-keys=2&prefix=J",
            "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
        ),
        (
            "/?lifecycle=",
            "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
        ),
    ],
)
def test_published_examples(path: str, signature: str) -> None:
    headers = signed_headers("GET", Target.of(ORIGIN + path), SIGNING, now=NOW)
    assert headers["x-amz-date"] == "20130524T000000Z"
    assert headers["Authorization"] == (
        "AWS4-HMAC-SHA256 "
        "Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
        f"SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature={signature}"
    )


def test_session_token_is_signed() -> None:
    signing = (*SIGNING[:2], "token", SIGNING[3])
    headers = signed_headers("GET", Target.of(ORIGIN + "/a"), signing, now=NOW)
    assert headers["x-amz-security-token"] == "token"
    assert "x-amz-date;x-amz-security-token, " in headers["Authorization"]


def test_secret_is_not_sent() -> None:
    headers = signed_headers("GET", Target.of(ORIGIN + "/a"), SIGNING, now=NOW)
    assert SIGNING[1] not in str(headers)
