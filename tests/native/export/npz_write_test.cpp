#include "native/export/npz_write.hpp"

#include <doctest/doctest.h>

#include "native/export/npy.hpp"
#include "tests/support/npz.hpp"

TEST_SUITE("native/export/npz_write") {
  TEST_CASE("an array reads back under its name, its checksum with it") {
    bev::zarr::DType type;
    type.kind = bev::zarr::Kind::unsigned_int;
    type.item_size = 1;
    auto npy = bev::native::npy_head({.row = type, .name = "", .count = 3});
    npy += "abc";
    const auto npz = bev::native::npz_of(std::as_bytes(std::span(npy)), "mask");
    const auto arrays = bev::test::parse_npz(npz);
    REQUIRE(arrays.size() == 1);
    CHECK(arrays.at("mask").shape == std::vector<std::size_t>{3});
    CHECK(arrays.at("mask").as<char>() == std::vector<char>{'a', 'b', 'c'});
  }
}
