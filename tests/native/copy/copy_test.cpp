#include "native/copy/copy.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "core/engine/engine.hpp"
#include "native/files/sinks.hpp"
#include "native/source/source.hpp"
#include "tests/support/goldens.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/npz.hpp"
#include "tests/support/small_scenes.hpp"
#include "tests/support/temp_folder.hpp"

using bev::Error;
using bev::test::FolderStore;
using bev::test::TempFolder;
namespace fs = std::filesystem;
using Golden = std::map<std::string, bev::test::NpyArray>;

namespace {

std::string write_small(const TempFolder& folder, const std::string& name,
                        const bev::test::SmallScenes& small) {
  bev::native::DirectorySink sink(folder.path() / name);
  for (const auto& [key, bytes] : bev::test::small_store(small).objects) {
    sink.put(key, bytes);
  }
  return folder.at(name);
}

/// Returns a whole column as bytes.
std::vector<std::byte> column(const std::string& dataset, const std::string& array,
                              const std::string& field) {
  bev::Engine engine;
  bev::Rows rows;
  rows.array = array;
  rows.fields = {field};
  const auto query = engine.rows(rows);
  const auto run = bev::test::run(engine, *query, FolderStore(dataset));
  return run.values<std::byte>(field);
}

std::vector<std::int64_t> lengths(const std::string& dataset) {
  std::vector<std::int64_t> out;
  for (const auto& [array, field, size] :
       {std::tuple("scenes", "start_time", 8), std::tuple("frames", "timestamp", 8),
        std::tuple("agents", "yaw", 4),
        std::tuple("traffic_light_faces", "traffic_light_face_status", 12)}) {
    out.push_back(std::ssize(column(dataset, array, field)) / size);
  }
  return out;
}

/// Compares every column in the golden file.
void check_columns(const std::string& dataset, const Golden& golden) {
  std::size_t compared = 0;
  for (const auto& entry : golden) {
    const auto& key = entry.first;
    const auto& array = entry.second;
    CAPTURE(key);
    if (key == "lens") {
      CHECK(lengths(dataset) == array.as<std::int64_t>());
      continue;
    }
    const auto dot = key.find('.');
    auto field = key.substr(dot + 1);
    if (field == "tl") field = "traffic_light_faces_index_interval";
    CHECK(column(dataset, key.substr(0, dot), field) == array.bytes);
    ++compared;
  }
  CHECK(compared + 1 == golden.size());
}

}  // namespace

TEST_SUITE("native/copy/copy") {
  TEST_CASE("concat, split and chop make the reference's data sets") {
    BEV_REQUIRE_GOLDENS();
    const auto goldens = bev::test::goldens();
    const auto multi = goldens + "/inputs/multi_scene.zarr";
    const auto data = goldens + "/outputs/data/";
    const TempFolder folder;
    const auto whole = folder.at("concat.zarr");
    CHECK(bev::native::concat({multi, goldens + "/inputs/single_scene.zarr", multi},
                              whole)
              .empty());
    check_columns(whole, bev::test::read_npz(data + "concat.npz"));

    bev::native::chop(multi, folder.at("chop.zarr"), 25);
    check_columns(folder.at("chop.zarr"), bev::test::read_npz(data + "chop25.npz"));

    double bytes = 0;
    const auto objects = bev::native::open_source(whole)->list("");
    for (const auto& listed : *objects) {
      bytes += static_cast<double>(listed.size);
    }
    const double size_gb = bytes / 1024 / 1024 / 1024;
    const auto cuts = bev::native::split(
        whole, folder.at("parts"),
        {{"a.zarr", size_gb * 0.4}, {"b.zarr", size_gb * 0.3}, {"c.zarr", -1}});
    const auto golden =
        nlohmann::json::parse(bev::test::read_text(data + "split.json")).at("cuts");
    REQUIRE(cuts.size() == golden.size());
    for (std::size_t i = 0; i < cuts.size(); ++i) {
      CHECK(golden[i][0] == cuts[i].begin);
      CHECK(golden[i][1] == cuts[i].end);
    }
    CHECK(bev::native::concat({folder.at("parts/a.zarr"), folder.at("parts/b.zarr"),
                               folder.at("parts/c.zarr")},
                              folder.at("again.zarr"))
              .empty());
    check_columns(folder.at("again.zarr"), bev::test::read_npz(data + "concat.npz"));
  }

  TEST_CASE("the three-array layout becomes one of four arrays without faces") {
    BEV_REQUIRE_GOLDENS();
    const TempFolder folder;
    const auto out = folder.at("new.zarr");
    const auto old = bev::test::goldens() + "/inputs/old_format.zarr";
    CHECK(bev::native::concat({old}, out).empty());
    CHECK(lengths(out) == std::vector<std::int64_t>{1, 30, 2811, 0});
    CHECK(column(out, "agents", "track_id") == column(old, "agents", "track_id"));
  }

  TEST_CASE("invalid inputs are skipped and returned, damaged ones are errors") {
    const TempFolder folder;
    const auto good = write_small(folder, "good.zarr", {});
    folder.write("empty.zarr/.zgroup", R"({"zarr_format": 2})");
    const auto skipped =
        bev::native::concat({folder.at("nowhere.zarr"), good, folder.at("empty.zarr")},
                            folder.at("out.zarr"));
    REQUIRE(skipped.size() == 2);
    CHECK(skipped[0].path == folder.at("nowhere.zarr"));
    CHECK(skipped[1].reason.find("scenes") != std::string::npos);
    CHECK(lengths(folder.at("out.zarr")) == std::vector<std::int64_t>{2, 10, 30, 20});

    folder.write("good.zarr/agents/3", "short");
    CHECK_THROWS_AS(bev::native::concat({good}, folder.at("bad.zarr")), Error);
    CHECK_FALSE(fs::exists(folder.at("bad.zarr")));
  }

  TEST_CASE("an existing output is not modified") {
    const TempFolder folder;
    const auto input = write_small(folder, "in.zarr", {});
    folder.write("out.zarr/mine", "mine");
    const auto out = folder.at("out.zarr");
    CHECK_THROWS_WITH_AS(bev::native::concat({input}, out),
                         doctest::Contains("already exists"), Error);
    CHECK_THROWS_WITH_AS(bev::native::chop(input, out, 2),
                         doctest::Contains("already exists"), Error);
    CHECK(bev::test::file_text(folder.at("out.zarr/mine")) == "mine");
  }

  TEST_CASE("too short scenes are an error before writing") {
    const TempFolder folder;
    const auto input = write_small(folder, "in.zarr", {});
    CHECK_THROWS_WITH_AS(bev::native::chop(input, folder.at("out.zarr"), 5),
                         doctest::Contains("scene too short (found 5 frames"), Error);
    CHECK_FALSE(fs::exists(folder.at("out.zarr")));
  }
}
