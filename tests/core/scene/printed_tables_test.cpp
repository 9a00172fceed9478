#include "core/scene/printed_tables.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/engine.hpp"
#include "tests/support/files.hpp"
#include "tests/support/goldens.hpp"
#include "tests/support/memory_store.hpp"

using bev::scene::summary_table;
using bev::scene::text_table;

namespace {

/// Returns the values of the table, without blanks.
std::vector<std::string> cells(const std::string& table) {
  std::vector<std::string> out;
  std::string cell;
  const auto line = table.rfind('\n', table.rfind('\n') - 1) + 1;
  for (const char c : table.substr(line, table.rfind('\n') - line)) {
    if (c == '|') {
      out.push_back(std::exchange(cell, {}));
    } else if (c != ' ') {
      cell += c;
    }
  }
  out.erase(out.begin());  // left of the first bar
  return out;
}

}  // namespace

TEST_SUITE("scene/printed_tables") {
  TEST_CASE("cells are centred in the widest of their column") {
    CHECK(text_table({{"past/future", "0"}, {"10", "123"}, {"5", "12"}}) ==
          "+-------------+-----+\n"
          "| past/future |  0  |\n"
          "+-------------+-----+\n"
          "|      10     | 123 |\n"
          "|      5      |  12 |\n"
          "+-------------+-----+");
  }

  TEST_CASE("a table of titles alone has no rows") {
    CHECK(text_table({{"a"}}) == "+---+\n| a |\n+---+\n+---+");
  }

  TEST_CASE("the table is the reference's, to the character") {
    BEV_REQUIRE_GOLDENS();
    using bev::test::goldens;
    const auto tables = nlohmann::json::parse(
        bev::test::read_text(goldens() + "/outputs/data/str_tables.json"));
    CHECK(tables.size() == 3);
    for (const auto& entry : tables.items()) {
      const auto& name = entry.key();
      const auto& golden = entry.value();
      CAPTURE(name);
      const bev::test::FolderStore store(goldens() + "/inputs/" + name);
      bev::Engine engine;
      const auto query = engine.summary();
      const auto summary = run(engine, *query, store);
      // An array that is absent by itself may be described by .zmetadata.
      CHECK(summary.rounds == (name.starts_with("old") ? 3 : 2));
      CHECK(summary.text("table") == golden["str"].get<std::string>());
    }
  }

  TEST_CASE("an empty data set has a table") {
    CHECK(cells(summary_table({}, {})) ==
          std::vector<std::string>{"0", "0", "0", "0", "0.00", "0.00", "0.00", "0.00",
                                   "10.00"});
  }

  TEST_CASE("the frequency is the mean of those between neighbours") {
    const std::vector<std::int64_t> times{0, 100'000'000, 300'000'000};
    const auto values = cells(summary_table({1, 3, 6, 0}, times));
    CHECK(values[8] == "7.50");
    CHECK(values[7] == "0.40");
    CHECK(values[6] == "2.00");
  }

  TEST_CASE("a value wider than its title widens the column") {
    const auto table = summary_table({1, 2, 123'456'789'012, 0}, {});
    CHECK(table.find("| 123456789012 |") != std::string::npos);
    CHECK(table.find("|  Num Agents  |") != std::string::npos);
  }

  TEST_CASE("rules, rejects and the table stand one under the other") {
    bev::scene::SelectionReport report;
    report.agent_filter_probability_threshold = 3;
    report.av_distance = 2;
    report.hole = 1;
    report.yaw = 4;
    report.extent = 5;
    report.total_reject = 15;
    report.total_agent_frames = 99;
    bev::scene::PastFutureTable table;
    table.add(std::vector<std::uint32_t>{0, 0, 10, 30});
    CHECK(bev::scene::selection_text({}, report, table) ==
          "th_agent_filter_probability_threshold         0.5\n"
          "th_yaw_degree                                 30.0\n"
          "th_extent_ratio                               1.1\n"
          "th_distance_av                                50.0\n"
          "reject_th_agent_filter_probability_threshold  3\n"
          "reject_th_AV_distance                         2\n"
          "reject_th_hole                                1\n"
          "reject_th_yaw                                 4\n"
          "reject_th_extent                              5\n"
          "total_reject                                  15\n"
          "total_agent_frames                            99\n"
          "+-------------+---+----+----+----+\n"
          "| past/future | 0 | 10 | 30 | 50 |\n"
          "+-------------+---+----+----+----+\n"
          "|      0      | 2 | 1  | 1  | 0  |\n"
          "|      10     | 1 | 1  | 1  | 0  |\n"
          "|      30     | 0 | 0  | 0  | 0  |\n"
          "|      50     | 0 | 0  | 0  | 0  |\n"
          "+-------------+---+----+----+----+\n");
  }

  TEST_CASE("rows of a table may be narrower or wider than its titles") {
    CHECK(text_table({{"ab", "c"}, {"", "defg"}}) ==
          "+----+------+\n"
          "| ab |  c   |\n"
          "+----+------+\n"
          "|    | defg |\n"
          "+----+------+");
  }

  TEST_CASE("one timestamp has no frequency, so the usual one is taken") {
    const std::vector<std::int64_t> times{123};
    const auto values = cells(summary_table({1, 1, 0, 0}, times));
    CHECK(values[8] == "10.00");
    CHECK(values[7] == "0.10");
  }

  TEST_CASE(
      "a frequency below one hertz counts as one in the total time, as in L5Kit") {
    const std::vector<std::int64_t> times{0, 2'000'000'000};  // half a hertz
    const auto values = cells(summary_table({1, 7200, 0, 0}, times));
    CHECK(values[8] == "0.50");
    CHECK(values[4] == "2.00");      // hours of 7200 frames at one hertz
    CHECK(values[7] == "14400.00");  // seconds per scene at half a hertz
  }

  TEST_CASE("timestamps that stand still or overflow give a table all the same") {
    constexpr auto kFirst = std::numeric_limits<std::int64_t>::min();
    constexpr auto kLast = std::numeric_limits<std::int64_t>::max();
    CHECK(cells(summary_table({1, 2, 0, 0}, std::vector<std::int64_t>{5, 5}))[8] ==
          "inf");
    // The difference wraps around to -1 ns.
    CHECK(cells(summary_table({1, 2, 0, 0},
                              std::vector<std::int64_t>{kFirst, kLast}))[8] ==
          "-1000000000.00");
  }

  TEST_CASE("counts up to the largest number fit the table") {
    constexpr auto kMax = std::numeric_limits<std::uint64_t>::max();
    const auto values = cells(summary_table({kMax, kMax, kMax, kMax}, {}));
    CHECK(values[0] == "18446744073709551615");
    CHECK(values[3] == "18446744073709551615");
    CHECK(values[5] == "1.00");
  }

  TEST_CASE("infinite rules are spelled as Python does") {
    bev::scene::SelectionRules rules;
    rules.max_distance_to_ego = std::numeric_limits<double>::infinity();
    rules.label_threshold = 1e-7;
    const auto text = bev::scene::selection_text(rules, {}, {});
    CHECK(text.find("th_distance_av                                inf\n") !=
          std::string::npos);
    CHECK(text.find("th_agent_filter_probability_threshold         1e-07\n") == 0);
    CHECK(text.ends_with("+\n"));
  }
}
