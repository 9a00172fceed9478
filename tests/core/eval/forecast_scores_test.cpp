#include "core/eval/forecast_scores.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/base/error.hpp"

using bev::Errc;
using bev::Error;
using doctest::Approx;
using namespace bev::eval;
using Values = std::vector<double>;

namespace {

/// Two tracks of two steps. The modes of the first end 5, 1 and 3 m off, those of the
/// second 2 and 0 m.
struct Small {
  std::vector<std::int64_t> offsets{0, 3, 5};
  Values probabilities{0.5, 0.2, 0.3, 0.5, 0.5};
  Values forecasts{0, 0, 3, 4, 0, 5, 1, 0, 0, 1, 0, 3, 8, 8, 10, 8, 8, 8, 8, 8};
  Values truths{0, 0, 0, 0, 8, 8, 8, 8};

  Forecasts given() const {
    Forecasts out;
    out.offsets = offsets;
    out.probabilities = probabilities;
    out.forecasts = forecasts;
    out.truths = truths;
    out.steps = 2;
    return out;
  }
};

std::string refusal(const Forecasts& given, std::size_t k = 6) {
  try {
    forecast_scores(given, k);
  } catch (const Error& error) {
    CHECK(error.code() == Errc::invalid_argument);
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_SUITE("eval/forecast_scores") {
  TEST_CASE("the best of all modes may differ by mean and by last step") {
    const Small small;
    const auto scores = forecast_scores(small.given(), 6);
    REQUIRE(scores.size() == 2);
    CHECK(scores[0].min_ade == Approx(2));  // of the third mode: 1 and 3 m
    CHECK(scores[0].brier_min_ade == Approx(2 + 0.7 * 0.7));
    CHECK(scores[0].min_fde == Approx(1));  // of the second
    CHECK(scores[0].brier_min_fde == Approx(1 + 0.8 * 0.8));
    CHECK(!scores[0].missed);
    CHECK(scores[1].min_fde == 0);
  }

  TEST_CASE("only the most probable modes count, the first of equal ones") {
    const Small small;
    const auto one = forecast_scores(small.given(), 1);
    CHECK(one[0].min_fde == Approx(5));
    CHECK(one[0].missed);
    CHECK(one[1].min_fde == Approx(2));
    CHECK(!one[1].missed);  // exactly the threshold
    CHECK(forecast_scores(small.given(), 1, 1.5)[1].missed);
    CHECK(forecast_scores(small.given(), 2)[0].min_fde == Approx(3));
  }

  TEST_CASE("probabilities are divided by their sum") {
    Small small;
    small.probabilities[0] += 5e-6;
    const auto scores = forecast_scores(small.given(), 1);
    const double doubt = 1 - small.probabilities[0] / (1 + 5e-6);
    CHECK(scores[0].brier_min_fde == Approx(5 + doubt * doubt).epsilon(1e-14));
  }

  TEST_CASE("no tracks have no scores") {
    const std::vector<std::int64_t> none{0};
    Forecasts given;
    given.offsets = none;
    given.steps = 60;
    CHECK(forecast_scores(given, 6).empty());
  }

  TEST_CASE("inconsistent arrays are refused, tracks by number") {
    const Small small;
    CHECK(refusal(small.given(), 0) == "forecasts: k is 0 (expected at least 1)");
    Small other = small;
    other.offsets = {0, 3, 4};
    CHECK(refusal(other.given()).find("ascend from 0 to 5") != std::string::npos);
    other.offsets = {0, 5, 3};
    CHECK(refusal(other.given()).find("ascend from 0 to 5") != std::string::npos);
    other.offsets = {0, 5, 5};
    CHECK(refusal(other.given()) ==
          "forecasts: track 0: probabilities do not sum to 1 "
          "(found 2.0)");
    other = small;
    other.truths.pop_back();
    CHECK(refusal(other.given()).find("wrong length of truths") != std::string::npos);
    other = small;
    other.forecasts[19] = std::numeric_limits<double>::quiet_NaN();
    CHECK(refusal(other.given()) == "forecasts: track 1: a position is not finite");
    other = small;
    other.probabilities = {-0.5, 1, 0.5, 0.5, 0.5};
    CHECK(refusal(other.given()) ==
          "forecasts: track 0: a probability is not between 0 and 1");
    auto huge = small.given();
    huge.steps = std::numeric_limits<std::size_t>::max() / 2;
    CHECK(refusal(huge).find("wrong length") != std::string::npos);
  }

  TEST_CASE("a track without modes is refused") {
    Small small;
    small.offsets = {0, 5, 5};
    small.probabilities = {0.2, 0.2, 0.2, 0.2, 0.2};
    CHECK(refusal(small.given()) == "forecasts: track 1: no modes");
  }
}
