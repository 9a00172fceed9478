#include "core/simulation/savitzky_golay.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace savitzky_golay_test {

using bev::simulation::smoothed;
using Values = std::vector<double>;

void check(const Values& found, const Values& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CAPTURE(i);
    CHECK(found[i] == doctest::Approx(expected[i]).epsilon(1e-12));
  }
}

const Values kValues{0, 1, 4, 2, 3, 7, 5, 1, 0, 2, 6, 3};

TEST_SUITE("simulation/savitzky_golay") {
  TEST_CASE("polynomials of the degree are kept, and have their derivatives") {
    Values square, slope, constant;
    for (int i = 0; i < 9; ++i) {
      const double x = 0.1 * i;
      square.push_back(3 * x * x - x + 2);
      slope.push_back(6 * x - 1);
      constant.push_back(6);
    }
    check(smoothed(square, {5, 2, 0, 0.1}), square);
    check(smoothed(square, {5, 2, 1, 0.1}), slope);
    check(smoothed(square, {5, 3, 2, 0.1}), constant);
    check(smoothed(square, {9, 2, 1, 0.1}), slope);
  }

  TEST_CASE("of even windows, the values within are those half an interval later") {
    Values line, expected;
    for (int i = 0; i < 12; ++i) {
      line.push_back(i);
      expected.push_back(i < 4 || i >= 8 ? i : i + 0.5);
    }
    check(smoothed(line, {8, 2, 0, 1}), expected);
  }

  TEST_CASE("the weights are those of the published tables") {
    // Savitzky and Golay 1964: -3, 12, 17, 12, -3 of 35.
    const auto found = smoothed(kValues, {5, 2, 0, 1});
    for (std::size_t i = 2; i + 2 < kValues.size(); ++i) {
      const double expected =
          (-3 * kValues[i - 2] + 12 * kValues[i - 1] + 17 * kValues[i] +
           12 * kValues[i + 1] - 3 * kValues[i + 2]) /
          35;
      CHECK(found[i] == doctest::Approx(expected).epsilon(1e-12));
    }
  }
}

}  // namespace savitzky_golay_test
