#include <doctest/doctest.h>

#include <array>
#include <bevscope/arrays.hpp>
#include <bevscope/error.hpp>
#include <bevscope/rows.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/error_code.hpp"

namespace arrays_test {

using bev::Arrays;
using bev::ArrayView;
using bev::Errc;
using bev::Error;
using bev::Table;
using bev::test::error_code;

namespace {

// Whether a member that returns a view may be called on a temporary, whose memory would
// be freed before the view is read.

template <class T>
concept IndexedAsTemporary = requires(T&& result) {
  std::move(result)["x"];
};

template <class T>
concept ArrayOfTemporary = requires(T&& result) {
  std::move(result).template array<float>("x");
};

template <class T>
concept TextOfTemporary = requires(T&& result) {
  std::move(result).text("x");
};

template <class T>
concept ColumnOfTemporary = requires(T&& result) {
  std::move(result).template column<double>("x");
};

template <class T>
concept ScalarOfTemporary = requires(T&& result) {
  std::move(result).template scalar<double>("x");
};

template <class T>
concept IndexedByName = requires(const T& result) {
  result["x"];
};

/// Arrays that the test owns.
struct Made {
  std::vector<double> points{1, 2, 3, 4, 5, 6};
  std::vector<std::uint8_t> flags{1, 0};
  std::vector<std::uint32_t> offsets{0, 3, 3};
  std::array<std::size_t, 2> by_two{3, 2};
  std::array<std::size_t, 1> two{2};
  std::array<std::size_t, 1> three{3};
  std::string_view utf8 = "red";

