#include "core/base/uninitialized.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <span>

using bev::RawBytes;

TEST_SUITE("base/uninitialized") {
  TEST_CASE("what was there before a resize stays") {
    RawBytes bytes(3, std::byte{7});
    bytes.resize(1000);
    CHECK(bytes.size() == 1000);
    CHECK(bytes[0] == std::byte{7});
    CHECK(bytes[2] == std::byte{7});
  }

  TEST_CASE("new bytes can be written through a span") {
    RawBytes bytes;
    bytes.resize(64);
    const std::span<std::byte> out(bytes);
    std::memset(out.data(), 5, out.size());
    CHECK(bytes == RawBytes(64, std::byte{5}));
  }
}
