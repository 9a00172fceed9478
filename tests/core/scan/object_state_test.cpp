#include "core/scan/object_state.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <span>
#include <string>

using bev::DataIdentity;
using bev::is_published_as;
using bev::ObjectState;

namespace object_state_test {
namespace {

const std::string kIdentity(32, 'a');

std::string identity_of(const std::string& key, const ObjectState& state) {
  DataIdentity identity;
  identity.add("agents/0", {3, 4, 5});
  identity.add(key, state);
  return identity.hex();
}

}  // namespace

TEST_SUITE("scan/object_state") {
  TEST_CASE("a state has the size and both checksums of the bytes") {
    const std::string text = "123456789";
    const auto state = bev::state_of(std::as_bytes(std::span(text)));
    CHECK(state.size == 9);
    CHECK(state.checksum == 0xe3069283);
    CHECK(state.zip_crc == 0xcbf43926);
    CHECK(bev::state_of({}) == ObjectState{0, 0, 0});
  }

  TEST_CASE("an identity differs with each name, size and checksum") {
    const auto one = identity_of("agents/1", {1, 2, 3});
    CHECK(bev::is_data_identity(one));
    CHECK(identity_of("agents/1", {1, 2, 3}) == one);
    CHECK(identity_of("agents/2", {1, 2, 3}) != one);
    CHECK(identity_of("agents/1", {2, 2, 3}) != one);
    CHECK(identity_of("agents/1", {1, 3, 3}) != one);
    CHECK(identity_of("agents/1", {1, 2, 4}) != one);
    CHECK(identity_of("agents/1", {}) != one);
    CHECK(identity_of("agents/1", {}) != identity_of("agents/1", {0, 0, 0}));
  }

  TEST_CASE("an address is published as an identity if a folder is named after it") {
    CHECK(
        is_published_as("https://host/a/data-" + kIdentity + "/town.zarr/", kIdentity));
    CHECK(is_published_as("https://host/data-" + kIdentity, kIdentity));
    CHECK(is_published_as("https://host/data-x/data-" + kIdentity + "/", kIdentity));
    CHECK(
        !is_published_as("https://host/data-" + kIdentity + "0/town.zarr", kIdentity));
    const auto some = kIdentity.substr(0, 16);
    CHECK(is_published_as("https://host/data-" + some + "/town.zarr", kIdentity));
    CHECK(is_published_as("https://host/data-x-" + some + "-y/town.zarr", kIdentity));
    CHECK(!is_published_as("https://host/data-" + some.substr(1) + "/a", kIdentity));
    CHECK(!is_published_as("https://host/data-" + some + "b/a", kIdentity));
    CHECK(!is_published_as("https://host/olddata-" + kIdentity + "/a", kIdentity));
    CHECK(!is_published_as("https://host/a?/data-" + kIdentity + "/", kIdentity));
    CHECK(!is_published_as("https://host/a#/data-" + kIdentity + "/", kIdentity));
    CHECK(!is_published_as("https://host/data-/town.zarr", ""));
    CHECK(!is_published_as("https://host/data-abc/town.zarr", "abc"));
    CHECK(!is_published_as("", kIdentity));
  }
}

}  // namespace object_state_test
