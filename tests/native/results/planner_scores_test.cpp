#include "native/results/planner_scores.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/error_code.hpp"
#include "tests/support/parquet_by_hand.hpp"
#include "tests/support/temp_folder.hpp"

namespace planner_scores_test {
namespace {

using namespace bev;
using namespace bev::native;
using namespace bev::test;
using nlohmann::json;

HandColumn text_column(const char* name, const std::vector<std::string>& values) {
  return {name, 6,
          data_page(plain_texts(values), static_cast<std::int64_t>(values.size()))};
}

/// nuPlan's table of a metric, of two planners in one scenario.
std::string metric_table(const std::string& name, const std::vector<double>& scores) {
  return parquet_by_hand(
      {{2,
        {text_column("log_name", {"l", "l"}),
         text_column("scenario_name", {"s1", "s1"}),
         text_column("scenario_type", {"t", "t"}),
         text_column("planner_name", {"idm", "net"}),
         text_column("metric_statistics_name", {name, name}),
         {"metric_score", 5, data_page(plain_numbers(scores), 2)}}}});
}

json written(const std::vector<std::string>& paths) {
  std::string rows;
  write_planner_scores(paths, "json", [&](std::span<const std::byte> bytes) {
    rows.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  });
  return json::parse(rows);
}

}  // namespace

TEST_SUITE("results/planner_scores") {
  TEST_CASE("tables of a folder have a row per planner and scenario") {
    const TempFolder folder;
    folder.write("metrics/ttc.parquet", metric_table("ttc", {1, 0.5}));
    folder.write("metrics/crash.parquet", metric_table("crash", {0, 1}));
    const std::vector<std::string> paths{folder.at("metrics")};
    REQUIRE(are_planner_scores(paths));
    const auto rows = written(paths);
    REQUIRE(rows.size() == 2);
    CHECK(rows[0]["planner_name"] == "idm");
    CHECK(rows[0]["scenario_id"] == "s1");
    CHECK(rows[0]["crash"] == 0);
    CHECK(rows[0]["ttc"] == 1);
    CHECK(rows[1]["planner_name"] == "net");
    CHECK(rows[1]["ttc"] == 0.5);
  }

  TEST_CASE("means are over the scenarios that all planners have") {
    const TempFolder folder;
    folder.write("p.csv",
                 "planner_name,scenario_id,score\nidm,s1,1\nidm,s2,0\nidm,s3,0.5\n"
                 "net,s2,0.5\nnet,s1,\n");
    std::string rows;
    const auto summary = write_planner_scores(
        {folder.at("p.csv")}, "csv", [&](std::span<const std::byte> bytes) {
          rows.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        });
    CHECK(rows ==
          "planner_name,scenario_id,score\nidm,s1,1.0\nidm,s2,0.0\nidm,s3,0.5\n"
          "net,s2,0.5\nnet,s1,NaN\n");
    CHECK(summary == json::parse(R"({"scenarios": 2, "planners": {
              "idm": {"scenarios": 3, "means": {"score": 0.5}},
              "net": {"scenarios": 2, "means": {"score": 0.5}}}})"));
  }

  TEST_CASE("other files are none") {
    const TempFolder folder;
    folder.write("a.csv", "scenario_id,ade\na,1\n");
    CHECK_FALSE(are_planner_scores({folder.at("a.csv")}));
    CHECK_FALSE(are_planner_scores({folder.at("b.csv")}));
    CHECK_FALSE(are_planner_scores({folder.path().string()}));
    CHECK(error_code([&] { written({folder.at("b.csv")}); }) == Errc::not_found);
  }
}

}  // namespace planner_scores_test
