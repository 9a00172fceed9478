#include "core/scene/scene_records.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/scene/writer.hpp"
#include "tests/support/memory_dataset.hpp"
#include "tests/support/small_scenes.hpp"

using bev::Errc;
using bev::Error;
using bev::scene::chop;
using bev::scene::Interval;
using bev::scene::SceneRecords;
using bev::test::error_code;
using bev::test::MemoryDataset;
using bev::test::MemoryStore;
using bev::test::small_store;

namespace {

SceneRecords records_at(const MemoryStore& store, std::uint64_t scene) {
  MemoryDataset data(store);
  bev::scene::SceneDataset columns;
  data.read(
      [&](bev::store::Reader& reader) { return columns.read(reader, *data, scene); });
  return records_of(columns, *data);
}

/// Returns a data set with a scene, after one of a frame, agent and face, so that rows
/// of the data set differ from rows of the scene.
MemoryStore store_with(const SceneRecords& records) {
  MemoryStore store;
  bev::scene::WriterOptions options;
  options.codec = "none";
  bev::scene::Writer writer(store, options);
  SceneRecords first;
  first.scene.frame_index_interval = {0, 1};
  first.frames.resize(1);
  first.frames[0].agent_index_interval = {0, 1};
  first.frames[0].traffic_light_faces_index_interval = {0, 1};
  first.agents.resize(1);
  first.faces.resize(1);
  append_scene(writer, first);
  append_scene(writer, records);
  writer.close();
  return store;
}

/// A scene in which every field of every record has a value of its own.
SceneRecords full_scene() {
  SceneRecords out;
  out.scene = {{0, 2}, "h\xc3\xb4te-0123456789a", -5, 7'000'000'000};  // 16 characters
  out.frames.resize(2);
  out.frames[0] = {11, {0, 1}, {0, 0}, {1, 2, 3}, {9, 8, 7, 6, 5, 4, 3, 2, 1}};
  out.frames[1] = {12, {1, 3}, {0, 2}, {4, 5, 6}, {1, 2, 3, 4, 5, 6, 7, 8, 9}};
  for (std::uint64_t i = 0; i < 3; ++i) {
    const auto number = static_cast<float>(i);
    bev::scene::Agent agent{{number, -number}, {4, number, 1}, number / 7,
                            {number, 3},       i << 40,        {}};
    agent.label_probabilities[16] = number / 3;
    out.agents.push_back(agent);
  }
  out.faces = {{"red", "light", {1, 0, 0}}, {"", "0123456789abcdef", {0, 0.5F, 2}}};
  return out;
}

void check_equal(const SceneRecords& found, const SceneRecords& expected) {
  CHECK(found.scene == expected.scene);
  CHECK(found.frames == expected.frames);
  CHECK(found.agents == expected.agents);
  CHECK(found.faces == expected.faces);
}

}  // namespace

TEST_SUITE("scene/scene_records") {
  TEST_CASE("every field of a scene's records is read as it was written") {
    check_equal(records_at(store_with(full_scene()), 1), full_scene());
  }

  TEST_CASE("records count from the scene's first frame, agent and face") {
    const auto records = records_at(small_store(), 1);
    CHECK(records.scene.frame_index_interval == Interval{0, 5});
    CHECK(records.scene.host == "host-1");
    CHECK(records.frames.at(0).agent_index_interval == Interval{0, 3});
    CHECK(records.frames.at(4).agent_index_interval == Interval{12, 15});
    CHECK(records.frames.at(4).traffic_light_faces_index_interval == Interval{8, 10});
    CHECK(records.agents.at(14) == bev::test::small_agent(1, 4, 2));
    CHECK(records.faces.at(9).face_id == "green");
  }

  TEST_CASE("a scene without frames has no records but its own") {
    SceneRecords empty;
    empty.scene.host = "nobody";
    check_equal(records_at(store_with(empty), 1), empty);
  }

  TEST_CASE("the three-array layout has records without faces") {
    auto store = small_store();
    store.objects.erase(".zmetadata");
    store.objects.erase("traffic_light_faces/.zarray");
    const auto records = records_at(store, 1);
    CHECK(records.frames.size() == 5);
    CHECK(records.agents.size() == 15);
    CHECK(records.faces.empty());
    CHECK(records.frames[3].traffic_light_faces_index_interval == Interval{});
  }

  TEST_CASE("a scene is chopped to its first frames and what belongs to them") {
    auto records = records_at(small_store(), 1);
    const auto whole = records;
    chop(records, 2);
    CHECK(records.frames.size() == 2);
    CHECK(records.agents.size() == 6);
    CHECK(records.faces.size() == 4);
    CHECK(records.scene.frame_index_interval == Interval{0, 2});
    CHECK(records.scene.start_time == whole.scene.start_time);
    CHECK(records.scene.end_time == whole.scene.end_time);
    CHECK(records.frames.back() == whole.frames[1]);
    CHECK(records.agents.back() == whole.agents[5]);
    CHECK(records.faces.back() == whole.faces[3]);
  }

  TEST_CASE("a chopped scene keeps one frame at least, and all but one at most") {
    auto records = records_at(small_store(), 0);
    chop(records, 4);
    CHECK(records.agents.size() == 12);
    chop(records, 1);
    CHECK(records.frames.size() == 1);
    CHECK(records.agents.size() == 3);
    CHECK(records.faces.size() == 2);
    CHECK(error_code([&] { chop(records, 1); }) == Errc::invalid_argument);
  }

  TEST_CASE("frames without agents or faces leave none") {
    auto records = full_scene();
    records.frames[0].agent_index_interval = {0, 0};
    records.frames[1].agent_index_interval = {0, 3};
    chop(records, 1);
    CHECK(records.agents.empty());
    CHECK(records.faces.empty());
  }

  TEST_CASE("a chopped scene is a data set again") {
    auto records = full_scene();
    chop(records, 1);
    check_equal(records_at(store_with(records), 1), records);
  }

  TEST_CASE("a scene is not chopped to nothing, nor to more than it has") {
    auto records = records_at(small_store(), 0);
    CHECK_THROWS_WITH_AS(
        chop(records, 5),
        "chop: too few frames in a scene (found 5, expected more than 5)", Error);
    CHECK_THROWS_WITH_AS(chop(records, 0), "chop: frame count must not be 0", Error);
    constexpr auto kMax = std::numeric_limits<std::uint64_t>::max();
    CHECK(error_code([&] { chop(records, kMax); }) == Errc::invalid_argument);
    CHECK(records.frames.size() == 5);
    CHECK(records.agents.size() == 15);
  }
}
