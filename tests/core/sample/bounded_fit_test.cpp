#include "core/sample/bounded_fit.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/base/error.hpp"

using bev::sample::fit_bounded;
using bev::sample::LeastSquares;
using doctest::Approx;
using Values = std::vector<double>;

namespace {

/// Rosenbrock's function: f = (10 (y - x^2), a - x), with its minimum at (a, a^2).
class Valley final : public LeastSquares {
 public:
  explicit Valley(double a) : a_(a) {}

  double cost(std::span<const double> x) override {
    const double f = 10 * (x[1] - x[0] * x[0]);
    const double g = a_ - x[0];
    return 0.5 * (f * f + g * g);
  }

  void derive(std::span<const double> x, std::span<double> gradient,
              std::span<double> normal) override {
    const double f = 10 * (x[1] - x[0] * x[0]);
    const double g = a_ - x[0];
    const double slope = -20 * x[0];
    gradient[0] = slope * f - g;
    gradient[1] = 10 * f;
    normal[0] = slope * slope + 1;
    normal[1] = normal[2] = 10 * slope;
    normal[3] = 100;
  }

 private:
  double a_;
};

Values fitted(double a, const Values& lower, const Values& upper) {
  Valley valley(a);
  Values x;
  fit_bounded(valley, lower, upper, x);
  return x;
}

}  // namespace

TEST_SUITE("sample/bounded_fit") {
  TEST_CASE("a curved valley is followed to its end") {
    const auto x = fitted(1, {-3, -3}, {3, 3});
    CHECK(x[0] == Approx(1).epsilon(1e-6));
    CHECK(x[1] == Approx(1).epsilon(1e-6));
  }

  TEST_CASE("an end out of bounds is approached along the bound, never beyond") {
    const auto x = fitted(1, {-0.5, -0.5}, {0.5, 3});
    CHECK(x[0] <= 0.5);
    CHECK(x[0] == Approx(0.5).epsilon(1e-4));
    CHECK(x[1] == Approx(0.25).epsilon(1e-3));
  }

  TEST_CASE("both bounds of a corner hold") {
    const auto x = fitted(2, {-0.5, -0.5}, {1, 0.5});
    CHECK(x[0] < 1);
    CHECK(x[1] <= 0.5);
    CHECK(x[1] == Approx(0.5).epsilon(1e-4));
    CHECK(x[0] == Approx(0.71347).epsilon(1e-3));
  }

  TEST_CASE("a start that is the end stays") {
    CHECK(fitted(0, {-1, -1}, {1, 1}) == Values{0, 0});
  }

  TEST_CASE("a cost that is no number is refused") {
    CHECK_THROWS_WITH_AS(
        fitted(std::numeric_limits<double>::quiet_NaN(), {-1, -1}, {1, 1}),
        doctest::Contains("initial cost is not finite"), bev::Error);
    CHECK_THROWS_AS(fitted(1e200, {-1, -1}, {1, 1}), bev::Error);
  }
}
