#include <doctest/doctest.h>

#include <algorithm>
#include <bevscope/array.hpp>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "include/bevscope/error.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/temp_folder.hpp"

namespace array_test {

using bev::Array;
using bev::Errc;
using bev::test::error_code;
using bev::test::TempFolder;

namespace {

template <class T>
std::vector<T> values(const bev::Arrays& arrays) {
  const auto found = arrays.array<T>("");
  return {found.begin(), found.end()};
}

}  // namespace

TEST_SUITE("library/array") {
  TEST_CASE("every kind of selection is read and assigned") {
    const TempFolder at;
    auto array =
        bev::create_array(at.at("d.zarr"), {.shape = {6}, .dtype = "<i4"}, {}, "x");
    CHECK(array.info().path == "x");
    const std::vector<std::int32_t> all{0, 1, 2, 3, 4, 5}, two{8, 9};
    array.assign(bev::RowRange{}, std::span(all));
    array.assign(bev::RowRange{4, 2, -1}, std::span(two));
    CHECK(values<std::int32_t>(array.read()) ==
          std::vector<std::int32_t>{0, 1, 2, 9, 8, 5});
    array.assign(bev::RowList{{5, 0}}, std::span(two));
    array.assign(bev::RowMask{{0, 1, 1, 0, 0, 0}}, std::span(two));
    const Array again(at.at("d.zarr/x"));
    CHECK(values<std::int32_t>(again.read()) ==
          std::vector<std::int32_t>{9, 8, 9, 9, 8, 8});
    CHECK(values<std::int32_t>(again.read(bev::RowList{{1, 0, 1}})) ==
          std::vector<std::int32_t>{8, 9, 8});
    const auto one = again.read(bev::Box{{bev::Index{-1}}});
    CHECK(one[""].shape().empty());
    CHECK(one.scalar<std::int32_t>("") == 8);
    CHECK(array.use().stored_chunks == 1);
  }

  TEST_CASE("fields of records are assigned, and kept where told") {
    const TempFolder at;
    auto array = bev::create_array(
        at.at("d.zarr"), {.shape = {2}, .dtype = R"([["a", "<i2"], ["b", "<i2"]])"});
    const std::vector<std::int16_t> a{1, 2}, b{3, 4};
    const std::vector<bev::AssignedField> fields{{"b", std::as_bytes(std::span(b))},
                                                 {"a", std::as_bytes(std::span(a))}};
    array.assign(bev::RowRange{}, fields);
    const std::vector<std::uint8_t> where{0, 1};
    array.assign(bev::RowRange{}, std::span(fields).last(1), where);
    const auto read = array.read();
    const std::vector<std::int16_t> expected{1, 3, 2, 4};
    const auto raw = std::as_bytes(std::span(expected));
    CHECK(read[""].dtype() == "|V4");
    CHECK(std::equal(raw.begin(), raw.end(), read[""].bytes().begin()));
    CHECK(error_code([&] { array.assign(bev::RowRange{}, std::span(a)); }) ==
          Errc::invalid_argument);
    const bev::AssignedField unknown{"c", std::as_bytes(std::span(a))};
    CHECK(error_code([&] { array.assign({}, std::span(&unknown, 1)); }) ==
          Errc::not_found);
  }

  TEST_CASE("creating refuses, keeps or replaces an array, and checks the spec") {
    const TempFolder at;
    const auto path = at.at("d.zarr");
    bev::ArraySpec spec{
        .shape = {4}, .dtype = "<f8", .chunks = {3}, .fill_value = "1.5"};
    auto array = bev::create_array(path, spec);
    CHECK(values<double>(array.read()) == std::vector<double>(4, 1.5));
    CHECK(error_code([&] { bev::create_array(path, spec); }) == Errc::invalid_argument);
    spec.shape = {2};
    CHECK(bev::create_array(path, spec, bev::ExistingArray::keep).info().size() == 4);
    CHECK(bev::create_array(path, spec, bev::ExistingArray::replace).info().size() ==
          2);
    for (auto change : std::vector<void (*)(bev::ArraySpec&)>{
             [](bev::ArraySpec& s) { s.dtype = "<f9"; },
             [](bev::ArraySpec& s) { s.dtype = "[1"; },
             [](bev::ArraySpec& s) { s.chunks = {0}; },
             [](bev::ArraySpec& s) {
               s.chunks = {1, 1};
             },
             [](bev::ArraySpec& s) { s.codec = "lzma"; },
             [](bev::ArraySpec& s) { s.fill_value = "\"x\""; },
             [](bev::ArraySpec& s) { s.fill_value = "{"; },
             [](bev::ArraySpec& s) { s.order = 'D'; }}) {
      auto wrong = spec;
      change(wrong);
      const auto code = error_code([&] { bev::create_array(at.at("w"), wrong); });
      CHECK((code == Errc::invalid_argument || code == Errc::unsupported));
    }
    CHECK_FALSE(std::filesystem::exists(at.at("w")));
  }

  TEST_CASE("an array grows and shrinks, which others see after refresh()") {
    const TempFolder at;
    auto array = bev::create_array(at.at("d.zarr"), {.shape = {0, 2}, .dtype = "|u1"});
    Array other(at.at("d.zarr"));
    const std::vector<std::uint8_t> rows{1, 2, 3, 4};
    array.append(std::as_bytes(std::span(rows)));
    CHECK(other.info().size() == 0);
    CHECK(other.refresh().size() == 2);
    array.resize({1, 3});
    CHECK(values<std::uint8_t>(other.read()) == std::vector<std::uint8_t>{1, 2, 0});
    CHECK(error_code([&] { array.append(std::as_bytes(std::span(rows))); }) ==
          Errc::invalid_argument);
  }
}

}  // namespace array_test
