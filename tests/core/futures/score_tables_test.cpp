#include "core/futures/score_tables.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/futures/score_columns.hpp"
#include "tests/support/parquet_by_hand.hpp"

namespace score_tables_test {
namespace {

using namespace bev::futures;
using namespace bev::test;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct NamedFile {
  std::string name, bytes;
};

std::vector<ScoreTable> read(const std::vector<NamedFile>& files) {
  ScoreReader reader;
  for (const auto& [name, bytes] : files) {
    reader.add(std::as_bytes(std::span(bytes.data(), bytes.size())), name);
  }
  return reader.finish();
}

std::string refusal(const std::vector<NamedFile>& files) {
  try {
    read(files);
  } catch (const bev::Error& error) {
    return error.what();
  }
  return {};
}

/// Compares with NaN equal to itself.
void check_values(const ScoreTable& table, const std::vector<double>& expected) {
  REQUIRE(table.values.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    const bool is_same = table.values[i] == expected[i] ||
                         (std::isnan(table.values[i]) && std::isnan(expected[i]));
    CHECK(is_same);
  }
}

HandColumn texts(const char* name, const std::vector<std::string>& values) {
  const auto rows = static_cast<std::int64_t>(values.size());
  return {name, 6, data_page(plain_texts(values), rows)};
}

HandColumn reals(const std::string& name, const std::vector<double>& values) {
  const auto rows = static_cast<std::int64_t>(values.size());
  return {name, 5, data_page(plain_numbers(values), rows)};
}

/// An optional text column, null where a value is "-".
HandColumn optional_texts(const char* name, const std::vector<std::string>& values) {
  std::string levels, runs;
  std::vector<std::string> known;
  for (const auto& one : values) {
    runs += "\x02";  // a run of one
    runs += one == "-" ? '\0' : '\1';
    if (one != "-") known.push_back(one);
  }
  levels =
      plain_numbers<std::uint32_t>({static_cast<std::uint32_t>(runs.size())}) + runs;
  const auto rows = static_cast<std::int64_t>(values.size());
  return {name, 6, data_page(levels + plain_texts(known), rows), true};
}

/// nuPlan's `metrics/METRIC.parquet`, of two planners in two scenarios.
std::string metric(const std::string& name, const std::vector<double>& scores) {
  const std::vector<std::string> all(4, "log");
  return parquet_by_hand({{4,
                           {texts("log_name", all),
                            texts("scenario_name", {"s1", "s2", "s1", "s2"}),
                            texts("scenario_type", all),
                            texts("planner_name", {"idm", "idm", "net", "net"}),
                            texts("metric_computator", all),
                            texts("metric_statistics_name", {name, name, name, name}),
                            reals("metric_score", scores),
                            texts((name + "_stat_type").c_str(), all),
                            {name + "_stat_value", 0, data_page("\x0b", 4)},
                            reals("least_stat_value", {1.5, 2.5, 3.5, 4.5})}}});
}

/// nuPlan's `aggregator_metric/*.parquet`, with rows of a type and of all scenarios.
std::string aggregator() {
  return parquet_by_hand(
      {{4,
        {texts("scenario", {"s1", "s2", "following_lane", "final_score"}),
         optional_texts("log_name", {"log", "log", "-", "-"}),
         texts("scenario_type", {"a", "a", "a", "final_score"}),
         reals("num_scenarios", {kNan, kNan, 2, 2}),
         texts("planner_name", {"idm", "idm", "idm", "idm"}),
         texts("aggregator_type", {"w", "w", "w", "w"}),
         reals("progress", {0.5, kNan, 0.5, 0.5}),
         reals("score", {0.25, 0.75, 0.5, 0.5})}}});
}

std::string scenarios_parquet() {
  return parquet_by_hand(
      {{2,
        {texts("scenario_id", {"a", "b"}),
         {"agents", 1, data_page(plain_numbers<std::int32_t>({4, 5}), 2)},
         {"evaluated", 1, data_page(plain_numbers<std::int32_t>({3, 3}), 2)},
         reals("ade", {2.5, kNan})}}});
}

ScoreFile kind_of(const std::string& bytes) {
  const std::string_view all = bytes;
  return score_file_of(all.substr(0, kScoreHead),
                       all.substr(all.size() - std::min(all.size(), kScoreTail)));
}

TEST_SUITE("futures/score_tables") {
  TEST_CASE("columns tell what a file has") {
    CHECK(kind_of("scenario_id,agents,ade\na,1,2\n") == ScoreFile::scenarios);
    CHECK(kind_of("\xef\xbb\xbf\"scenario_id\",\"ade\"\r\na,2\r\n") ==
          ScoreFile::scenarios);
    CHECK(kind_of("scenario_id,x,y,ade\na,1,2,3\n") == ScoreFile::none);
    CHECK(kind_of("timestamp,track_id,conf_0\n") == ScoreFile::none);
    CHECK(kind_of("") == ScoreFile::none);
    CHECK(kind_of("planner_name,scenario_type,log_name,scenario_id,frames") ==
          ScoreFile::planners);
    CHECK(kind_of(scenarios_parquet()) == ScoreFile::scenarios);
    CHECK(kind_of(metric("ttc", {1, 1, 0, 1})) == ScoreFile::planners);
    CHECK(kind_of(aggregator()) == ScoreFile::planners);
    CHECK(kind_of(futures_parquet()) == ScoreFile::none);
  }

  TEST_CASE("CSV has a row per scenario; missing values are NaN") {
    const auto found = read(
        {{"m.csv",
          "scenario_id,agents,ade,min_ade,Other\r\n\"a,\"\"1\"\"\",4,2.5e-1,,x\r\n\r\n"
          "b,4,nan,-NaN,y\r\nc,1,Infinity,-inf,z"}});
    REQUIRE(found.size() == 1);
    const auto& table = found[0];
    CHECK(table.name == "m.csv");
    CHECK_FALSE(table.is_of_planner);
    CHECK_FALSE(table.is_of_futures);
    CHECK(table.columns == std::vector<std::string>{"agents", "ade", "min_ade"});
    CHECK(table.scenarios == std::vector<std::string>{"a,\"1\"", "b", "c"});
    CHECK(table.first_row == std::vector<std::uint32_t>{0, 1, 2, 3});
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    check_values(table, {4, 0.25, kNan, 4, kNan, kNan, 1, kInfinite, -kInfinite});
  }

  TEST_CASE("Parquet is read likewise") {
    const auto found = read({{"m.parquet", scenarios_parquet()}});
    REQUIRE(found.size() == 1);
    CHECK(found[0].columns == std::vector<std::string>{"agents", "evaluated", "ade"});
    check_values(found[0], {4, 3, 2.5, 5, 3, kNan});
  }

  TEST_CASE("futures have a row each, those of a scenario together") {
    const auto found =
        read({{"m.csv", "scenario_id,rollout,ade\na,0,1\nb,0,3\na,1,2\n"}});
    REQUIRE(found.size() == 1);
    CHECK(found[0].is_of_futures);
    CHECK(found[0].scenarios == std::vector<std::string>{"a", "b"});
    CHECK(found[0].first_row == std::vector<std::uint32_t>{0, 2, 3});
    check_values(found[0], {0, 1, 1, 2, 0, 3});
  }

  TEST_CASE("planners have the metrics of all files") {
    const auto found = read({{"ttc.parquet", metric("ttc", {1, kNan, 0, 1})},
                             {"crash.parquet", metric("crash", {1, 0.5, 1, 1})},
                             {"all.parquet", aggregator()}});
    REQUIRE(found.size() == 2);
    CHECK(found[0].name == "idm");
    CHECK(found[0].is_of_planner);
    CHECK(found[0].columns ==
          std::vector<std::string>{"ttc", "least", "crash", "progress", "score"});
    CHECK(found[0].scenarios == std::vector<std::string>{"s1", "s2"});
    check_values(found[0], {1, 1.5, 1, 0.5, 0.25, kNan, 2.5, 0.5, kNan, 0.75});
    CHECK(found[1].name == "net");
    CHECK(found[1].columns == std::vector<std::string>{"ttc", "least", "crash"});
    check_values(found[1], {0, 3.5, 1, 1, 4.5, 1});
  }

  TEST_CASE("files of two challenges are refused together, the same one is not") {
    const auto one = metric("ttc", {1, kNan, 0, 1});
    CHECK(refusal({{"a", one}, {"b", metric("ttc", {1, 1, 1, 1})}}) ==
          "b: ttc of net in scenario s1 differs between files (found 0.0 and 1.0); "
          "open one challenge at a time");
    CHECK(refusal({{"a", one}, {"b", one}}).empty());
  }

  TEST_CASE("what bevscope score writes of simulations are planners") {
    const auto found = read({{"s.csv",
                              "planner_name,scenario_type,log_name,scenario_id,frames,"
                              "min_time_to_collision_ahead\nidm,a,log,s1,150,"
                              "Infinity\n,a,log,s2,150,1.5\n"}});
    REQUIRE(found.size() == 2);
    CHECK(found[0].columns ==
          std::vector<std::string>{"frames", "min_time_to_collision_ahead"});
    CHECK(found[1].name.empty());
  }

  TEST_CASE("errors name file, row and column") {
    const auto csv = [](const std::string& rows) {
      return refusal({{"m.csv", "scenario_id,ade\n" + rows + "\n"}});
    };
    CHECK(csv("a,bad") == "m.csv: row 0, ade: not a number (found bad)");
    CHECK(csv("a,0x10") == "m.csv: row 0, ade: not a number (found 0x10)");
    CHECK(csv("a,1e999") == "m.csv: row 0, ade: not a number (found 1e999)");
    CHECK(csv("a, ") == "m.csv: row 0, ade: not a number (found  )");
    CHECK(csv("a,1\na,2") == "m.csv: row 1: scenario a is repeated");
    CHECK(csv("a,1\n\nb,2,3") ==
          "m.csv: line 4: wrong number of fields (found 3, expected 2)");
    CHECK(
        refusal({{"m.csv", "planner_name,scenario_id,frames\nidm,s1,1\nidm,s1,2\n"}}) ==
        "m.csv: row 1: scenario s1 of idm is repeated");
    CHECK(refusal({{"m.csv", "a,b\n1,2\n"}}).starts_with("m.csv: not scores"));
    CHECK(refusal({{"m.csv", ""}}) == "m.csv: no header");
  }

  TEST_CASE("many values of few bytes are refused before they take memory") {
    // A run of 2^27 booleans in six bytes.
    const std::string run("\x06\0\0\0\x80\x80\x80\x80\x01\x01", 10);
    const std::int64_t rows = std::int64_t{1} << 27U;
    const auto file = parquet_by_hand({{rows,
                                        {{"planner_name", 6, ""},
                                         {"scenario_id", 6, ""},
                                         {"a", 0, data_page(run, rows, 3)}}}});
    CHECK(refusal({{"m", file}}) == "m: too many rows (expected at most 2000000)");
    const std::string text = "planner_name,scenario_id,a,b\np,s,1,2\np,t,1,2\n";
    const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
    CHECK(ScoreColumns::read(bytes, 4).rows == 2);
    CHECK_THROWS_WITH_AS(ScoreColumns::read(bytes, 3),
                         "too many values (expected at most 16777216)", bev::Error);
  }

  TEST_CASE("truncated and damaged files are errors, or read") {
    const auto file = aggregator();
    for (std::size_t size = 4; size < file.size(); ++size) {
      CHECK_FALSE(refusal({{"m", file.substr(0, size)}}).empty());
    }
    std::mt19937 random(7);
    for (int i = 0; i < 3'000; ++i) {
      auto damaged = file;
      for (int k = 0; k < 3; ++k) {
        damaged[random() % file.size()] = static_cast<char>(random());
      }
      refusal({{"m", damaged}});
    }
  }
}

}  // namespace
}  // namespace score_tables_test
