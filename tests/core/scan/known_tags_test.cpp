#include "core/scan/known_tags.hpp"

#include <doctest/doctest.h>

#include <string>

#include "core/base/error.hpp"
#include "core/engine/engine.hpp"
#include "core/scan/fact_choice.hpp"
#include "core/scan/facts_query.hpp"
#include "core/scan/reader_query.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/small_scenes.hpp"

namespace known_tags_test {

using bev::Engine;
using bev::test::MemoryStore;
using bev::test::run;

namespace {

MemoryStore tagged_store(std::string_view scenes) {
  auto store = bev::test::small_store({.scenes = 3});
  const auto attributes = "{\"bevscope\": {\"scenes\": " + std::string(scenes) + "}}";
  store.text(".zattrs", attributes);
  return store;
}

/// Returns the number of rows that pass.
std::size_t count(const MemoryStore& store, const std::string& table,
                  const std::string& where) {
  Engine engine;
  const auto query = engine.reader(R"({"from": ")" + table + R"(", "where": ")" +
                                   where + R"(", "fields": ["row"]})");
  std::size_t out = 0;
  for (query->advance(); run(engine, *query, store), !query->at_end();
       query->advance()) {
    out += query->batch_size();
  }
  return out;
}

constexpr const char* kTags = R"([{"tags": {"a": [0]}}, {}, {"tags": {"a": [1]}}])";

}  // namespace

TEST_SUITE("scan/known_tags") {
  TEST_CASE("readers choose rows of all tables by the tags of their scenes") {
    const auto store = tagged_store(kTags);
    CHECK(count(store, "scenes", "has_tag('a')") == 2);
    CHECK(count(store, "frames", "has_tag('a')") == 10);
    CHECK(count(store, "frames", "not has_tag('a') and frame > 0") == 4);
    CHECK(count(store, "agents", "has_tag('a') and track_id == 1") == 10);
    CHECK(count(store, "traffic_light_faces", "has_tag('a') or scene == 1") == 30);
  }

  TEST_CASE("facts are chosen by tags once the metadata is read") {
    const auto store = tagged_store(kTags);
    Engine engine;
    CHECK_THROWS_WITH_AS(engine.tags(), "tags: the metadata is not read", bev::Error);
    const auto query = engine.facts();
    for (std::uint64_t scene = 0; scene < 3; ++scene) {
      scene == 0 ? query->seek(scene) : query->add(scene);
      run(engine, *query, store);
    }
    run(engine, *engine.open(), store);
    bev::FactChoice choice("scenes", "has_tag('a')", [&] { return engine.tags(); });
    const auto& columns = query->scenes().columns;
    const std::vector<std::span<const std::byte>> views(columns.begin(), columns.end());
    CHECK(choice.select(views)[0].shape[0] == 2);
  }

  TEST_CASE("attributes of another number of scenes are refused") {
    const auto store = tagged_store(R"([{"tags": {"a": []}}])");
    CHECK_THROWS_WITH_AS(count(store, "frames", "has_tag('a')"),
                         doctest::Contains("found 1, expected 3"), bev::Error);
    CHECK(count(store, "frames", "scene == 1") == 5);
  }
}

}  // namespace known_tags_test
