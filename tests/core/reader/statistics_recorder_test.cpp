#include "core/reader/statistics_recorder.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "core/engine/engine.hpp"
#include "core/scan/statistics_query.hpp"
#include "core/scene/copier.hpp"
#include "tests/support/copy_scenes.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/small_scenes.hpp"

using bev::Error;
using bev::reader::StatisticsRecorder;
using bev::test::MemoryStore;

namespace {

/// Copies the small data set's chunks into a recorder.
StatisticsRecorder recorded(MemoryStore& out) {
  StatisticsRecorder recorder;
  const auto small = bev::test::small_store();
  bev::scene::Copier copier(out, bev::test::description_of(small),
                            {.chunk_rows = {{"agents", 7}}},
                            [&](const auto& array, const auto& chunk) {
                              recorder.add(array.path(), array.meta(),
                                           {chunk.number, chunk.rows, chunk.encoded});
                            });
  bev::test::copy_scenes(small, copier, {0, 1});
  copier.close();
  return recorder;
}

}  // namespace

TEST_SUITE("reader/statistics_recorder") {
  TEST_CASE("recorded statistics are those of the written store") {
    MemoryStore store;
    const auto recorder = recorded(store);
    bev::Engine engine;
    const auto query = engine.statistics({});
    while (query->next()) bev::test::run(engine, *query, store);
    const auto text = recorder.to_json(1 << 20);
    REQUIRE(text.has_value());
    CHECK(*text == query->statistics().to_json());
  }

  TEST_CASE("too large statistics are absent") {
    MemoryStore store;
    const auto recorder = recorded(store);
    CHECK_FALSE(recorder.to_json(100).has_value());
  }

  TEST_CASE("arrays with divided rows are left out, partial rows refused") {
    StatisticsRecorder recorder;
    bev::zarr::ArrayMeta meta;
    meta.shape = {2, 2};
    meta.chunks = {2, 1};
    meta.dtype = bev::zarr::parse_dtype(nlohmann::json("<i2"), "test");
    const std::vector<std::byte> bytes(8);
    recorder.add("a", meta, {0, std::span(bytes).first(4), bytes});
    CHECK(recorder.to_json(1000) == bev::reader::Statistics().to_json());
    meta.chunks = {2, 2};
    recorder.add("b", meta, {0, bytes, bytes});
    const auto text = recorder.to_json(1000);
    REQUIRE(text);
    const auto found = bev::reader::Statistics::parse(*text);
    CHECK(found.range("b", 0, "", 1).has_value());
    CHECK_FALSE(found.range("b", 0, "", 2).has_value());
    meta.shape = {4};
    meta.chunks = {4};
    CHECK_THROWS_AS(recorder.add("a", meta, {0, std::span(bytes).first(7), bytes}),
                    Error);
  }
}
