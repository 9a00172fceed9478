#include "core/scene/copier.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "tests/support/copy_scenes.hpp"
#include "tests/support/small_scenes.hpp"

using bev::Errc;
using bev::Error;
using bev::scene::Copier;
using bev::scene::CopyLayout;
using bev::scene::Interval;
using bev::test::description_of;
using bev::test::MemoryStore;
using bev::test::small_store;
using nlohmann::json;
using Scenes = std::vector<std::uint64_t>;

namespace {

MemoryStore copied(const MemoryStore& store, const Scenes& scenes,
                   const CopyLayout& layout = {}) {
  MemoryStore out;
  Copier copier(out, description_of(store), layout);
  bev::test::copy_scenes(store, copier, scenes);
  copier.close();
  return out;
}

/// Returns a whole column, decoded.
std::vector<std::byte> column(const MemoryStore& store, const std::string& array,
                              const std::string& field) {
  bev::Engine engine;
  const auto query = engine.rows({.array = array, .fields = {field}});
  return bev::test::run(engine, *query, store).values<std::byte>(field);
}

/// Returns the rows of a column that belong to some rows of `length` in all.
std::vector<std::byte> part(const std::vector<std::byte>& all, std::size_t begin,
                            std::size_t end, std::size_t length) {
  const auto size = all.size() / length;
  return {all.begin() + static_cast<std::ptrdiff_t>(begin * size),
          all.begin() + static_cast<std::ptrdiff_t>(end * size)};
}

/// Replaces an array by a big-endian one of the same values.
void make_big_endian(MemoryStore& store, const std::string& array,
                     const std::vector<std::size_t>& value_sizes) {
  auto meta = json::parse(store.text(array + "/.zarray"));
  for (auto& field : meta["dtype"]) {
    auto type = field[1].get<std::string>();
    if (type[0] == '<') type[0] = '>';
    field[1] = type;
  }
  store.text(array + "/.zarray", meta.dump());
  store.objects.erase(".zmetadata");
  for (auto& [key, bytes] : store.objects) {
    if (!key.starts_with(array + "/") || key.ends_with(".zarray")) continue;
    for (auto at = bytes.begin(); at != bytes.end();) {
      for (const auto size : value_sizes) {
        std::reverse(at, at + static_cast<std::ptrdiff_t>(size));
        at += static_cast<std::ptrdiff_t>(size);
      }
    }
  }
}

}  // namespace

