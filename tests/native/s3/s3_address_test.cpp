#include "native/s3/s3_address.hpp"

#include <doctest/doctest.h>

#include <string>

#include "core/base/error.hpp"

using bev::Error;
using bev::native::is_s3;
using bev::native::S3Address;
using bev::native::S3Settings;

TEST_SUITE("native/s3/s3_address") {
  TEST_CASE("an address is a bucket and a key") {
    CHECK(is_s3("s3://bucket"));
    CHECK_FALSE(is_s3("s3:/bucket"));
    CHECK_FALSE(is_s3("https://bucket"));
    for (const auto* text : {"s3://bucket", "s3://bucket/", "s3://bucket//"}) {
      CHECK(S3Address::parse(text).bucket == "bucket");
      CHECK(S3Address::parse(text).key.empty());
    }
    CHECK(S3Address::parse("s3://bucket/a b/x.zarr/").key == "a b/x.zarr");
    CHECK(S3Address::parse("s3://bucket/a?b#c").key == "a?b#c");
  }

  TEST_CASE("invalid addresses are errors") {
    for (const auto* text :
         {"s3://", "s3:///key", "s3://ab/key", "s3://a_b?/key", "s3://.ab/key",
          "s3://buc ket", "s3://user@bucket/a", "s3://bucket/a//b", "s3://bucket/../a",
          "s3://bucket/a/./b", "bucket/a", "s3://bucket/a?X-Amz-Signature=1"}) {
      CAPTURE(text);
      CHECK_THROWS_AS(S3Address::parse(text), Error);
    }
  }

  TEST_CASE("Amazon's URL has the bucket in the host unless the bucket has dots") {
    S3Settings settings;
    settings.region = "eu-west-1";
    const S3Address plain{{"bucket", {}}};
    CHECK(plain.url(settings, "a b/0") ==
          "https://bucket.s3.eu-west-1.amazonaws.com/a%20b/0");
    CHECK(S3Address{{"my.bucket", {}}}.url(settings, "a") ==
          "https://s3.eu-west-1.amazonaws.com/my.bucket/a");
    settings.virtual_host = false;
    CHECK(plain.bucket_url(settings) == "https://s3.eu-west-1.amazonaws.com/bucket");
    settings.endpoint = "http://127.0.0.1:9000";
    CHECK(plain.url(settings, "a") == "http://127.0.0.1:9000/bucket/a");
    settings.virtual_host = true;
    CHECK(plain.url(settings, "a") == "http://bucket.127.0.0.1:9000/a");
  }
}
