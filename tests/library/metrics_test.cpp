#include <doctest/doctest.h>

#include <bevscope/metrics.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "include/bevscope/error.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/files.hpp"
#include "tests/support/goldens.hpp"

namespace metrics_test {

using bev::Errc;
using bev::join_metrics;
using bev::MetricShare;
using bev::test::error_code;
using doctest::Approx;
using nlohmann::json;

TEST_SUITE("library/metrics") {
  TEST_CASE("the metrics of shares are L5Kit's of the files") {
    BEV_REQUIRE_GOLDENS();
    const auto folder = bev::test::goldens() + "/outputs/eval/";
    const auto truths = bev::test::read_text(folder + "gt.csv");
    const auto predictions = bev::test::read_text(folder + "pred.csv");
    std::vector<std::string> shares;
    for (std::uint64_t i = 0; i < 4; ++i) {
      MetricShare share(i, 4);
      share.add_truths(truths);
      share.add_predictions(predictions);
      shares.push_back(share.finish());
    }
    const auto joined = json::parse(join_metrics(shares));
    CHECK(joined["agents"] == 30);
    const auto golden = json::parse(bev::test::read_text(folder + "metrics.json"));
    REQUIRE(joined["metrics"].size() == golden.size());
    for (const auto& item : golden.items()) {
      CAPTURE(item.key());
      const auto& expected = item.value();
      const auto& found = joined["metrics"].at(item.key());
      REQUIRE(found.is_array() == expected.is_array());
      for (std::size_t i = 0; i < (expected.is_array() ? expected.size() : 0); ++i) {
        CHECK(found[i].get<double>() ==
              Approx(expected[i].get<double>()).epsilon(1e-12));
      }
      if (expected.is_array()) continue;
      CHECK(found.get<double>() == Approx(expected.get<double>()).epsilon(1e-12));
    }
  }

  TEST_CASE("text that is not of shares, and no agents, are errors") {
    for (const auto* text :
         {"", "[]", "{}", R"({"agents": 1})", R"({"agents": 1, "sums": [[1]]})",
          R"({"agents": 0, "sums": [[1]]})"}) {
      CAPTURE(text);
      CHECK(error_code([&] { join_metrics({text}); }) == Errc::invalid_metadata);
    }
    CHECK(error_code([] { join_metrics({R"({"agents": 0, "sums": []})"}); }) ==
          Errc::invalid_argument);
    CHECK(error_code([] { MetricShare(1, 1); }) == Errc::invalid_argument);
  }
}

}  // namespace metrics_test
