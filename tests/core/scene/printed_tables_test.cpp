#include "core/scene/printed_tables.hpp"

#include <doctest/doctest.h>

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
      CHECK(summary.rounds == 2);
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
}
