#include "core/scene/summary.hpp"

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

TEST_SUITE("scene/summary") {
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
}
