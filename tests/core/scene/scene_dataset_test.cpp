#include "core/scene/scene_dataset.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/engine/engine.hpp"
#include "tests/support/goldens.hpp"
#include "tests/support/memory_dataset.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/npz.hpp"
#include "tests/support/small_scenes.hpp"

using bev::Engine;
using bev::Errc;
using bev::Error;
using bev::scene::Interval;
using bev::scene::SceneDataset;
using bev::test::error_code;
using bev::test::MemoryDataset;
using bev::test::run;
using bev::test::small_store;
using Pairs = std::vector<std::int64_t>;

namespace {

using Flags = std::vector<bool>;

SceneDataset read(MemoryDataset& data, std::uint64_t number) {
  SceneDataset scene;
  data.read(
      [&](bev::store::Reader& reader) { return scene.read(reader, *data, number); });
  return scene;
}

/// AbsentParts of all frames, by part.
struct Absent {
  Flags frames, agents, faces;
};

Absent absent(MemoryDataset& data, std::uint64_t number) {
  SceneDataset scene;
  const auto parts =
      *data.read([&](bev::store::Reader& reader)
                     -> std::optional<std::vector<bev::scene::AbsentParts>> {
        if (!scene.read(reader, *data, number)) return std::nullopt;
        return absent_parts(reader, *data, scene);
      });
  Absent out;
  for (const auto& part : parts) {
    out.frames.push_back(part.frame);
    out.agents.push_back(part.agents);
    out.faces.push_back(part.faces);
  }
  return out;
}

}  // namespace

