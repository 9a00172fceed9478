#include <doctest/doctest.h>

#include <bevscope/forecasts.hpp>
#include <cstdint>
#include <vector>

namespace forecasts_test {

TEST_SUITE("library/forecasts") {
  TEST_CASE("scores are those of the core, by field") {
    const std::vector<std::int64_t> offsets{0, 2};
    const std::vector<double> probabilities{0.25, 0.75}, truths{0, 0, 0, 0};
    const std::vector<double> forecasts{0, 0, 0, 3, 1, 0, 4, 0};
    bev::Forecasts given;
    given.offsets = offsets;
    given.probabilities = probabilities;
    given.forecasts = forecasts;
    given.truths = truths;
    given.steps = 2;
    const auto six = bev::forecast_scores(given, 6);
    REQUIRE(six.size() == 1);
    CHECK(six[0].min_ade == 1.5);
    CHECK(six[0].min_fde == 3);
    CHECK(six[0].brier_min_ade == 1.5 + 0.75 * 0.75);
    CHECK(six[0].brier_min_fde == 3 + 0.75 * 0.75);
    CHECK(six[0].missed);
    CHECK(bev::forecast_scores(given, 1)[0].min_fde == 4);
    CHECK(!bev::forecast_scores(given, 1, 4)[0].missed);
  }
}

}  // namespace forecasts_test
