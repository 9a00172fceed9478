#include "core/store/target_selection.hpp"

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "tests/support/error_code.hpp"

namespace target_selection_test {

using bev::Errc;
using bev::store::AxisSlice;
using bev::store::TargetSelection;
using bev::test::error_code;

using Lengths = std::vector<std::uint64_t>;
using Rows = std::vector<std::int64_t>;
using Shape = std::vector<std::size_t>;

TEST_SUITE("store/target_selection") {
  TEST_CASE("a box has the shape of its values, without axes of an index") {
    const std::vector<AxisSlice> slices{{.index = 3}, {.begin = 1, .end = 5}};
    const auto found = TargetSelection::box("a", Lengths{9, 8, 2}, slices);
    CHECK((found.shape == Shape{4, 2}));
    CHECK_FALSE(found.target.by_rows);
    CHECK((found.target.box.at(1) == bev::zarr::AxisRange{1, 4}));
  }

  TEST_CASE("rows keep their order, and repeats") {
    const auto found = TargetSelection::list("a", Lengths{9, 8}, Rows{7, 0, 7});
    CHECK((found.shape == Shape{3, 8}));
    CHECK(found.target.by_rows);
    CHECK((found.target.rows == Lengths{7, 0, 7}));
  }

  TEST_CASE("rows outside the array, and of an array without axes, are refused") {
    const auto code = [](const Lengths& lengths, const Rows& rows) {
      return error_code([&] { TargetSelection::list("a", lengths, rows); });
    };
    CHECK(code({9}, {9}) == Errc::out_of_range);
    CHECK(code({9}, {-1}) == Errc::out_of_range);
    CHECK(code({}, {0}) == Errc::invalid_argument);
  }
}

}  // namespace target_selection_test
