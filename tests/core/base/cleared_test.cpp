#include "core/base/cleared.hpp"

#include <doctest/doctest.h>

#include <algorithm>

TEST_SUITE("base/cleared") {
  TEST_CASE("so many bytes, all of them zero, also where memory was used before") {
    for (const std::size_t size : {0u, 1u, 100'000u}) {
      auto bytes = bev::cleared(size);
      CHECK(bytes.size() == size);
      CHECK(std::count(bytes.begin(), bytes.end(), std::byte{0}) ==
            static_cast<std::ptrdiff_t>(size));
      std::fill(bytes.begin(), bytes.end(), std::byte{255});
    }
    const auto again = bev::cleared(100'000);
    CHECK(std::count(again.begin(), again.end(), std::byte{0}) == 100'000);
  }
}
