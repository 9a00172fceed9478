#include "core/reader/value_runs.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <set>
#include <vector>

#include "core/base/bytes.hpp"

namespace value_runs_test {

using bev::reader::contains;
using bev::reader::FieldRows;
using bev::reader::runs_of;
using bev::zarr::ByteOrder;
using bev::zarr::DType;
using bev::zarr::Kind;
using bev::zarr::Number;

namespace {

template <class T>
DType integers(ByteOrder order = ByteOrder::little) {
  DType out;
  out.kind = std::is_signed_v<T> ? Kind::signed_int : Kind::unsigned_int;
  out.item_size = sizeof(T);
  out.order = order;
  return out;
}

template <class T>
std::vector<std::byte> stored(const std::vector<T>& values, ByteOrder order) {
  std::vector<std::byte> out(values.size() * sizeof(T));
  for (std::size_t i = 0; i < values.size(); ++i) {
    auto* const at = out.data() + i * sizeof(T);
    order == ByteOrder::big ? bev::store_be(at, values[i])
                            : bev::store_le(at, values[i]);
  }
  return out;
}

Number number(std::int64_t value) {
  return {value < 0 ? Number::Kind::signed_int : Number::Kind::unsigned_int,
          static_cast<std::uint64_t>(value), 0};
}

/// Compares the runs of random values with a set of them.
template <class T>
void check_runs(ByteOrder order) {
  std::mt19937_64 random(sizeof(T));
  for (int round = 0; round < 20; ++round) {
    std::vector<T> values;
    std::set<T> expected;
    for (int i = 0; i < 50; ++i) {
      const auto value = static_cast<T>(static_cast<int>(random() % 60) - 30);
      values.push_back(value);
      expected.insert(value);
    }
    values.push_back(std::numeric_limits<T>::max());
    values.push_back(std::numeric_limits<T>::min());
    const auto bytes = stored(values, order);
    const auto runs = runs_of(FieldRows{integers<T>(order), 1, bytes});
    for (std::size_t i = 1; i < runs.size(); ++i) {
      CHECK_FALSE(contains(runs, {Number::Kind::real, 0, 0.5}));
    }
    for (int i = -30; i < 30; ++i) {
      const auto value = static_cast<T>(i);
      const bool is_there =
          expected.contains(value) || value == values[50] || value == values[51];
      const bool is_negative = std::is_signed_v<T> && i < 0;
      const Number asked{
          is_negative ? Number::Kind::signed_int : Number::Kind::unsigned_int,
          static_cast<std::uint64_t>(value), 0};
      CHECK(contains(runs, asked) == is_there);
    }
  }
}

}  // namespace

TEST_SUITE("reader/value_runs") {
  TEST_CASE("runs have the values of integers of all types, and no others") {
    for (const auto order : {ByteOrder::little, ByteOrder::big}) {
      check_runs<std::int8_t>(order);
      check_runs<std::uint8_t>(order);
      check_runs<std::int16_t>(order);
      check_runs<std::uint16_t>(order);
      check_runs<std::int32_t>(order);
      check_runs<std::uint32_t>(order);
      check_runs<std::int64_t>(order);
      check_runs<std::uint64_t>(order);
    }
  }

  TEST_CASE("consecutive values are one run, also across zero") {
    const auto bytes =
        stored<std::int32_t>({3, -1, 0, 1, 2, 7, 7, 3}, ByteOrder::little);
    const auto runs = runs_of(FieldRows{integers<std::int32_t>(), 1, bytes});
    REQUIRE(runs.size() == 2);
    CHECK(runs[0].first.bits == static_cast<std::uint64_t>(-1));
    CHECK(runs[0].last.bits == 3);
    CHECK(runs[1].first.bits == 7);
    CHECK(runs[1].last.bits == 7);
    for (const auto value : {-1, 0, 3, 7}) CHECK(contains(runs, number(value)));
    for (const auto value : {-2, 4, 6, 8}) CHECK_FALSE(contains(runs, number(value)));
    CHECK(contains(runs, {Number::Kind::real, 0, 2.0}));
    CHECK_FALSE(contains(runs, {Number::Kind::real, 0, 5.5}));
    CHECK_FALSE(contains(
        runs, {Number::Kind::real, 0, std::numeric_limits<double>::quiet_NaN()}));
    CHECK_FALSE(contains({}, number(0)));
  }
}

}  // namespace value_runs_test
