#include "core/scene/dataset.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/engine/engine.hpp"
#include "tests/support/copy_scenes.hpp"
#include "tests/support/goldens.hpp"
#include "tests/support/memory_dataset.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/npz.hpp"
#include "tests/support/small_scenes.hpp"

using bev::Engine;
using bev::Errc;
using bev::Error;
using bev::Rows;
using bev::scene::Interval;
using bev::test::error_code;
using bev::test::FolderStore;
using bev::test::goldens;
using bev::test::MemoryDataset;
using bev::test::MemoryStore;
using bev::test::NpyArray;
using bev::test::run;
using bev::test::small_store;

namespace {

/// Returns the strings of a NumPy <U16 array. All goldens are ASCII.
std::string texts(const NpyArray& array) {
  std::string out;
  for (std::size_t i = 0; i < array.bytes.size(); i += 4) {
    const auto letter = static_cast<char>(array.bytes[i]);
    if (letter != '\0') out += letter;
  }
  return out;
}

/// Compares every array of a golden file with the result of rows(), byte by byte; of
/// agents only every `step`-th row.
void check_arrays(const std::string& name, std::int64_t step) {
  const auto folder = goldens();
  const FolderStore store(folder + "/inputs/" + name + ".zarr");
  Engine engine;
  std::size_t compared = 0;
  for (const auto& entry :
       bev::test::read_npz(folder + "/outputs/data/" + name + "_arrays.npz")) {
    const auto& key = entry.first;
    const auto& golden = entry.second;
    CAPTURE(key);
    const auto dot = key.find('.');
    const auto array = key.substr(0, dot);
    const auto field = key.substr(dot + 1);
    if (golden.count() == 0) continue;  // the three-array layout has no faces
    Rows rows{array == "tl_faces" ? "traffic_light_faces" : array};
    rows.fields = {field};
    if (array == "agents") rows.step = step;
    const auto query = engine.rows(rows);
    const auto got = run(engine, *query, store);
    CHECK(got[field].shape == golden.shape);
    if (got[field].dtype == "utf8") {
      CHECK(got.text(field) == texts(golden));
    } else {
      CHECK(got.values<std::byte>(field) == golden.bytes);
    }
    ++compared;
  }
  CHECK(compared >= 14);
}

/// Returns a copy of the store that also has agent_tracks.
MemoryStore with_tracks(const MemoryStore& store) {
  MemoryStore out;
  bev::scene::Copier copier(out, bev::test::description_of(store),
                            {.chunk_rows = {{"agent_tracks", 8}}, .tracks = true});
  bev::test::copy_scenes(store, copier, {0, 1});
  copier.close();
  return out;
}

/// Returns the bytes of frame 4 of scene 0, and the keys that it needs.
std::pair<std::string, std::set<std::string>> frame_of(const MemoryStore& store) {
  Engine engine;
  run(engine, *engine.open(), store);
  const auto query = engine.frame(0, 4);
  const auto got = run(engine, *query, store);
  std::string bytes;
  for (const auto& array : got.arrays) bytes += array.name + got.text(array.name);
  return {bytes, got.keys};
}

/// Changes the text of an array's metadata.
void replace(MemoryStore& store, const std::string& array, const std::string& from,
             const std::string& to) {
  const auto& bytes = store.objects.at(array + "/.zarray");
  std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  store.text(array + "/.zarray", text.replace(at, from.size(), to));
}

/// Returns the error of the summary of a store whose array has a wrong dtype.
std::string schema_error(const std::string& array, const std::string& from,
                         const std::string& to) {
  auto store = small_store();
  store.objects.erase(".zmetadata");
  auto& bytes = store.objects.at(array + "/.zarray");
  std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  for (auto at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  store.text(array + "/.zarray", text);
  Engine engine;
  try {
    run(engine, *engine.summary(), store);
  } catch (const Error& error) {
    CHECK(error.code() == Errc::invalid_metadata);
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_SUITE("scene/dataset") {
  TEST_CASE("every field of single_scene is read as the reference reads it") {
    BEV_REQUIRE_GOLDENS();
    check_arrays("single_scene", 50);
  }

  TEST_CASE("every field of multi_scene is read as the reference reads it") {
    BEV_REQUIRE_GOLDENS();
    check_arrays("multi_scene", 1);
  }

  TEST_CASE("every field of the three-array layout is read as the reference reads it") {
    BEV_REQUIRE_GOLDENS();
    check_arrays("old_format", 1);
  }

  TEST_CASE("frames of the three-array layout have agents and no lights") {
    BEV_REQUIRE_GOLDENS();
    const FolderStore store(goldens() + "/inputs/old_format.zarr");
    Engine engine;
    run(engine, *engine.open(), store);
    const auto query = engine.frame(0, 29);
    const auto frame = run(engine, *query, store);
    CHECK(frame.rounds == 3);
    CHECK(frame["agents.row"].shape[0] > 50);
    CHECK(frame["ego.trail"].shape[0] == 26);
    CHECK(frame["lights.state"].shape[0] == 0);
  }

  TEST_CASE("a missing or mistyped field is an error that names the expected type") {
    CHECK(schema_error("agents", "\"yaw\"", "\"jaw\"") ==
          "agents: field yaw not found (expected <f4)");
    CHECK(schema_error("agents", "<u8", "<i8") ==
          "agents: field track_id has the wrong type (found <i8, expected <u8)");
    CHECK(schema_error("scenes", "<U16", "|S64") ==
          "scenes: field host has the wrong type (found |S64, expected <U)");
  }

  TEST_CASE("big-endian fields are the same data set") {
    auto store = small_store();
    store.objects.erase(".zmetadata");
    auto& chunk = store.objects.at("scenes/0");
    for (std::size_t row = 0; row < 2; ++row) {  // frame_index_interval, byte-swapped
      const auto at = chunk.begin() + static_cast<std::ptrdiff_t>(row * 96);
      std::reverse(at, at + 8);
      std::reverse(at + 8, at + 16);
    }
    auto& bytes = store.objects.at("scenes/.zarray");
    std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    text.replace(text.find("<i8"), 3, ">i8");
    store.text("scenes/.zarray", text);
    Engine engine;
    const auto query = engine.frame(1, 3);
    CHECK(run(engine, *query, store).values<std::int64_t>("frame.index") ==
          std::vector<std::int64_t>{8});
  }

  TEST_CASE("an array that L5Kit requires is named when it is absent") {
    for (const std::string array : {"scenes", "frames", "agents"}) {
      CAPTURE(array);
      auto store = small_store();
      store.objects.erase(".zmetadata");
      store.objects.erase(array + "/.zarray");
      CHECK_THROWS_WITH_AS(
          MemoryDataset{store},
          (array + "/.zarray: not found (expected in an L5Kit data set)").c_str(),
          Error);
      CHECK(error_code([&] { MemoryDataset{store}; }) == Errc::missing_key);
    }
  }

  TEST_CASE("faces need their array and the frames' interval of them") {
    auto without_field = small_store();
    without_field.objects.erase(".zmetadata");
    replace(without_field, "frames", "traffic_light_faces_index_interval", "other");
    auto without_array = small_store();
    without_array.objects.erase(".zmetadata");
    without_array.objects.erase("traffic_light_faces/.zarray");
    for (const auto& store : {without_field, without_array}) {
      MemoryDataset data(store);
      CHECK_FALSE((*data).has_faces());
      CHECK((*data).face_count() == 0);
      CHECK((*data).faces_array() == nullptr);
      bev::scene::FaceColumns faces;
      faces.face_id.resize(99);
      CHECK(data.read([&](bev::store::Reader& reader) {
        return (*data).read_faces(reader, {0, 0}, faces);
      }));
      CHECK(faces.face_id.empty());
    }
    MemoryDataset with(small_store());
    CHECK((*with).has_faces());
    CHECK((*with).face_count() == 20);
  }

  TEST_CASE("the error of a mistyped field names both types and shapes") {
    CHECK(schema_error("scenes", "\"<i8\"", "\"<f8\"")
              .starts_with("scenes: field frame_index_interval has the wrong type "
                           "(found <f8 of shape 2, expected <i8 of shape 2)"));
  }

  TEST_CASE("every reader of rows gives its own fields of the same rows") {
    MemoryDataset data(small_store());
    bev::scene::AgentColumns agents;
    bev::scene::PoseColumns poses;
    bev::scene::TrackColumns tracks;
    bev::scene::SelectionColumns selected;
    std::vector<std::array<float, bev::scene::kLabelCount>> labels;
    std::vector<std::int64_t> times;
    std::vector<Interval> intervals;
    const Interval rows{7, 9};  // of two chunks
    data.read([&](bev::store::Reader& reader) {
      const bool a = (*data).read_agents(reader, rows, agents);
      const bool b = (*data).read_poses(reader, rows, poses);
      const bool c = (*data).read_tracks(reader, rows, tracks);
      const bool d = (*data).read_selection_columns(reader, rows, selected);
      const bool e = (*data).read_labels(reader, rows, labels);
      const bool f = (*data).read_timestamps(reader, rows, times);
      const bool g = (*data).read_agent_intervals(reader, rows, intervals);
      return a && b && c && d && e && f && g;
    });
    CHECK(agents.track_id == std::vector<std::uint64_t>{2, 3});
    CHECK(poses.track_id == agents.track_id);
    CHECK(tracks.centroid == agents.centroid);
    CHECK(selected.extent == agents.extent);
    CHECK(selected.label_probabilities == labels);
    CHECK(labels[1][14] == 0.25F);
    CHECK(agents.centroid[0] == std::array<double, 2>{4, 1});
    CHECK(times == std::vector<std::int64_t>{700'000'000, 800'000'000});
    CHECK(intervals == std::vector<Interval>{{21, 24}, {24, 27}});
  }

  TEST_CASE("trails are read from agent_tracks, other values from agents") {
    const auto plain = small_store();
    const auto copy = with_tracks(plain);
    const auto [frame, keys] = frame_of(copy);
    CHECK(frame == frame_of(plain).first);
    CHECK(keys.contains("agent_tracks/1"));
    CHECK(keys.contains("agents/1"));
    CHECK_FALSE(keys.contains("agents/0"));

    auto lacking = copy;
    lacking.objects.erase("agent_tracks/1");
    CHECK(error_code([&] { frame_of(lacking); }) == Errc::missing_key);
  }

  TEST_CASE("agent_tracks of another length than agents is not used") {
    auto store = with_tracks(small_store());
    auto all = store.objects.at(".zmetadata");
    std::string text(reinterpret_cast<const char*>(all.data()), all.size());
    auto meta = nlohmann::json::parse(text);
    for (const auto& shape : {nlohmann::json{29}, nlohmann::json{30, 1}}) {
      auto& tracks = meta["metadata"]["agent_tracks/.zarray"];
      tracks["shape"] = shape;
      tracks["chunks"] = shape;
      store.text(".zmetadata", meta.dump());
      const auto [frame, keys] = frame_of(store);
      CHECK(frame == frame_of(small_store()).first);
      CHECK(keys.contains("agents/0"));
      CHECK_FALSE(keys.contains("agent_tracks/0"));
    }
  }

  TEST_CASE("rows outside of the array are out of range, an empty interval is not") {
    constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
    MemoryDataset data(small_store());
    const auto code = [&](Interval rows) {
      std::vector<std::int64_t> times;
      return error_code([&] {
        data.read([&](bev::store::Reader& reader) {
          return (*data).read_timestamps(reader, rows, times);
        });
      });
    };
    CHECK(code({0, 10}) == std::nullopt);
    CHECK(code({10, 10}) == std::nullopt);
    CHECK(code({9, 11}) == Errc::out_of_range);
    CHECK(code({11, 11}) == Errc::out_of_range);
    CHECK(code({kMax - 1, kMax}) == Errc::out_of_range);
  }

  TEST_CASE("more rows than fit a result are refused before memory is allocated") {
    auto store = small_store();
    store.objects.erase(".zmetadata");
    replace(store, "agents", "30", "20000000");
    MemoryDataset data(store);
    bev::scene::AgentColumns agents;
    CHECK(error_code([&] {
            data.read([&](bev::store::Reader& reader) {
              return (*data).read_agents(reader, {0, 20'000'000}, agents);
            });
          }) == Errc::limit_exceeded);
    CHECK(agents.track_id.capacity() == 0);
  }

  TEST_CASE("rows of the same chunks end with the chunk, or with the array") {
    MemoryDataset data(small_store());  // 10 frames in chunks of 4
    CHECK((*data).frames_in_same_chunks({0, 1}) == Interval{0, 4});
    CHECK((*data).frames_in_same_chunks({3, 4}) == Interval{0, 4});
    CHECK((*data).frames_in_same_chunks({3, 5}) == Interval{0, 8});
    CHECK((*data).frames_in_same_chunks({8, 9}) == Interval{8, 10});
    CHECK((*data).frames_in_same_chunks({0, 10}) == Interval{0, 10});
    MemoryDataset one(small_store({.frames_per_chunk = 1'000'000}));
    CHECK((*one).frames_in_same_chunks({9, 10}) == Interval{0, 10});
  }

  TEST_CASE("interval fields name their arrays and the length they must fit") {
    MemoryDataset data(small_store());
    const auto frames = (*data).frames_of_scenes();
    CHECK(frames.array == "scenes");
    CHECK(frames.field == "frame_index_interval");
    CHECK(frames.target == "frames");
    CHECK(frames.length == 10);
    CHECK((*data).agents_of_frames().length == 30);
    CHECK((*data).faces_of_frames().length == 20);
    CHECK((*data).faces_of_frames().target == "traffic_light_faces");
  }

  TEST_CASE("an array of more axes is refused") {
    auto store = small_store();
    store.objects.erase(".zmetadata");
    replace(store, "agents", "\"shape\": [", "\"shape\": [1, ");
    replace(store, "agents", "\"chunks\": [", "\"chunks\": [1, ");
    CHECK_THROWS_WITH_AS(MemoryDataset{store},
                         "agents: wrong number of axes (found 2, expected 1)", Error);
  }
}
