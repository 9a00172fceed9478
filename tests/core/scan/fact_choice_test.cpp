#include "core/scan/fact_choice.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "core/base/error.hpp"
#include "core/engine/engine.hpp"
#include "core/scan/facts_query.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/small_scenes.hpp"

using bev::Engine;
using bev::FactChoice;
using bev::test::run;
using bev::test::small_store;

namespace {

using Columns = std::vector<std::span<const std::byte>>;

/// Returns the columns of both scenes' tracks; they point into the query.
Columns tracks_of(bev::FactsQuery& query, Engine& engine,
                  const bev::test::MemoryStore& store) {
  query.seek(0);
  run(engine, query, store);
  query.add(1);
  run(engine, query, store);
  const auto& columns = query.tracks().columns;
  return {columns.begin(), columns.end()};
}

}  // namespace

TEST_SUITE("scan/fact_choice") {
  TEST_CASE("all columns of the rows that pass are returned") {
    const auto store = small_store();
    Engine engine;
    const auto query = engine.facts();
    const auto columns = tracks_of(*query, engine, store);
    FactChoice choice("tracks", "scene == 1 and track_id > 1");
    const auto found = choice.select(columns);
    REQUIRE(found.size() == columns.size());
    CHECK(found[0].name == "tracks.scene");
    CHECK(found[1].name == "tracks.track_id");
    CHECK(found[1].shape[0] == 2);
    FactChoice all("tracks", "");
    const auto whole = all.select(columns);
    for (std::size_t i = 0; i < whole.size(); ++i) {
      CHECK(std::equal(whole[i].bytes.begin(), whole[i].bytes.end(), columns[i].begin(),
                       columns[i].end()));
    }
  }

  TEST_CASE("columns of another length are an error") {
    const auto store = small_store();
    Engine engine;
    const auto query = engine.facts();
    auto columns = tracks_of(*query, engine, store);
    FactChoice choice("tracks", "");
    auto fewer = columns;
    fewer.pop_back();
    CHECK_THROWS_AS(choice.select(fewer), bev::Error);
    CHECK_THROWS_AS(choice.select({}), bev::Error);
    columns[2] = columns[2].first(1);
    CHECK_THROWS_WITH_AS(choice.select(columns),
                         "facts: wrong size of label (found 1 bytes, expected 6)",
                         bev::Error);
  }

  TEST_CASE("an invalid filter is an error with its column") {
    CHECK_THROWS_WITH_AS(FactChoice("scenes", "nonsense > 2"),
                         doctest::Contains("column 1"), bev::Error);
    CHECK_THROWS_AS(FactChoice("rows", ""), bev::Error);
  }
}
