#include "core/scene/scene_dataset.hpp"

#include <doctest/doctest.h>

#include <string>

#include "core/base/error.hpp"
#include "core/engine/engine.hpp"
#include "tests/support/goldens.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/npz.hpp"
#include "tests/support/small_scenes.hpp"

using bev::Engine;
using bev::Error;
using bev::test::run;
using bev::test::small_store;
using Pairs = std::vector<std::int64_t>;

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
}
