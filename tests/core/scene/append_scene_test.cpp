#include "core/scene/append_scene.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "core/base/error.hpp"
#include "core/engine/engine.hpp"
#include "core/engine/records_query.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/small_scenes.hpp"

using bev::Engine;
using bev::Error;
using bev::scene::chop;
using bev::scene::SceneRecords;
using bev::test::MemoryStore;
using bev::test::run;
using bev::test::small_store;

namespace {

std::vector<SceneRecords> all_records(const MemoryStore& store) {
  Engine engine;
  const auto query = engine.scene_records();
  std::vector<SceneRecords> all;
  while (query->next()) {
    run(engine, *query, store);
    all.push_back(query->records());
  }
  return all;
}

bev::scene::WriterOptions small_chunks() {
  bev::scene::WriterOptions options;
  options.codec = "none";
  options.scenes_per_chunk = 4;
  options.frames_per_chunk = 4;
  options.agents_per_chunk = 8;
  options.faces_per_chunk = 8;
  return options;
}

}  // namespace

TEST_SUITE("scene/append_scene") {
  TEST_CASE("what is read scene by scene and appended is the data set again") {
    const auto store = small_store();
    MemoryStore copy;
    bev::scene::Writer writer(copy, small_chunks());
    for (const auto& records : all_records(store)) {
      bev::scene::append_scene(writer, records);
    }
    writer.close();
    CHECK(copy.objects == store.objects);
  }

  TEST_CASE("a scene is chopped to its first frames and what belongs to them") {
    auto records = all_records(small_store()).at(1);
    const auto whole = records;
    chop(records, 2);
    CHECK(records.frames.size() == 2);
    CHECK(records.agents.size() == 6);
    CHECK(records.faces.size() == 4);
    CHECK(records.scene.frame_index_interval == bev::scene::Interval{0, 2});
    CHECK(records.scene.end_time == whole.scene.end_time);
    CHECK(records.agents.back() == whole.agents[5]);
  }

  TEST_CASE("a scene of no more frames is not chopped") {
    auto records = all_records(small_store()).at(0);
    CHECK_THROWS_WITH_AS(chop(records, 5),
                         "chop: not enough frames, a scene has 5, expected more than 5 "
                         "and that at least 1",
                         Error);
    CHECK_THROWS_AS(chop(records, 0), Error);
    CHECK(records.frames.size() == 5);
  }
}
