#include "core/base/large_pages.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/base/owned_bytes.hpp"

using bev::advise_huge_pages;
using bev::RawBytes;

TEST_SUITE("base/large_pages") {
  TEST_CASE("advised memory is readable and writable") {
    constexpr std::size_t kBytes = (std::size_t{5} << 20) + 3;
    RawBytes bytes;
    bytes.reserve(kBytes);
    advise_huge_pages(bytes.data(), kBytes);
    bytes.resize(kBytes);
    std::fill(bytes.begin(), bytes.end(), std::byte{7});
    CHECK(std::count(bytes.begin(), bytes.end(), std::byte{7}) ==
          static_cast<std::ptrdiff_t>(kBytes));
  }

  TEST_CASE("content and adjacent memory are unchanged") {
    RawBytes bytes(std::size_t{6} << 20, std::byte{9});
    advise_huge_pages(bytes.data() + 100, bytes.size() - 200);
    CHECK(std::all_of(bytes.begin(), bytes.end(),
                      [](std::byte byte) { return byte == std::byte{9}; }));
  }

  TEST_CASE("small and empty buffers are ignored") {
    std::byte few[3]{};
    advise_huge_pages(few, sizeof few);
    advise_huge_pages(nullptr, 0);
    CHECK(few[0] == std::byte{});
  }
}
