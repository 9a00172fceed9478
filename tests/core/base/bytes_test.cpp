#include "core/base/bytes.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

using bev::load_be;
using bev::load_le;
using bev::store_be;
using bev::store_le;

namespace {

constexpr std::array<std::byte, 9> kBytes{
    std::byte{0xee}, std::byte{0x01}, std::byte{0x02}, std::byte{0x03}, std::byte{0x04},
    std::byte{0x05}, std::byte{0x06}, std::byte{0x07}, std::byte{0xf8}};

template <class T>
T round_trip(T value) {
  std::array<std::byte, sizeof(T) + 1> bytes{};
  store_be(bytes.data() + 1, value);
  return load_be<T>(bytes.data() + 1);
}

}  // namespace

TEST_SUITE("base/bytes") {
  TEST_CASE("integers of every width are read in both orders, unaligned") {
    CHECK(load_le<std::uint8_t>(&kBytes[1]) == 0x01);
    CHECK(load_le<std::uint16_t>(&kBytes[1]) == 0x0201);
    CHECK(load_be<std::uint16_t>(&kBytes[1]) == 0x0102);
    CHECK(load_le<std::uint32_t>(&kBytes[1]) == 0x04030201u);
    CHECK(load_be<std::uint32_t>(&kBytes[1]) == 0x01020304u);
    CHECK(load_le<std::uint64_t>(&kBytes[1]) == 0xf807060504030201u);
    CHECK(load_be<std::uint64_t>(&kBytes[1]) == 0x01020304050607f8u);
  }

  TEST_CASE("the sign is in the last byte, or in the first") {
    CHECK(load_le<std::int64_t>(&kBytes[1]) < 0);
    CHECK(load_be<std::int64_t>(&kBytes[1]) > 0);
  }

  TEST_CASE("a double is its IEEE bytes") {
    std::array<std::byte, 8> bytes{};
    store_be(bytes.data(), -2.0);
    CHECK(bytes[0] == std::byte{0xc0});
    CHECK(bytes[1] == std::byte{0x00});
    CHECK(load_be<double>(bytes.data()) == -2.0);
    store_le(bytes.data(), -2.0);
    CHECK(bytes[7] == std::byte{0xc0});
    CHECK(load_le<double>(bytes.data()) == -2.0);
  }

  TEST_CASE("stored values are loaded unchanged, including extremes and NaN") {
    CHECK(round_trip(std::numeric_limits<std::int64_t>::min()) ==
          std::numeric_limits<std::int64_t>::min());
    CHECK(round_trip(std::numeric_limits<std::uint16_t>::max()) == 0xffff);
    CHECK(std::isnan(round_trip(std::numeric_limits<float>::quiet_NaN())));
    CHECK(std::signbit(round_trip(-0.0)));
  }

  TEST_CASE("a store writes only its own bytes") {
    std::array<std::byte, 4> bytes{};
    bytes.fill(std::byte{0xaa});
    store_le<std::uint16_t>(&bytes[1], 0x1234);
    CHECK(bytes[0] == std::byte{0xaa});
    CHECK(bytes[1] == std::byte{0x34});
    CHECK(bytes[2] == std::byte{0x12});
    CHECK(bytes[3] == std::byte{0xaa});
  }
}
