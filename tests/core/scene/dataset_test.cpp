#include "core/scene/dataset.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "core/base/error.hpp"
#include "core/engine/engine.hpp"
#include "tests/support/goldens.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/npz.hpp"
#include "tests/support/small_scenes.hpp"

using bev::Engine;
using bev::Errc;
using bev::Error;
using bev::Rows;
using bev::test::FolderStore;
using bev::test::goldens;
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

  TEST_CASE("a field of another name, type or shape is told with what was expected") {
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
}