TEST_SUITE("scene/copier") {
  TEST_CASE("a copy of all scenes has the same bytes") {
    const auto store = small_store();
    const auto copy = copied(store, {0, 1});
    CHECK(copy.objects == store.objects);
  }

  TEST_CASE("attributes of scenes are those of the copied ones, in their order") {
    auto store = small_store({.scenes = 3});
    const json scenes = {{{"tags", {{"a", {0}}}}}, {{"id", 1}}, {{"id", 2}}};
    const json attributes = {{"labels", {"X"}},
                             {"bevscope", {{"map", "m.pb"}, {"scenes", scenes}}}};
    store.text(".zattrs", attributes.dump());
    store.objects.erase(".zmetadata");
    const auto found = json::parse(copied(store, {2, 0}).text(".zattrs"));
    CHECK(found["labels"] == attributes["labels"]);
    CHECK(found["bevscope"]["map"] == "m.pb");
    CHECK(found["bevscope"]["scenes"] == json({scenes[2], scenes[0]}));
    CHECK(json::parse(copied(store, {0, 1, 2}).text(".zattrs")) == attributes);
    const auto none = json::parse(copied(store, {}).text(".zattrs"));
    CHECK(none["bevscope"]["scenes"] == json::array());
    // A list of another number of scenes is not theirs.
    auto other = attributes;
    other["bevscope"]["scenes"].erase(0);
    store.text(".zattrs", other.dump());
    CHECK(json::parse(copied(store, {2}).text(".zattrs")) == other);
  }

  TEST_CASE("a chosen scene has shifted intervals and its own records") {
    const auto store = small_store({.scenes = 3});
    const auto copy = copied(store, {2});
    const auto expected = part(column(store, "agents", "centroid"), 30, 45, 45);
    CHECK(column(copy, "agents", "centroid") == expected);
    CHECK(column(copy, "frames", "timestamp") ==
          part(column(store, "frames", "timestamp"), 10, 15, 15));
    CHECK(column(copy, "traffic_light_faces", "face_id") ==
          part(column(store, "traffic_light_faces", "face_id"), 20, 30, 30));
    // As in the first scene of a data set.
    const auto first = copied(store, {0});
    for (const auto* field :
         {"agent_index_interval", "traffic_light_faces_index_interval"}) {
      CHECK(column(copy, "frames", field) == column(first, "frames", field));
    }
    CHECK(column(copy, "scenes", "frame_index_interval") ==
          column(first, "scenes", "frame_index_interval"));
  }

  TEST_CASE("scenes are copied in any order, also twice") {
    const auto store = small_store();
    const auto copy = copied(store, {1, 0, 1});
    CHECK(column(copy, "agents", "yaw").size() == 45 * 4);
    bev::Engine engine;
    const auto frame = engine.frame(2, 3);
    const auto run = bev::test::run(engine, *frame, copy);
    bev::Engine other;
    const auto original = other.frame(1, 3);
    const auto expected = bev::test::run(other, *original, store);
    CHECK(run.values<double>("trails.points") ==
          expected.values<double>("trails.points"));
    CHECK(run.text("lights.face_id") == expected.text("lights.face_id"));
  }

  TEST_CASE("chunks and fields are chosen") {
    const auto store = small_store();
    const auto copy = copied(
        store, {0, 1},
        {.chunk_rows = {{"agents", 4}}, .fields = {"agents.yaw", "agents.track_id"}});
    CHECK(copy.objects.contains("agents/7"));
    CHECK(copy.objects.at("agents/7").size() == 4 * 12);
    CHECK(column(copy, "agents", "track_id") == column(store, "agents", "track_id"));
    CHECK_THROWS_AS(column(copy, "agents", "centroid"), Error);
  }

  TEST_CASE("columns have the records' values and shapes") {
    const auto store = small_store();
    const auto copy = copied(store, {0, 1}, {.columnar = true});
    const auto all = json::parse(copy.text(".zmetadata"))["metadata"];
    CHECK(all["agents/centroid/.zarray"]["shape"] == json{30, 2});
    CHECK(all["frames/ego_rotation/.zarray"]["shape"] == json{10, 3, 3});
    CHECK(all["scenes/host/.zarray"]["dtype"] == "|S64");
    CHECK(all.contains("agents/.zgroup"));
    CHECK_FALSE(all.contains("agents/.zarray"));
    bev::Engine engine;
    const auto query = engine.rows({.array = "agents/centroid"});
    const auto run = bev::test::run(engine, *query, copy);
    CHECK(run.values<std::byte>("") == column(store, "agents", "centroid"));
  }

  TEST_CASE("trails come from agent_tracks, which has the agents' rows") {
    const auto store = small_store();
    const auto copy =
        copied(store, {0, 1}, {.chunk_rows = {{"agent_tracks", 4}}, .tracks = true});
    CHECK(column(copy, "agent_tracks", "centroid") ==
          column(store, "agents", "centroid"));
    CHECK(column(copy, "agent_tracks", "track_id") ==
          column(store, "agents", "track_id"));
    CHECK(copied(copy, {0, 1}).objects == store.objects);  // derived, so not left out
  }

  TEST_CASE("attributes are copied, other arrays are listed as left out") {
    auto store = small_store();
    store.text(".zattrs", R"({"format_version": 2, "note": {"a": [1.5, null]}})");
    auto all = json::parse(store.text(".zmetadata"));
    all["metadata"]["mask/.zarray"] = all["metadata"]["agents/.zarray"];
    all["metadata"][".zattrs"] = json::parse(store.text(".zattrs"));
    store.text(".zmetadata", all.dump());
    MemoryStore out;
    Copier copier(out, description_of(store), {});
    CHECK(copier.left_out() == std::vector<std::string>{"mask"});
    copier.close();
    CHECK(json::parse(out.text(".zattrs")) == json::parse(store.text(".zattrs")));
    CHECK(copier.scene_count() == 2);
  }

  TEST_CASE("big-endian records become little-endian") {
    const auto store = small_store();
    auto big = store;
    // interval, host (code points), times
    std::vector<std::size_t> sizes{8, 8};
    sizes.insert(sizes.end(), 16, 4);
    sizes.insert(sizes.end(), 2, 8);
    make_big_endian(big, "scenes", sizes);
    CHECK(description_of(big).find(">i8") != std::string::npos);
    CHECK(copied(big, {0, 1}).objects.at("scenes/0") == store.objects.at("scenes/0"));
  }

  TEST_CASE("invalid intervals and wrong records are refused") {
    const auto store = small_store();
    MemoryStore out;
    Copier copier(out, description_of(store), {});
    auto scene = bev::test::records_of(store, "scenes", {0, 1});
    scene[8] = std::byte{200};
    CHECK_THROWS_WITH_AS(copier.begin(0, scene),
                         "scenes/0: invalid frame_index_interval (found [0, 200), "
                         "expected 0 <= begin <= end <= 10, the length of frames)",
                         Error);
    scene[8] = std::byte{5};
    copier.begin(0, scene);
    auto frames = bev::test::records_of(store, "frames", {0, 5});
    CHECK_THROWS_AS(copier.frames(std::span(frames).first(100)), Error);
    frames[136 + 8] = std::byte{1};  // the second frame's agents
    CHECK_THROWS_WITH_AS(copier.frames(frames),
                         doctest::Contains("the end of the previous one"), Error);
  }

  TEST_CASE("stores that are not data sets are refused") {
    MemoryStore out;
    CHECK_THROWS_WITH_AS(Copier(out, R"({"arrays": {}, "attrs": {}})", {}),
                         "scenes/.zarray: not found (expected in an L5Kit data set)",
                         Error);
    const auto store = small_store();
    auto root = json::parse(description_of(store));
    root["arrays"]["frames"]["dtype"][1][1] = "<u8";
    CHECK_THROWS_WITH_AS(Copier(out, root.dump(), {}),
                         "frames: field agent_index_interval is not an interval "
                         "(expected <i8 of shape 2)",
                         Error);
    CHECK(out.objects.empty());
  }

  TEST_CASE("the three-array layout stays one") {
    auto store = small_store();
    auto meta = json::parse(store.text(".zmetadata"));
    meta["metadata"].erase("traffic_light_faces/.zarray");
    store.text(".zmetadata", meta.dump());
    std::erase_if(store.objects, [](const auto& entry) {
      return entry.first.starts_with("traffic_light_faces");
    });
    auto copy = copied(store, {0, 1});
    CHECK(json::parse(copy.text(".zmetadata")) == meta);
    copy.text(".zmetadata", meta.dump());
    CHECK(copy.objects == store.objects);
  }
}
