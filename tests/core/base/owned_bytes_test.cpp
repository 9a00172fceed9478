#include "core/base/owned_bytes.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <span>
#include <utility>
#include <vector>

using bev::OwnedBytes;
using bev::RawBytes;

TEST_SUITE("base/owned_bytes") {
  TEST_CASE("bytes are not moved by construction or copying") {
    std::vector<std::byte> vector{std::byte{1}, std::byte{2}};
    RawBytes raw(3);
    const auto* of_vector = vector.data();
    const auto* of_raw = raw.data();
    OwnedBytes first = std::move(vector);
    const OwnedBytes second = std::move(raw);
    CHECK(first.data() == of_vector);
    CHECK(first.size() == 2);
    CHECK(second.data() == of_raw);
    CHECK(second.size() == 3);
    const auto copy = first;
    first = second;
    CHECK(copy.data() == of_vector);
    CHECK(copy.span()[1] == std::byte{2});
    CHECK(first.data() == of_raw);
  }

  TEST_CASE("empty bytes are allowed") {
    CHECK(OwnedBytes().size() == 0);
    CHECK(OwnedBytes(RawBytes()).span().empty());
  }

  TEST_CASE("a resize keeps the bytes before it") {
    RawBytes bytes(3, std::byte{7});
    bytes.resize(1000);
    CHECK(bytes.size() == 1000);
    CHECK(bytes[0] == std::byte{7});
    CHECK(bytes[2] == std::byte{7});
  }

  TEST_CASE("bytes that a resize added can be written through a span") {
    RawBytes bytes;
    bytes.resize(64);
    const std::span<std::byte> out(bytes);
    std::memset(out.data(), 5, out.size());
    CHECK(bytes == RawBytes(64, std::byte{5}));
  }
}
