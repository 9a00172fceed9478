#include "core/scan/patched_scenes.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "tests/support/both_datasets.hpp"
#include "tests/support/changed_scenes.hpp"
#include "tests/support/driven_scenes.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/patches.hpp"
#include "tests/support/random_patches.hpp"
#include "tests/support/rounds.hpp"
#include "tests/support/small_scenes.hpp"

namespace patched_scenes_test {

using bev::Engine;
using bev::Errc;
using bev::patched_scenes;
using bev::patch::Patch;
using bev::patch::read_patch;
using bev::scene::Overlay;
using bev::scene::SceneArrays;
using bev::test::Both;
using bev::test::ChangedScene;
using bev::test::Comparison;
using bev::test::driven_store;
using bev::test::error_code;
using bev::test::MemoryStore;
using bev::test::patch_json;
using bev::test::SceneRecords;
using bev::test::small_store;

namespace {

class StoreSource final : public bev::Source {
 public:
  explicit StoreSource(const MemoryStore& store) : store_(store) {}
  std::optional<std::vector<std::byte>> read(
      const std::string& key, const std::optional<bev::ByteRange>& range) override {
    const auto found = store_.objects.find(key);
    if (found == store_.objects.end()) return std::nullopt;
    return bev::test::part_of(found->second, range);
  }
  std::optional<std::uint64_t> size(const std::string& /*key*/) override {
    return std::nullopt;
  }

 private:
  const MemoryStore& store_;
};

std::shared_ptr<const Overlay> patched(const MemoryStore& store, const Patch& patch) {
  StoreSource source(store);
  Engine engine;
  return patched_scenes(engine, source, patch);
}

std::shared_ptr<SceneArrays> scene_in(const Overlay& overlay, std::uint64_t scene) {
  return std::make_shared<SceneArrays>(*overlay.find(scene));
}

/// Returns all scenes of the data set with an overlay.
std::vector<SceneRecords> records_with(const MemoryStore& store,
                                       std::shared_ptr<const Overlay> overlay) {
  Engine stored;
  auto engine = stored.with(std::move(overlay));
  const auto query = engine.scene_records();
  std::vector<SceneRecords> out;
  while (query->next()) {
    bev::test::run(engine, *query, store);
    out.push_back(query->records());
  }
  return out;
}

/// Compares a patched scene with a data set that is written with the edits.
std::size_t compare(const MemoryStore& store, std::uint64_t scene,
                    const std::string& edits) {
  const auto overlay = patched(store, read_patch(patch_json(edits)));
  ChangedScene data(store, scene, [&](SceneRecords& records) {
    records = records_with(store, overlay)[static_cast<std::size_t>(scene)];
  });
  data.overlay->put(scene, scene_in(*overlay, scene));
  Both both(data);
  both.everything();
  return both.arrays();
}

}  // namespace

TEST_SUITE("scan/patched_scenes") {
  TEST_CASE("without a track, all answers are those of a data set written without it") {
    const auto store = driven_store(7, 2, 24);
    ChangedScene data(store, 0, [](SceneRecords& scene) {
      bev::test::remove_agents(
          scene, [](const bev::scene::Agent& one) { return one.track_id == 4; });
    });
    const auto overlay = patched(
        store, read_patch(patch_json(R"({"op": "remove", "scene": 0, "track": 4})")));
    CHECK(bev::test::same(*overlay->find(0), *data.overlay->find(0)));
    data.overlay->put(0, scene_in(*overlay, 0));
    Both both(data);
    both.everything();
    CHECK(both.arrays() > 10'000);
  }

  TEST_CASE("with each other edit, they are those of a data set written with it") {
    const auto driven = driven_store(7, 2, 12);
    for (const std::string edit :
         {R"({"op": "move", "scene": 1, "track": 5, "from": 3, "by": [2, -1],
              "turn": 0.4, "ease": 2})",
          R"({"op": "move", "scene": 1, "track": "ego", "from": 2, "by": [1, 3],
              "turn": -0.2})",
          R"({"op": "stop", "scene": 1, "track": 7, "from": 4})",
          R"({"op": "retime", "scene": 1, "track": 6, "factor": 1.7})",
          R"({"op": "retime", "scene": 1, "track": "ego", "from": 2, "factor": 0.6})",
          R"({"op": "add", "scene": 1, "track": 400, "label": "CAR",
              "extent": [4.5, 2, 1.6], "path": [[0, 3, 2, 0.5], [11, 30, 9, 1]]})"}) {
      CAPTURE(edit);
      CHECK(compare(driven, 1, edit) > 1'000);
    }
    const auto small = small_store({.scenes = 2, .frames = 6, .agents = 3});
    CHECK(compare(small, 1, R"({"op": "light", "scene": 1, "face": "green", "from": 2,
                                "state": "active"})") > 1'000);
  }

  TEST_CASE("an empty patch is the identity") {
    const auto store = driven_store(5, 2, 10);
    const auto overlay = patched(store, {});
    CHECK(bev::test::store_of(records_with(store, overlay)).objects ==
          bev::test::store_of(bev::test::records_in(store)).objects);
    Engine stored;
    Engine same = stored.with(overlay);
    Comparison compared;
    for (std::uint64_t k = 0; k < 10; ++k) {
      compared.same(bev::test::run(same, *same.frame(1, k), store),
                    bev::test::run(stored, *stored.frame(1, k), store));
    }
    CHECK(compared.arrays > 200);
  }

  TEST_CASE(
      "edits of several scenes are applied, and those of other data sets refused") {
    const auto store = small_store();
    auto patch = read_patch(patch_json(R"({"op": "remove", "scene": 1, "track": 2},
                                          {"op": "remove", "scene": 0, "track": 1})",
                                       R"(, "data": {"scenes": 2, "frames": 10,
                                                     "agents": 30})"));
    const auto overlay = patched(store, patch);
    CHECK(overlay->find(0)->agents.track_id[0] == 2);
    CHECK(overlay->find(1)->agents.track_id[1] == 3);
    patch.data.agents = 31;
    CHECK(error_code([&] { patched(store, patch); }) == Errc::invalid_argument);
    patch.data = {};
    patch.edits[0].scene = 2;
    CHECK(error_code([&] { patched(store, patch); }) == Errc::out_of_range);
    Engine engine;
    auto edited = engine.with(overlay);
    StoreSource source(store);
    CHECK_THROWS_WITH_AS(patched_scenes(edited, source, {}),
                         doctest::Contains("put all edits into one patch"), bev::Error);
  }

  TEST_CASE(
      "random patches never fail but by an error, on scenes with gaps and doubles") {
    const auto store = driven_store(13, 1, 30);
    bev::test::RandomPatch random(3);
    std::size_t applied = 0;
    for (int round = 0; round < bev::test::rounds(500); ++round) {
      CAPTURE(round);
      const auto edit = random.edit(0, 30);
      const auto code = error_code([&] { patched(store, {"", {}, {edit}}); });
      applied += code ? 0 : 1;
      CHECK((!code || *code == Errc::invalid_argument || *code == Errc::out_of_range ||
             *code == Errc::not_found));
    }
    CHECK(applied > bev::test::rounds(std::size_t{100}));
  }
}

}  // namespace patched_scenes_test