TEST_SUITE("scene/scene_dataset") {
  TEST_CASE("a scene by itself is the reference's get_scene_dataset") {
    BEV_REQUIRE_GOLDENS();
    const auto folder = bev::test::goldens();
    const bev::test::FolderStore store(folder + "/inputs/multi_scene.zarr");
    Engine engine;
    const auto query = engine.scene(2);
    const auto scene = run(engine, *query, store);
    std::size_t compared = 0;
    for (const auto& entry :
         bev::test::read_npz(folder + "/outputs/data/scene_dataset_2.npz")) {
      const auto& key = entry.first;
      const auto& golden = entry.second;
      CAPTURE(key);
      const auto name =
          key.starts_with("tl_faces") ? "traffic_light_faces" + key.substr(8) : key;
      CHECK(scene[name].shape == golden.shape);
      if (scene[name].dtype == "utf8") continue;  // compared in scene/dataset
      CHECK(scene.values<std::byte>(name) == golden.bytes);
      ++compared;
    }
    CHECK(compared == 15);
  }

  TEST_CASE("intervals count from the scene's own first rows") {
    const auto store = small_store();
    Engine engine;
    const auto query = engine.scene(1);
    const auto scene = run(engine, *query, store);
    CHECK(scene.values<std::int64_t>("scenes.frame_index_interval") == Pairs{0, 5});
    CHECK(scene.text("scenes.host") == "host-1");
    CHECK(scene.values<std::int64_t>("frames.agent_index_interval") ==
          Pairs{0, 3, 3, 6, 6, 9, 9, 12, 12, 15});
    CHECK(scene.values<std::uint64_t>("agents.track_id").size() == 15);
    CHECK(scene["traffic_light_faces.face_id"].shape[0] == 10);
  }

  TEST_CASE("a scene that is not there is named") {
    const auto store = small_store();
    Engine engine;
    CHECK_THROWS_WITH_AS(run(engine, *engine.scene(2), store),
                         "scene 2 is out of range (count 2)", Error);
  }

  TEST_CASE("rows of the data set are remembered next to the scene's own") {
    MemoryDataset data(small_store());
    const auto scene = read(data, 1);
    CHECK(scene.frame_rows == Interval{5, 10});
    CHECK(scene.agent_rows == Interval{15, 30});
    CHECK(scene.face_rows == Interval{10, 20});
    CHECK(scene.frames.traffic_light_faces_index_interval[1] == Interval{2, 4});
    CHECK(scene.agents.track_id.size() == 15);
    CHECK(scene.faces.size() == 10);
  }

  TEST_CASE("a scene of the three-array layout has no faces") {
    auto store = small_store();
    store.objects.erase(".zmetadata");
    store.objects.erase("traffic_light_faces/.zarray");
    MemoryDataset data(store);
    const auto scene = read(data, 1);
    CHECK(scene.face_rows == Interval{});
    CHECK(scene.faces.size() == 0);
    CHECK(scene.frames.traffic_light_faces_index_interval == std::vector<Interval>(5));
    CHECK(absent(data, 1).agents == Flags(5, false));
    CHECK(absent(data, 1).faces == Flags(5, false));
  }

  TEST_CASE("memory of another scene leaves nothing behind") {
    MemoryDataset data(small_store());
    SceneDataset scene;
    for (const std::uint64_t number : {1U, 0U}) {
      data.read([&](bev::store::Reader& reader) {
        return scene.read(reader, *data, number);
      });
    }
    CHECK(scene.frame_rows == Interval{0, 5});
    CHECK(scene.frames.agent_index_interval.front() == Interval{0, 3});
    CHECK(scene.agents.centroid[0][0] == 0);
  }

  TEST_CASE("hostile intervals are damage, before memory is allocated by them") {
    constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
    const auto code = [](const std::string& key, std::size_t at, Interval hostile) {
      auto store = small_store();
      std::memcpy(store.objects.at(key).data() + at, &hostile, sizeof hostile);
      MemoryDataset data(store);
      return error_code([&] { read(data, 0); });
    };
    CHECK(code("scenes/0", 0, {0, kMax}) == Errc::corrupt_chunk);
    CHECK(code("scenes/0", 0, {-1, 3}) == Errc::corrupt_chunk);
    CHECK(code("scenes/0", 0, {3, 2}) == Errc::corrupt_chunk);
    CHECK(code("frames/0", 8, {0, kMax}) == Errc::corrupt_chunk);
    CHECK(code("frames/0", 8, {0, 4}) == Errc::corrupt_chunk);      // overlaps the next
    CHECK(code("frames/0", 24, {0, kMax}) == Errc::corrupt_chunk);  // of faces
    CHECK(code("frames/0", 24, {1, 0}) == Errc::corrupt_chunk);
    CHECK(code("scenes/0", 0, {2, 2}) == std::nullopt);  // a scene without frames
  }

  TEST_CASE("no part of a complete scene is absent") {
    MemoryDataset data(small_store());
    for (const std::uint64_t scene : {0U, 1U}) {
      const auto parts = absent(data, scene);
      CHECK(parts.frames == Flags(5, false));
      CHECK(parts.agents == Flags(5, false));
      CHECK(parts.faces == Flags(5, false));
    }
  }

  TEST_CASE("an absent chunk is of every frame with rows in it, in both scenes") {
    auto store = small_store();
    store.objects.erase("agents/1");               // rows 8 to 15
    store.objects.erase("traffic_light_faces/1");  // rows 8 to 15
    MemoryDataset data(store);
    CHECK(absent(data, 0).agents == Flags{false, false, true, true, true});
    CHECK(absent(data, 0).faces == Flags{false, false, false, false, true});
    CHECK(absent(data, 1).agents == Flags{true, false, false, false, false});
    CHECK(absent(data, 1).faces == Flags{true, true, true, false, false});
    CHECK(absent(data, 1).frames == Flags(5, false));
  }

  TEST_CASE("the last chunk of an array may be absent, though it is not full") {
    auto store = small_store();
    store.objects.erase("agents/3");  // rows 24 to 29, and padding
    MemoryDataset data(store);
    CHECK(absent(data, 1).agents == Flags{false, false, false, true, true});
  }

  TEST_CASE("frames without agents are in no absent chunk") {
    MemoryDataset data(small_store({.agents = 0}));
    CHECK(absent(data, 1).agents == Flags(5, false));
    CHECK(absent(data, 1).faces == Flags(5, false));
  }

  TEST_CASE("absent frames read as frames without agents") {
    auto store = small_store({.scenes = 1, .agents = 0, .frames_per_chunk = 2});
    store.objects.erase("frames/1");
    store.objects.erase("traffic_light_faces/.zarray");
    store.objects.erase(".zmetadata");
    MemoryDataset data(store);
    CHECK(absent(data, 0).frames == Flags{false, false, true, true, false});
    CHECK(read(data, 0).frames.timestamp[2] == 0);
    CHECK(read(data, 0).frames.timestamp[4] == 400'000'000);
  }
}
