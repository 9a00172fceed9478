#include "core/base/secrets.hpp"

#include <doctest/doctest.h>

#include <string>

#include "core/base/error.hpp"

using bev::without_secrets;

TEST_SUITE("base/secrets") {
  TEST_CASE("addresses have no user, password, query and fragment") {
    CHECK(without_secrets("https://me:pass@host:1/a@b/c.zarr?X-Amz-Signature=1#2") ==
          "https://host:1/a@b/c.zarr");
    CHECK(without_secrets("HTTP://a@b@host") == "HTTP://host");
    CHECK(without_secrets("http://host?key=1") == "http://host");
    CHECK(without_secrets("http://host/a b.zarr?key=1") == "http://host/a b.zarr");
    CHECK(without_secrets("ftp://me@host/") == "ftp://host/");
    CHECK(without_secrets("folder/https://u@h/") == "folder/https://h/");
    CHECK(without_secrets("host/a.zarr?sig=1: not found") == "host/a.zarr: not found");
  }

  TEST_CASE("keys of S3 may contain question marks") {
    CHECK(without_secrets("s3://bucket/a?b#c") == "s3://bucket/a?b#c");
    CHECK(without_secrets("s3://KEY:secret@bucket/a") == "s3://bucket/a");
    CHECK(without_secrets("s3://bucket/a?X-Amz-Signature=1") == "s3://bucket/a");
  }

  TEST_CASE("passwords that are not encoded are removed") {
    CHECK(without_secrets("s3://KEY:se/cr?et@bucket/a") == "s3://bucket/a");
    CHECK(without_secrets("http://me:pa/ss") == "http://");
    CHECK(without_secrets("http://me:p?ss@host/a") == "http://host/a");
  }

  TEST_CASE("all addresses in a message are shortened, and nothing else") {
    CHECK(without_secrets("agents/3: HTTP 403 (http://u:p@h/a?sig=1): again (http://h?"
                          "sig=2), \"http://h/b?c\" end") ==
          "agents/3: HTTP 403 (http://h/a): again (http://h), \"http://h/b\" end");
    CHECK(without_secrets("http://127.0.0.1:80: closed") ==
          "http://127.0.0.1:80: closed");
    CHECK(without_secrets("http://[::1]:80/a: closed") == "http://[::1]:80/a: closed");
    CHECK(without_secrets("http://host: ready? no") == "http://host: ready? no");
    for (const auto* text :
         {"", "/data/x@y/z?.zarr", "://", "a: //u@h", "(?=a) ? b=1?"}) {
      CHECK(without_secrets(text) == text);
    }
  }

#ifndef __EMSCRIPTEN__
  TEST_CASE("messages of errors pass through it") {
    CHECK_THROWS_WITH_AS(
        bev::fail_at(bev::Errc::not_found, "http://u:p@h/a?sig=1", {"absent"}),
        "http://h/a: absent", bev::Error);
  }
#endif
}
