#include "core/store/box_selection.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "core/base/error.hpp"

namespace box_selection_test {

using bev::Errc;
using bev::Error;
using namespace bev::store;

namespace {

using Given = std::optional<std::int64_t>;

constexpr auto kMin = std::numeric_limits<std::int64_t>::min();
constexpr auto kMax = std::numeric_limits<std::int64_t>::max();

/// Returns the selected elements in the result's order.
std::vector<std::int64_t> listed(const AxisSlice& slice, std::uint64_t length) {
  const auto range = range_of(slice, length, "x: axis 0");
  std::vector<std::int64_t> out;
  for (std::uint64_t i = 0; i < range.count; ++i) {
    const auto position = range.falling ? range.count - 1 - i : i;
    out.push_back(static_cast<std::int64_t>(range.first + position * range.step));
  }
  return out;
}

/// Returns the elements by Python's definition: from begin in steps while inside.
std::vector<std::int64_t> by_steps(const AxisSlice& slice, std::int64_t length) {
  const auto from_end = [&](Given given) {
    return *given < 0 ? *given + length : *given;
  };
  std::vector<std::int64_t> out;
  for (std::int64_t i = 0; i < length; ++i) {
    const auto at = slice.step > 0 ? i : length - 1 - i;
    const bool late = !slice.begin || (slice.step > 0 ? at >= from_end(slice.begin)
                                                      : at <= from_end(slice.begin));
    const bool early = !slice.end || (slice.step > 0 ? at < from_end(slice.end)
                                                     : at > from_end(slice.end));
    if (late && early) out.push_back(at);
  }
  std::vector<std::int64_t> every;
  const auto apart =
      static_cast<std::size_t>(slice.step > 0 ? slice.step : -slice.step);
  for (std::size_t i = 0; i < out.size(); i += apart) every.push_back(out[i]);
  return every;
}

BoxSelection of(std::vector<std::uint64_t> lengths,
                const std::vector<AxisSlice>& slices = {}, std::size_t first = 0) {
  return BoxSelection::of("grid", lengths, slices, first);
}

Errc code_of(const AxisSlice& slice, std::uint64_t length) {
  try {
    range_of(slice, length, "x: axis 0");
  } catch (const Error& error) {
    return error.code();
  }
  return Errc::internal;
}

}  // namespace

TEST_SUITE("store/box_selection") {
  TEST_CASE("every slice selects what Python's does") {
    const std::vector<Given> bounds = {{}, -9, -5, -4, -1, 0, 1, 3, 4, 5, 9};
    for (const std::int64_t length : {0, 1, 4, 5}) {
      for (const auto begin : bounds) {
        for (const auto end : bounds) {
          for (const std::int64_t step : {1, 2, 3, 7, -1, -2, -3, -7}) {
            const AxisSlice slice{begin, end, step};
            const auto got = listed(slice, static_cast<std::uint64_t>(length));
            REQUIRE(got == by_steps(slice, length));
          }
        }
      }
    }
  }

  TEST_CASE("extreme bounds and steps are accepted") {
    using List = std::vector<std::int64_t>;
    CHECK(listed({kMin, kMax, kMax}, 5) == List{0});
    CHECK(listed({kMax, kMin, kMin}, 5) == List{4});
    CHECK(listed({kMax, kMin, -1}, 3) == List{2, 1, 0});
    CHECK(listed({kMin, kMax, -1}, 3).empty());
    CHECK(listed({kMax, {}, 1}, 3).empty());
    const auto range = range_of({{}, {}, -1}, kMax, "x");
    CHECK(range == bev::zarr::AxisRange{0, kMax, 1, true});
  }

  TEST_CASE("a negative index counts from the end") {
    using Range = bev::zarr::AxisRange;
    const auto at = [](std::int64_t index) {
      return range_of({{}, {}, 1, index}, 4, "x: axis 0");
    };
    CHECK(at(0) == Range{0, 1});
    CHECK(at(-1) == Range{3, 1});
    CHECK(at(-4) == Range{0, 1});
    CHECK_THROWS_WITH_AS(at(4), "x: axis 0: index 4 is out of range (count 4)", Error);
    CHECK_THROWS_WITH_AS(at(-5), "x: axis 0: index -5 is out of range (count 4)",
                         Error);
    CHECK_THROWS_AS(at(kMin), Error);
  }

  TEST_CASE("a step of 0 and an axis above 2^63 are refused") {
    CHECK(code_of({{}, {}, 0}, 4) == Errc::invalid_argument);
    CHECK(code_of({}, std::uint64_t{1} << 63) == Errc::limit_exceeded);
  }

  TEST_CASE("the result has the sliced and the omitted axes") {
    const auto selection = of({4, 5, 6}, {{{}, {}, 1, -1}, {{}, {}, -2}});
    CHECK(selection.shape == std::vector<std::size_t>{3, 6});
    CHECK(selection.count == 18);
    CHECK(selection.box == bev::zarr::Box{{3, 1}, {0, 3, 2, true}, {0, 6}});
    CHECK(of({}).count == 1);
  }

  TEST_CASE("too many axes and too many elements are refused") {
    const std::vector<AxisSlice> three(3);
    CHECK_THROWS_WITH_AS(of({4, 5}, three),
                         "grid: too many axes (found 3, expected at most 2)", Error);
    CHECK_THROWS_WITH_AS(of({4, 5}, three, 1),
                         "grid: too many axes (found 4, expected at most 3)", Error);
    CHECK_THROWS_WITH_AS(of({4, 5}, {{{}, {}, 1, 9}}, 1),
                         "grid: axis 1: index 9 is out of range (count 4)", Error);
    constexpr auto kLong = std::uint64_t{1} << 33;
    CHECK_THROWS_AS(of({kLong, kLong}), Error);
    CHECK_THROWS_AS(range_of({{}, {}, 1, 1}, 1, "x"), Error);
  }

  TEST_CASE("an axis without elements makes the result empty") {
    constexpr auto kLong = std::uint64_t{1} << 31;
    CHECK(of({kLong, kLong, kLong, 0}).count == 0);
  }

  TEST_CASE("elements of values with axes of their own are selected") {
    bev::zarr::DType type;
    type.item_size = 1;
    type.shape = {2, 3};
    std::vector<std::byte> values(12);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::byte(i);
    const auto selection = of({2, 3}, {{{}, {}, 1, -1}, {{}, {}, -2}}, 1);
    std::vector<std::byte> out(4);
    selection.copy_elements(type, values, out);
    CHECK(out == std::vector{std::byte{5}, std::byte{3}, std::byte{11}, std::byte{9}});
    of({2, 3}, {{9}}, 1).copy_elements(type, values, {});
  }
}

}  // namespace box_selection_test
