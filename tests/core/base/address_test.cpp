#include "core/base/address.hpp"

#include <doctest/doctest.h>

#include <string>

#include "core/base/error.hpp"

using bev::AddressServers;
using bev::Error;
using bev::url_of_address;

namespace {

std::string hf_url_of(const std::string& rest) {
  return url_of_address("hf://" + rest);
}

}  // namespace

TEST_SUITE("base/address") {
  TEST_CASE("addresses of hosts are recognized by their scheme") {
    for (const auto* text : {"hf://datasets/a/b", "s3://b", "gs://b/c"}) {
      CHECK(bev::is_host_address(text));
    }
    for (const auto* text : {"https://hf", "hf:/a", "S3://b", "a/s3://b", "", "hf"}) {
      CHECK_FALSE(bev::is_host_address(text));
    }
  }

  TEST_CASE(
      "a file of Hugging Face is resolved by the repository's kind and revision") {
    const std::string hub = "https://huggingface.co/";
    CHECK(hf_url_of("datasets/me/town/scenes/a.zarr") ==
          hub + "datasets/me/town/resolve/main/scenes/a.zarr");
    CHECK(hf_url_of("datasets/me/town@v1.0/a.zarr/") ==
          hub + "datasets/me/town/resolve/v1.0/a.zarr");
    CHECK(hf_url_of("spaces/me/town/a.zarr") ==
          hub + "spaces/me/town/resolve/main/a.zarr");
    for (const auto* model : {"me/town/a.zarr", "models/me/town/a.zarr"}) {
      CHECK(hf_url_of(model) == hub + "me/town/resolve/main/a.zarr");
    }
    for (const auto* root : {"datasets/me/town", "datasets/me/town/"}) {
      CHECK(hf_url_of(root) == hub + "datasets/me/town/resolve/main");
    }
    CHECK(hf_url_of("datasets/me/town@v1") == hub + "datasets/me/town/resolve/v1");
  }

  TEST_CASE("a revision is one segment, also one with slashes") {
    const std::string town = "https://huggingface.co/datasets/me/town/resolve/";
    CHECK(hf_url_of("datasets/me/town@refs/pr/3/a.zarr") ==
          town + "refs%2Fpr%2F3/a.zarr");
    CHECK(hf_url_of("datasets/me/town@refs/convert/parquet/a/b") ==
          town + "refs%2Fconvert%2Fparquet/a/b");
    CHECK(hf_url_of("datasets/me/town@refs/heads/a") == town + "refs/heads/a");
    CHECK(hf_url_of("datasets/me/town@my%2Fbranch/a") == town + "my%2Fbranch/a");
    CHECK(hf_url_of("datasets/me/town@a b/x@y") == town + "a%20b/x%40y");
  }

  TEST_CASE("names in the path are encoded, slashes are not") {
    CHECK(hf_url_of("datasets/me/town/a b/%41") ==
          "https://huggingface.co/datasets/me/town/resolve/main/a%20b/%2541");
    CHECK(url_of_address("s3://bucket/a b?c#d") ==
          "https://bucket.s3.amazonaws.com/a%20b%3Fc%23d");
  }

  TEST_CASE("buckets are addressed at the public services, or at an endpoint") {
    CHECK(url_of_address("gs://bucket/l5/a.zarr/") ==
          "https://storage.googleapis.com/bucket/l5/a.zarr");
    CHECK(url_of_address("s3://bucket") == "https://bucket.s3.amazonaws.com");
    CHECK(url_of_address("s3://my.bucket/a") == "https://s3.amazonaws.com/my.bucket/a");
    AddressServers servers;
    servers.s3_region = "eu-west-1";
    CHECK(url_of_address("s3://bucket/a", servers) ==
          "https://bucket.s3.eu-west-1.amazonaws.com/a");
    servers.s3_endpoint = "http://127.0.0.1:9000";
    CHECK(url_of_address("s3://bucket/a", servers) == "http://bucket.127.0.0.1:9000/a");
    servers.s3_virtual_host = false;
    CHECK(url_of_address("s3://bucket/a", servers) == "http://127.0.0.1:9000/bucket/a");
    servers.hf_endpoint = "http://127.0.0.1:9001";
    CHECK(url_of_address("hf://datasets/me/town", servers) ==
          "http://127.0.0.1:9001/datasets/me/town/resolve/main");
  }

  TEST_CASE("invalid addresses are errors") {
    for (const auto* text : {"hf://",
                             "hf://datasets",
                             "hf://datasets/me",
                             "hf://datasets/me/",
                             "hf://me",
                             "hf://datasets//town/a",
                             "hf://datasets/me/town@",
                             "hf://datasets/me/town@/a",
                             "hf://datasets/me/town/a//b",
                             "hf://datasets/me/town/../a",
                             "hf://datasets/.me/town/a",
                             "hf://datasets/me/to wn/a",
                             "hf://buckets/me/town/a",
                             "hf://user:secret@datasets/me/town",
                             "hf://datasets/me/town/a?token=1",
                             "hf://datasets/me/town/a#b",
                             "s3://",
                             "s3://ab/c",
                             "gs://b/../c",
                             "gs://bucket/a?X-Goog-Signature=1",
                             "az://bucket/a",
                             "https://host/a",
                             ""}) {
      CAPTURE(text);
      CHECK_THROWS_AS(url_of_address(text), Error);
    }
  }

  TEST_CASE("errors name what was expected, without what may be secret") {
    CHECK_THROWS_WITH(url_of_address("hf://datasets/me"),
                      "hf://datasets/me: not an address of Hugging Face (expected "
                      "hf://datasets/OWNER/NAME[@REVISION]/PATH)");
    CHECK_THROWS_WITH(url_of_address("hf://datasets/me/a/b?token=1"),
                      "hf://datasets/me/a/b: addresses hf:// have no user and no query "
                      "(open https:// for a presigned URL)");
  }
}
