#include "core/base/owned_bytes.hpp"

#include <doctest/doctest.h>

using bev::OwnedBytes;
using bev::RawBytes;

TEST_SUITE("base/owned_bytes") {
  TEST_CASE("bytes stay where their container has them, and so do those of a copy") {
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

  TEST_CASE("there may be none") {
    CHECK(OwnedBytes().size() == 0);
    CHECK(OwnedBytes(RawBytes()).span().empty());
  }
}
