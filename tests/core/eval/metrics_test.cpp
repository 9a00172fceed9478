#include "core/eval/metrics.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/eval/csv.hpp"
#include "tests/support/files.hpp"
#include "tests/support/goldens.hpp"

using bev::Error;
using doctest::Approx;
using namespace bev::eval;
using Values = std::vector<double>;

namespace {

/// One agent, two steps; the first of two modes is exact, the second is 3 and 5 m off.
const GroundTruth kTruth{1, 2, {1, 1}, {1, 0, 2, 0}};
const Prediction kPrediction{1, 2, {0.5, 0.5}, {1, 0, 2, 0, 1, 3, 5, 4}};

Values of(Metric metric, const GroundTruth& truth = kTruth,
          const Prediction& prediction = kPrediction) {
  return compute(metric, truth, prediction);
}

}  // namespace

TEST_SUITE("eval/metrics") {
  TEST_CASE("means over a file are the reference's") {
    BEV_REQUIRE_GOLDENS();
    const auto folder = bev::test::goldens() + "/outputs/eval/";
    const auto truths = read_gt_csv(bev::test::read_text(folder + "gt.csv"));
    const auto predictions = read_pred_csv(bev::test::read_text(folder + "pred.csv"));
    const auto golden =
        nlohmann::json::parse(bev::test::read_text(folder + "metrics.json"));
    const auto means = compute_means(kMetrics, truths, predictions);
    REQUIRE(golden.size() == kMetrics.size());
    for (std::size_t m = 0; m < kMetrics.size(); ++m) {
      const std::string name(to_string(kMetrics[m]));
      CAPTURE(name);
      const auto& json = golden.at(name);
      const auto expected =
          json.is_array() ? json.get<Values>() : Values{json.get<double>()};
      REQUIRE(means[m].size() == expected.size());
      for (std::size_t i = 0; i < expected.size(); ++i) {
        CHECK(means[m][i] == Approx(expected[i]).epsilon(1e-12));
      }
    }
  }

  TEST_CASE("a prediction is compared mode by mode") {
    CHECK(of(Metric::neg_multi_log_likelihood)[0] ==
          Approx(-std::log(0.5 + 0.5 * std::exp(-17.0))));
    CHECK(of(Metric::rmse)[0] ==
          Approx(std::sqrt(of(Metric::neg_multi_log_likelihood)[0])));
    const auto modes = of(Metric::prob_true_mode);
    CHECK(modes[0] == Approx(1 / (1 + std::exp(-17.0))));
    CHECK(modes[0] + modes[1] == Approx(1));
    CHECK(of(Metric::time_displace)[1] == Approx(5 * modes[1]));
    CHECK(of(Metric::average_displacement_error_oracle) == Values{0});
    CHECK(of(Metric::average_displacement_error_mean) == Values{2});
    CHECK(of(Metric::final_displacement_error_oracle) == Values{0});
    CHECK(of(Metric::final_displacement_error_mean) == Values{2.5});
  }

  TEST_CASE("a step that is not available is one without error") {
    auto truth = kTruth;
    truth.availabilities[1] = 0;
    CHECK(of(Metric::final_displacement_error_mean, truth) == Values{0});
    CHECK(of(Metric::average_displacement_error_mean, truth) == Values{0.75});
  }

  TEST_CASE("a mode of no confidence counts for nothing") {
    auto prediction = kPrediction;
    prediction.confidences = {0, 1};
    CHECK(of(Metric::prob_true_mode, kTruth, prediction) == Values{0, 1});
    CHECK(of(Metric::neg_multi_log_likelihood, kTruth, prediction)[0] == Approx(17));
  }

  TEST_CASE("errors that are huge neither overflow nor vanish") {
    auto prediction = kPrediction;
    for (auto& value : prediction.coords) value += 1e5;
    CHECK(std::isfinite(of(Metric::neg_multi_log_likelihood, kTruth, prediction)[0]));
  }

  TEST_CASE("shapes and values that mean nothing are refused by name") {
    auto prediction = kPrediction;
    prediction.confidences = {0.5, 0.25};
    CHECK_THROWS_WITH_AS(of(Metric::rmse, kTruth, prediction),
                         "metrics of track 2: confidences do not sum to 1 (found 0.75)",
                         Error);
    prediction = kPrediction;
    prediction.coords[3] = std::numeric_limits<double>::infinity();
    CHECK_THROWS_WITH_AS(of(Metric::rmse, kTruth, prediction),
                         "metrics of track 2: a value is not finite", Error);
    prediction.coords.pop_back();
    CHECK_THROWS_AS(of(Metric::rmse, kTruth, prediction), Error);
    CHECK_THROWS_AS(of(Metric::rmse, {1, 2, {}, {}}, {1, 2, {1}, {}}), Error);
    CHECK_THROWS_AS(of(Metric::rmse, kTruth, {1, 2, {}, {}}), Error);
  }

  TEST_CASE("ground truth and predictions are of the same agents") {
    const std::array metrics{Metric::rmse};
    const std::vector<GroundTruth> truths{kTruth};
    auto other = kPrediction;
    other.track_id = 3;
    const std::vector<Prediction> predictions{other};
    CHECK_THROWS_WITH_AS(compute_means(metrics, truths, predictions),
                         "metrics: agents differ (found 1 without prediction and 1 "
                         "without ground truth, first: track 2 at 1)",
                         Error);
    CHECK_THROWS_AS(compute_means({}, truths, predictions), Error);
    CHECK_THROWS_AS(compute_means(metrics, {}, predictions), Error);
  }

  TEST_CASE("of several records of an agent the last counts") {
    const std::array metrics{Metric::final_displacement_error_mean};
    auto moved = kTruth;
    moved.coords = {1, 0, 5, 4};
    const std::vector<GroundTruth> truths{kTruth, moved};
    const std::vector<Prediction> predictions{kPrediction};
    CHECK(compute_means(metrics, truths, predictions)[0] == Values{2.5});
    const std::vector<GroundTruth> turned{moved, kTruth};
    CHECK(compute_means(metrics, turned, predictions)[0] == Values{2.5});
  }

  TEST_CASE("two modes of unequal confidence give the values computed by hand") {
    // Mode 0 is 1 m off in both steps, mode 1 is 5 m off in the first only.
    const GroundTruth truth{1, 2, {1, 1}, {1, 0, 2, 0}};
    const Prediction prediction{1, 2, {0.25, 0.75}, {1, 1, 2, 1, 4, 4, 2, 0}};
    const double first = 0.25 * std::exp(-1.0);
    const double second = 0.75 * std::exp(-12.5);
    const double nll = -std::log(first + second);
    CHECK(of(Metric::neg_multi_log_likelihood, truth, prediction)[0] == Approx(nll));
    CHECK(of(Metric::rmse, truth, prediction)[0] == Approx(std::sqrt(nll)));
    const auto modes = of(Metric::prob_true_mode, truth, prediction);
    CHECK(modes[0] == Approx(first / (first + second)));
    const auto times = of(Metric::time_displace, truth, prediction);
    CHECK(times[0] == Approx(modes[0] + 5 * modes[1]));
    CHECK(times[1] == Approx(modes[0]));
    CHECK(of(Metric::average_displacement_error_oracle, truth, prediction) ==
          Values{1});
    CHECK(of(Metric::average_displacement_error_mean, truth, prediction) ==
          Values{1.75});
    CHECK(of(Metric::final_displacement_error_oracle, truth, prediction) == Values{0});
    CHECK(of(Metric::final_displacement_error_mean, truth, prediction) == Values{0.5});
    CHECK(mode_distances(truth, prediction) == Values{1, 1, 5, 0});
  }

  TEST_CASE("without any available step all errors are 0") {
    const GroundTruth truth{1, 2, {0, 0}, {7, 7, 7, 7}};
    CHECK(of(Metric::average_displacement_error_mean, truth) == Values{0});
    CHECK(of(Metric::time_displace, truth) == Values{0, 0});
    CHECK(of(Metric::prob_true_mode, truth) == Values{0.5, 0.5});
    CHECK(of(Metric::neg_multi_log_likelihood, truth)[0] == Approx(0));
  }

  TEST_CASE("confidences may miss 1 by rounding, and no more") {
    auto prediction = kPrediction;
    prediction.confidences = {0.5, 0.500009};
    CHECK_NOTHROW(of(Metric::prob_true_mode, kTruth, prediction));
    prediction.confidences = {0.5, 0.50002};
    CHECK_THROWS_AS(of(Metric::prob_true_mode, kTruth, prediction), Error);
    prediction.confidences = {std::numeric_limits<double>::quiet_NaN(), 1};
    CHECK_THROWS_AS(of(Metric::prob_true_mode, kTruth, prediction), Error);
  }

  TEST_CASE("a likelihood above 1 has no root: rmse is NaN") {
    const GroundTruth truth{1, 2, {1}, {1, 0}};
    const Prediction sure{1, 2, {1.000009}, {1, 0}};
    CHECK(of(Metric::neg_multi_log_likelihood, truth, sure)[0] < 0);
    CHECK(std::isnan(of(Metric::rmse, truth, sure)[0]));
  }

  TEST_CASE("ground truth that is not finite is refused, also where unavailable") {
    auto truth = kTruth;
    truth.availabilities[1] = 0;
    truth.coords[2] = std::numeric_limits<double>::quiet_NaN();
    CHECK_THROWS_AS(of(Metric::rmse, truth), Error);
  }

  TEST_CASE("means are over agents, each metric by itself") {
    const std::array metrics{Metric::final_displacement_error_mean,
                             Metric::average_displacement_error_mean};
    GroundTruth exact{1, 3, {1, 1}, {1, 0, 2, 0}};
    Prediction hit{1, 3, {1, 0}, {1, 0, 2, 0, 1, 0, 2, 0}};
    const std::vector<GroundTruth> truths{kTruth, exact};
    const std::vector<Prediction> predictions{hit, kPrediction};
    const auto means = compute_means(metrics, truths, predictions);
    CHECK(means[0] == Values{1.25});
    CHECK(means[1] == Values{1});
  }

  TEST_CASE("agents of different numbers of steps have no common mean") {
    const std::array metrics{Metric::time_displace};
    const std::vector<GroundTruth> truths{kTruth, {1, 3, {1}, {1, 0}}};
    const std::vector<Prediction> predictions{kPrediction, {1, 3, {1}, {1, 0}}};
    CHECK_THROWS_WITH_AS(
        compute_means(metrics, truths, predictions),
        "metrics of track 3: wrong number of values (found 1, expected 2)", Error);
  }

  TEST_CASE("one track at two times is two agents") {
    const std::array metrics{Metric::final_displacement_error_mean};
    auto later = kTruth;
    later.timestamp = 9;
    const std::vector<GroundTruth> truths{kTruth, later};
    CHECK_THROWS_WITH_AS(
        compute_means(metrics, truths, std::vector<Prediction>{kPrediction}),
        doctest::Contains("first: track 2 at 9"), Error);
  }

  TEST_CASE("each metric has its own name") {
    std::set<std::string_view> names;
    for (const auto metric : kMetrics) names.insert(to_string(metric));
    CHECK(names.size() == kMetrics.size());
    CHECK_FALSE(names.contains(""));
    CHECK(to_string(Metric::prob_true_mode) == "prob_true_mode");
  }

  TEST_CASE("an error too large for a double is infinite, not unknown") {
    const GroundTruth truth{1, 2, {1}, {0, 0}};
    const Prediction far{1, 2, {0.5, 0.5}, {1e200, 0, -1e200, 0}};
    constexpr auto kInfinity = std::numeric_limits<double>::infinity();
    CHECK(of(Metric::neg_multi_log_likelihood, truth, far) == Values{kInfinity});
    CHECK(of(Metric::rmse, truth, far) == Values{kInfinity});
    CHECK(of(Metric::final_displacement_error_oracle, truth, far) == Values{kInfinity});
    const Prediction one_far{1, 2, {0.5, 0.5}, {1e200, 0, 0, 0}};
    CHECK(of(Metric::neg_multi_log_likelihood, truth, one_far)[0] ==
          Approx(std::log(2)));
    CHECK(of(Metric::prob_true_mode, truth, one_far) == Values{0, 1});
  }

  TEST_CASE("a negative confidence is refused, though the sum is 1") {
    auto prediction = kPrediction;
    prediction.confidences = {1.5, -0.5};
    for (const auto metric : kMetrics) {
      CHECK_THROWS_WITH_AS(of(metric, kTruth, prediction),
                           "metrics of track 2: negative confidence (found -0.5)",
                           Error);
    }
    prediction.confidences = {1, -0.0};
    CHECK(of(Metric::prob_true_mode, kTruth, prediction) == Values{1, 0});
  }

  TEST_CASE("an availability scales the error") {
    auto truth = kTruth;
    truth.availabilities = {1, 0.5};
    CHECK(of(Metric::final_displacement_error_mean, truth) == Values{1.25});
  }

  TEST_CASE("shapes that differ are refused with what was found") {
    CHECK_THROWS_WITH_AS(of(Metric::rmse, {1, 2, {1, 1}, {1, 0, 2}}),
                         "metrics of track 2: shapes differ (found 8 coordinates of 2 "
                         "modes and 3 of 2 steps)",
                         Error);
    CHECK_THROWS_WITH_AS(mode_distances(kTruth, {1, 2, {1}, {1, 0}}),
                         "metrics of track 2: shapes differ (found 2 coordinates of 1 "
                         "modes and 4 of 2 steps)",
                         Error);
  }

  TEST_CASE("the best mode of the mean may not be that of the last step") {
    const GroundTruth truth{1, 2, {1, 1}, {0, 0, 0, 0}};
    const Prediction prediction{1, 2, {0.5, 0.5}, {0, 0, 0, 3, 0, 9, 0, 1}};
    CHECK(of(Metric::average_displacement_error_oracle, truth, prediction) ==
          Values{1.5});
    CHECK(of(Metric::final_displacement_error_oracle, truth, prediction) == Values{1});
  }

  TEST_CASE("no agents have no means") {
    const auto means = compute_means(kMetrics, {}, {});
    CHECK(means.size() == kMetrics.size());
    for (const auto& mean : means) CHECK(mean.empty());
  }

  TEST_CASE("of several predictions of an agent the last counts") {
    const std::array metrics{Metric::final_displacement_error_mean};
    auto wrong = kPrediction;
    wrong.confidences = {9, 9};  // never looked at
    const std::vector<GroundTruth> truths{kTruth};
    CHECK(compute_means(metrics, truths,
                        std::vector<Prediction>{wrong, kPrediction})[0] == Values{2.5});
    CHECK_THROWS_AS(
        compute_means(metrics, truths, std::vector<Prediction>{kPrediction, wrong}),
        Error);
  }

  TEST_CASE("a prediction without ground truth is named when none lacks one") {
    const std::array metrics{Metric::rmse};
    auto extra = kPrediction;
    extra.track_id = -7;
    CHECK_THROWS_WITH_AS(
        compute_means(metrics, std::vector<GroundTruth>{kTruth},
                      std::vector<Prediction>{kPrediction, extra}),
        "metrics: agents differ (found 0 without prediction and 1 without ground "
        "truth, first: track -7 at 1)",
        Error);
  }

  TEST_CASE("means of modes need the same number of modes") {
    const std::array metrics{Metric::prob_true_mode};
    auto later = kTruth;
    later.timestamp = 9;
    const Prediction single{9, 2, {1}, {1, 0, 2, 0}};
    CHECK_THROWS_WITH_AS(
        compute_means(metrics, std::vector<GroundTruth>{kTruth, later},
                      std::vector<Prediction>{kPrediction, single}),
        "metrics of track 2: wrong number of values (found 1, expected 2)", Error);
  }
}
