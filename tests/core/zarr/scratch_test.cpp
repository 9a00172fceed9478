#include "core/zarr/scratch.hpp"

#include <doctest/doctest.h>

#include <cstring>

using bev::zarr::Scratch;

TEST_SUITE("zarr/scratch") {
  TEST_CASE("memory is kept from one user to the next") {
    const std::byte* first = nullptr;
    {
      Scratch scratch(1000);
      first = scratch.data();
      std::memset(scratch.data(), 1, 1000);
    }
    Scratch again(500);
    CHECK(again.data() == first);
  }

  TEST_CASE("what a huge chunk needed is given back") {
    constexpr std::size_t kHuge = std::size_t{17} << 20;
    {
      Scratch scratch(kHuge);
      scratch.data()[kHuge - 1] = std::byte{42};
    }
    Scratch small(kHuge);
    CHECK(small.data()[kHuge - 1] == std::byte{0});  // fresh
  }
}
