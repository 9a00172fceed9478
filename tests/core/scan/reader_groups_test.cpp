#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/engine/engine.hpp"
#include "core/scan/reader_query.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/random_scenes.hpp"
#include "tests/support/reader_plans.hpp"

namespace reader_groups_test {

using bev::Engine;
using bev::Errc;
using namespace bev::test;
using nlohmann::json;

namespace {

/// Returns the bytes of the batches from a reader's position on.
std::vector<std::string> rest_of(Engine& engine, bev::ReaderQuery& query,
                                 const MemoryStore& store) {
  std::vector<std::string> out;
  while (true) {
    query.advance();
    const auto batch = run(engine, query, store);
    if (query.at_end()) return out;
    out.emplace_back();
    for (const auto& array : batch.arrays) {
      out.back().append(reinterpret_cast<const char*>(array.bytes.data()),
                        array.bytes.size());
    }
  }
}

std::vector<std::string> batches_of(const MemoryStore& store, const json& plan,
                                    std::uint64_t part = 0, std::uint64_t parts = 1,
                                    std::uint64_t items = 0) {
  Engine engine;
  const auto query = engine.reader(plan.dump());
  query->split(part, parts);
  query->seek({0, items});
  return rest_of(engine, *query, store);
}

}  // namespace

TEST_SUITE("scan/reader_groups") {
  TEST_CASE("parts together have each batch once, in turns") {
    const auto data = random_scenes(3, 23, 20);
    for (const auto& plan : reader_plans()) {
      CAPTURE(plan.dump());
      for (const std::uint64_t items : {0U, 50U}) {
        const auto all = batches_of(data.store, plan, 0, 1, items);
        for (const std::uint64_t parts : {2U, 3U, 4U}) {
          for (std::uint64_t part = 0; part < parts; ++part) {
            std::vector<std::string> expected;
            for (auto i = part; i < all.size(); i += parts) {
              expected.push_back(all[static_cast<std::size_t>(i)]);
            }
            REQUIRE(batches_of(data.store, plan, part, parts, items) == expected);
          }
        }
      }
    }
  }

  TEST_CASE("a part's position includes the batches that others read") {
    const auto data = random_scenes(3, 23, 20);
    Engine engine;
    const auto query = engine.reader(R"({"batch": {"size": 7}})");
    query->split(1, 3);
    query->advance();
    run(engine, *query, data.store);
    CHECK(query->position().items == 14);
    query->advance();
    run(engine, *query, data.store);
    CHECK(query->position().items == 35);
    query->split(0, 1);
    query->advance();
    run(engine, *query, data.store);
    CHECK(query->position().items == 42);
  }

  TEST_CASE("chunks with rows of other parts alone are not read") {
    const auto data = random_scenes(3, 23, 20);
    auto store = data.store;
    // Rows 40 to 79 belong to the second batch of 40 rows.
    store.objects["agents/2"].clear();
    store.objects["agents/3"].clear();
    const json plan{{"batch", {{"size", 40}}}};
    CHECK(batches_of(store, plan, 0, 2) == batches_of(data.store, plan, 0, 2));
    CHECK(error_code([&] { batches_of(store, plan, 1, 2); }) == Errc::corrupt_chunk);
    // A filter on frames needs none of the agents either.
    const json filtered{{"where", "frame >= 0"}, {"batch", {{"size", 40}}}};
    CHECK(batches_of(store, filtered, 0, 2) == batches_of(data.store, filtered, 0, 2));
  }

  TEST_CASE("a part must be one of the parts") {
    Engine engine;
    const auto query = engine.reader("{}");
    CHECK(error_code([&] { query->split(2, 2); }) == Errc::invalid_argument);
    CHECK(error_code([&] { query->split(0, 0); }) == Errc::invalid_argument);
  }
}

}  // namespace reader_groups_test