  Arrays arrays() const {
    const auto text = std::as_bytes(std::span(utf8.data(), utf8.size()));
    return {{{"points", "<f8", by_two, std::as_bytes(std::span(points))},
             {"kept", "|b1", two, std::as_bytes(std::span(flags))},
             {"one", "<f8", {}, std::as_bytes(std::span(points).first(1))},
             {"ids", "utf8", two, text},
             {"ids.offsets", "<u4", three, std::as_bytes(std::span(offsets))}},
            nullptr};
  }
};

}  // namespace

TEST_SUITE("library/arrays") {
  TEST_CASE("rows of variable length are views of their values") {
    const std::array<float, 6> points{1, 2, 3, 4, 5, 6};
    const std::array<std::uint32_t, 4> offsets{0, 1, 1, 3};
    const std::array<std::uint8_t, 3> valid{1, 0, 1};
    const std::array<std::size_t, 2> shape{3, 2};
    const std::array<std::size_t, 1> ends{4}, count{3};
    const Arrays all(
        {{"points", "<f4", shape, std::as_bytes(std::span(points))},
         {"points.offsets", "<u4", ends, std::as_bytes(std::span(offsets))},
         {"points.valid", "|b1", count, std::as_bytes(std::span(valid))}},
        nullptr);
    for (const auto& arrays : {all, all.copy()}) {
      const auto rows = arrays.ragged<float>("points");
      REQUIRE(rows.size() == 3);
      CHECK(rows.width() == 2);
      CHECK(rows[0].size() == 2);
      CHECK(rows[1].empty());
      CHECK(rows[2][3] == 6);
      CHECK(arrays.is_valid("points", 0));
      CHECK_FALSE(arrays.is_valid("points", 1));
      CHECK(arrays.is_valid("points.offsets", 1));
      CHECK(error_code([&] { arrays.is_valid("points", 3); }) == Errc::out_of_range);
      CHECK(error_code([&] { arrays.is_valid("lidar", 0); }) == Errc::not_found);
      CHECK(error_code([&] { arrays.ragged<float>("lidar"); }) == Errc::not_found);
      CHECK(error_code([&] { arrays.ragged<double>("points"); }) ==
            Errc::invalid_argument);
    }
  }

  TEST_CASE("no view of a temporary result compiles, values of it do") {
    CHECK_FALSE(IndexedAsTemporary<Arrays>);
    CHECK_FALSE(ArrayOfTemporary<Arrays>);
    CHECK_FALSE(TextOfTemporary<Arrays>);
    CHECK_FALSE(IndexedAsTemporary<Table>);
    CHECK_FALSE(ColumnOfTemporary<Table>);
    CHECK(ScalarOfTemporary<Arrays>);
    CHECK(IndexedByName<Arrays>);
    CHECK(IndexedByName<Table>);
  }

  TEST_CASE("an array is found by its name, an unknown name is an error") {
    const Made made;
    const auto arrays = made.arrays();
    CHECK(arrays.contains("kept"));
    CHECK_FALSE(arrays.contains("kep"));
    CHECK_FALSE(arrays.contains(""));
    CHECK(arrays.all().size() == 5);
    CHECK(arrays["points"].size() == 3);
    CHECK_THROWS_WITH_AS(arrays["gone"], "array gone: not in the result", Error);
    CHECK(error_code([&] { arrays.array<float>("gone"); }) == Errc::not_found);
    CHECK(error_code([&] { arrays.text("gone"); }) == Errc::not_found);
    CHECK_FALSE(Arrays().contains("points"));
  }

  TEST_CASE("values have the array's type, flags may be read as bytes") {
    const Made made;
    const auto arrays = made.arrays();
    CHECK(arrays.array<double>("points")[5] == 6);
    CHECK(arrays.array<bool>("kept")[0]);
    CHECK(arrays.array<std::uint8_t>("kept")[1] == 0);
    CHECK_THROWS_WITH_AS(arrays.array<float>("points"),
                         "array points: wrong element type (found <f8, expected <f4)",
                         Error);
    CHECK(error_code([&] { arrays.array<std::int64_t>("points"); }) ==
          Errc::invalid_argument);
    CHECK(error_code([&] { arrays.array<std::int8_t>("kept"); }) ==
          Errc::invalid_argument);
  }

  TEST_CASE("rows have the inner axes that are asked for, and no others") {
    const Made made;
    const auto arrays = made.arrays();
    const auto rows = arrays["points"].rows<double, 2>();
    REQUIRE(rows.size() == 3);
    CHECK(rows[2] == std::array<double, 2>{5, 6});
    CHECK_THROWS_WITH_AS((arrays["points"].rows<double, 3>()),
                         "array points: wrong shape (found (n, 2), expected (n, 3))",
                         Error);
    CHECK_THROWS_WITH_AS(arrays["points"].rows<double>(),
                         "array points: wrong shape (found (n, 2), expected (n))",
                         Error);
    CHECK_THROWS_AS((arrays["points"].rows<double, 2, 1>()), Error);
  }

  TEST_CASE("a scalar is one element, whatever its shape") {
    const Made made;
    const auto arrays = made.arrays();
    CHECK(arrays.scalar<double>("one") == 1);
    CHECK(arrays["one"].size() == 1);
    CHECK(arrays["one"].shape().empty());
    CHECK_THROWS_WITH_AS(arrays.scalar<double>("points"),
                         "array points: not a single value (found 48 bytes)", Error);
  }

  TEST_CASE("strings may be empty, and other arrays are no text") {
    const Made made;
    const auto arrays = made.arrays();
    const auto ids = arrays.text("ids");
    REQUIRE(ids.size() == 2);
    CHECK(ids[0] == "red");
    CHECK(ids[1].empty());
    CHECK_THROWS_WITH_AS(arrays.text("points"),
                         "array points: wrong element type (found <f8, expected utf8)",
                         Error);
    CHECK(bev::TextView().size() == 0);
  }

  TEST_CASE("copies of a result share its memory") {
    auto owner = std::make_shared<const Made>();
    const std::weak_ptr<const Made> watched = owner;
    const auto made = owner->arrays();
    std::vector<ArrayView> views(made.all().begin(), made.all().end());
    auto arrays = std::make_unique<Arrays>(std::move(views), std::move(owner));
    const Arrays copy = *arrays;
    arrays.reset();
    CHECK_FALSE(watched.expired());
    CHECK(copy.array<double>("points")[0] == 1);
  }
}

}  // namespace arrays_test
