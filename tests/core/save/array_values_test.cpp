#include "core/save/array_values.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "tests/support/error_code.hpp"

namespace array_values_test {

using bev::Errc;
using bev::save::ArrayColumns;
using bev::save::ArrayValues;
using bev::test::error_code;
using namespace bev::zarr;

namespace {

using Bytes = std::vector<std::byte>;

const std::string kName = "x";

DType record() {
  return parse_dtype(nlohmann::json::parse(R"([["a", ">u2"], ["b", "|u1", [2]]])"),
                     "test");
}

Bytes bytes(std::initializer_list<int> values) {
  Bytes out;
  for (const auto value : values) out.push_back(static_cast<std::byte>(value));
  return out;
}

}  // namespace

TEST_SUITE("save/array_values") {
  TEST_CASE(
      "rows and columns of records are the same values, in the stored byte order") {
    const auto type = record();
    ArrayValues values;
    values.add({type, "b", kName}, "|u1", bytes({1, 2, 3, 4}));
    CHECK(error_code([&] { values.rows(type, kName); }) == Errc::invalid_argument);
    values.add({type, "a", kName}, "<u2", bytes({5, 6, 7, 8}));
    const auto rows = values.rows(type, kName);
    CHECK((rows == bytes({6, 5, 1, 2, 8, 7, 3, 4})));
    const ArrayColumns columns(type, "", rows);
    REQUIRE(columns.columns().size() == 2);
    CHECK(columns.columns()[0].dtype == "<u2");
    CHECK((columns.columns()[0].bytes == bytes({5, 6, 7, 8})));
    CHECK((columns.columns()[1].shape == std::vector<std::size_t>{2}));
    CHECK((ArrayColumns(type, "b", rows).columns()[0].bytes == bytes({1, 2, 3, 4})));
  }

  TEST_CASE("one value is that of all elements, and of each item of a field") {
    const auto type = record();
    ArrayMeta meta;
    meta.shape = meta.chunks = {3};
    meta.dtype = type;
    ArrayValues values;
    values.add_one({type, "b", kName}, "7");
    Bytes elements(12);
    const auto where = std::vector<std::uint8_t>{1, 0};
    const auto assignment = values.assignment(type, kName, {{{1, 2}}}, where);
    assignment.apply(meta, {0}, elements);
    CHECK((elements == bytes({0, 0, 0, 0, 0, 0, 7, 7, 0, 0, 0, 0})));
    CHECK(error_code([&] { values.rows(type, kName); }) == Errc::invalid_argument);
  }

  TEST_CASE("values of another type, field or array are refused") {
    const auto type = record();
    ArrayValues values;
    const auto add = [&](const std::string& field, const std::string& dtype) {
      return error_code([&] {
        values.add({type, field, kName}, dtype, bytes({1, 2}));
      });
    };
    CHECK(add("a", ">u2") == Errc::invalid_argument);
    CHECK(add("c", "|u1") == Errc::not_found);
    CHECK(add("", "|u1") == Errc::invalid_argument);
    CHECK(error_code([&] {
            values.add_one({type, "b", kName}, "300");
          }) == Errc::invalid_argument);
    CHECK(error_code([&] {
            values.add_one({type, "b", kName}, "{");
          }) == Errc::invalid_argument);
    CHECK(add("a", "") == std::nullopt);
    const auto other = parse_dtype(nlohmann::json("|u1"), "test");
    CHECK(error_code([&] {
            values.assignment(other, kName, {{{0, 1}}}, {});
          }) == Errc::changed);
  }
}

}  // namespace array_values_test
