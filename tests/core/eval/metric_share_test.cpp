#include "core/eval/metric_share.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/eval/csv.hpp"

using bev::Error;
using doctest::Approx;
using namespace bev::eval;

namespace {

struct Files {
  std::string truths;
  std::string predictions;
};

/// Some agents, whose predictions are in the opposite order.
Files files(int agents) {
  std::vector<GroundTruth> truths;
  std::vector<Prediction> predictions;
  for (int i = 0; i < agents; ++i) {
    const double x = i;
    truths.push_back({100 + i / 5, i % 5, {1, 1}, {x, 0, 2 * x, 0}});
    predictions.push_back(
        {100 + i / 5, i % 5, {0.25, 0.75}, {x, 1, 2 * x, 1, x, 0, x, 0}});
  }
  std::reverse(predictions.begin(), predictions.end());
  return {write_gt_csv(truths, 2), write_pred_csv(predictions, 2, 2)};
}

MetricSums sums_of(const Files& given, AgentShare which, std::size_t step = 7) {
  MetricShare share(which);
  for (std::size_t at = 0; at < given.truths.size(); at += step) {
    share.add_truths(std::string_view(given.truths).substr(at, step));
  }
  for (std::size_t at = 0; at < given.predictions.size(); at += step) {
    share.add_predictions(std::string_view(given.predictions).substr(at, step));
  }
  return share.finish();
}

}  // namespace

TEST_SUITE("eval/metric_share") {
  TEST_CASE("the means of all shares are those of the whole") {
    const auto given = files(40);
    const auto expected = compute_means(kMetrics, read_gt_csv(given.truths),
                                        read_pred_csv(given.predictions, "pred", 2));
    for (const std::uint64_t count : {1U, 3U, 64U}) {
      MetricSums all;
      for (std::uint64_t i = 0; i < count; ++i) all.add(sums_of(given, {i, count}));
      CHECK(all.agents == 40);
      const auto means = all.means();
      REQUIRE(means.size() == kMetrics.size());
      for (std::size_t m = 0; m < means.size(); ++m) {
        CAPTURE(m);
        REQUIRE(means[m].size() == expected[m].size());
        for (std::size_t i = 0; i < means[m].size(); ++i) {
          CHECK(means[m][i] == Approx(expected[m][i]).epsilon(1e-12));
        }
      }
    }
  }

  TEST_CASE("a share without agents has no sums") {
    const auto sums = sums_of(files(0), {0, 1});
    CHECK(sums.agents == 0);
    CHECK(sums.sums.empty());
    CHECK(sums.means().empty());
  }

  TEST_CASE("an agent without prediction is an error of its share") {
    auto given = files(3);
    given.predictions = files(2).predictions;
    std::size_t errors = 0;
    for (std::uint64_t i = 0; i < 4; ++i) {
      try {
        sums_of(given, {i, 4});
      } catch (const Error& error) {
        CHECK(error.what() ==
              std::string("metrics: agents differ (found 1 without prediction and 0 "
                          "without ground truth, first: track 2 at 100)"));
        ++errors;
      }
    }
    CHECK(errors == 1);
  }

  TEST_CASE("sums of other shapes do not add up") {
    MetricSums sums{1, {{1}, {2, 3}}};
    sums.add({2, {{1}, {1, 1}}});
    CHECK(sums.agents == 3);
    CHECK(sums.sums == std::vector<std::vector<double>>{{2}, {3, 4}});
    CHECK_THROWS_WITH_AS(
        sums.add({1, {{1}, {2, 3, 4}}}),
        "metrics: sums of other metrics, or of other numbers of modes or steps", Error);
  }
}
