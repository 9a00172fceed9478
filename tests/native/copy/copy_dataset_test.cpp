#include "native/copy/copy_dataset.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <string>

#include "core/base/error.hpp"
#include "core/engine/host_loop.hpp"
#include "native/index/index.hpp"
#include "tests/support/goldens.hpp"
#include "tests/support/small_folder.hpp"

namespace copy_dataset_test {

using bev::Error;
using bev::native::copy_dataset;
using bev::native::open_source;
using bev::test::SmallFolder;
namespace fs = std::filesystem;

namespace {

using Files = std::map<std::string, std::string>;

Files files_in(const std::string& folder) {
  Files out;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    out[entry.path().lexically_relative(folder).string()] =
        bev::test::file_text(entry.path().string());
  }
  return out;
}

/// Returns all columns of an array as bytes.
std::string columns(const std::string& dataset, const std::string& array) {
  const auto source = open_source(dataset);
  bev::Engine engine;
  bev::run(engine, *engine.open(), *source);
  const auto query = engine.rows({.array = array});
  bev::run(engine, *query, *source);
  std::string out;
  for (const auto& column : query->build()) {
    out += column.name + "=";
    out.append(reinterpret_cast<const char*>(column.bytes.data()), column.bytes.size());
  }
  return out;
}

}  // namespace

TEST_SUITE("native/copy/copy_dataset") {
  TEST_CASE("copies of the reference's data sets have the same values") {
    BEV_REQUIRE_GOLDENS();
    const bev::test::TempFolder folder;
    for (const std::string name : {"single_scene", "multi_scene", "old_format"}) {
      CAPTURE(name);
      const auto input = bev::test::goldens() + "/inputs/" + name + ".zarr";
      const auto output = folder.at(name);
      const auto source = open_source(input);
      copy_dataset(*source, output);
      for (const auto* array : {"scenes", "frames", "agents"}) {
        CHECK(columns(output, array) == columns(input, array));
      }
      CHECK(fs::exists(output + "/traffic_light_faces") == (name != "old_format"));
    }
    const auto faces = std::string("traffic_light_faces");
    CHECK(columns(folder.at("multi_scene"), faces) ==
          columns(bev::test::goldens() + "/inputs/multi_scene.zarr", faces));
  }

  TEST_CASE("every codec, chunk length and kind of store has the same values") {
    const SmallFolder small({.scenes = 3, .codec = "blosc:lz4"});
    const auto source = open_source(small.dataset());
    int number = 0;
    for (const auto* codec : {"none", "zlib", "gzip", "zstd", "lz4", "blosc:zstd",
                              "blosc:lz4hc", "blosc:blosclz", "blosc:zlib"}) {
      CAPTURE(codec);
      ++number;
      const auto name = std::to_string(number) + (number % 2 == 0 ? ".zip" : ".zarr");
      const auto output = small.at(name);
      copy_dataset(
          *source, output,
          {.layout = {.chunk_rows = {{"agents", 11}, {"frames", 1}}, .codec = codec}});
      for (const auto* array : {"scenes", "frames", "agents", "traffic_light_faces"}) {
        CHECK(columns(output, array) == columns(small.dataset(), array));
      }
    }
  }

  TEST_CASE("columns of zarr version 3, in shards and without, have the same values") {
    const SmallFolder small({.scenes = 3});
    const auto source = open_source(small.dataset());
    const bev::native::CopyOptions options{
        .layout = {.chunk_rows = {{"agents", 11}}, .codec = "zstd", .columnar = true}};
    copy_dataset(*source, small.at("v2.zarr"), options);
    for (const std::uint64_t per_shard : {0U, 2U, 1000U}) {
      for (const auto* name : {"v3.zarr", "v3.zip"}) {
        auto version3 = options;
        version3.zarr_format = 3;
        version3.chunks_per_shard = per_shard;
        version3.existing = bev::native::Existing::replace;
        copy_dataset(*source, small.at(name), version3);
        for (const auto* array :
             {"agents/centroid", "agents/yaw", "frames/timestamp", "scenes/host"}) {
          CHECK(columns(small.at(name), array) == columns(small.at("v2.zarr"), array));
        }
        for (const auto* table :
             {"scenes", "frames", "agents", "traffic_light_faces"}) {
          CHECK(columns(small.at(name), table) == columns(small.dataset(), table));
        }
      }
      CHECK(fs::exists(small.at("v3.zarr/agents/yaw/c/1")) == (per_shard < 1000));
    }
  }

  TEST_CASE("zarr version 3 is for columns, and shards for version 3") {
    const SmallFolder small;
    const auto source = open_source(small.dataset());
    const auto out = small.at("out.zarr");
    CHECK_THROWS_AS(copy_dataset(*source, out, {.zarr_format = 3}), Error);
    CHECK_THROWS_AS(
        copy_dataset(*source, out, {.layout = {.columnar = true}, .zarr_format = 4}),
        Error);
    CHECK_THROWS_AS(copy_dataset(*source, out,
                                 {.layout = {.columnar = true}, .chunks_per_shard = 2}),
                    Error);
    CHECK_FALSE(fs::exists(out));
  }

  TEST_CASE("scenes are chosen as by a Python slice") {
    const SmallFolder small({.scenes = 4});
    const auto source = open_source(small.dataset());
    const auto copied =
        copy_dataset(*source, small.at("out.zarr"), {.scenes = {-1, 0, -2}});
    CHECK(copied.scenes == 2);  // 3 and 1
    const auto one =
        copy_dataset(*source, small.at("one.zarr"), {.scenes = {.index = 3}});
    CHECK(one.scenes == 1);
    copy_dataset(*source, small.at("b.zarr"), {.scenes = {.index = 1}});
    bev::native::concat({small.at("one.zarr"), small.at("b.zarr")},
                        small.at("ab.zarr"));
    for (const auto* array : {"scenes", "frames", "agents", "traffic_light_faces"}) {
      CHECK(columns(small.at("out.zarr"), array) ==
            columns(small.at("ab.zarr"), array));
    }
    const auto none = copy_dataset(*source, small.at("none.zarr"), {.scenes = {9, 12}});
    CHECK(none.scenes == 0);
    CHECK_THROWS_AS(copy_dataset(*source, small.at("x.zarr"), {.scenes = {.index = 4}}),
                    Error);
    CHECK_FALSE(fs::exists(small.at("x.zarr")));
  }

  TEST_CASE("the written statistics are those of the index, also in a .zip") {
    const SmallFolder small;
    const auto source = open_source(small.dataset());
    for (const auto* name : {"out.zarr", "out.zip"}) {
      const auto copied =
          copy_dataset(*source, small.at(name),
                       {.layout = bev::scene::viewing_layout({}), .statistics = true});
      CHECK(copied.has_statistics);
      const auto copy = open_source(small.at(name));
      const auto text =
          copy->read(std::string(bev::reader::Statistics::kKey), std::nullopt);
      const auto known = bev::native::parse_statistics(text);
      REQUIRE(known.has_value());
      const auto index = bev::native::index_of(*copy, {}, {}, [](auto, auto) {});
      CHECK(bev::native::differences_text(index, *known).empty());
      CHECK(known->arrays() == index.statistics.arrays());
    }
  }

  TEST_CASE("an error while reading, or of progress, leaves nothing") {
    const SmallFolder small;
    const auto source = open_source(small.dataset());
    const auto count = [&] { return files_in(small.at("")).size(); };
    const auto before = count();
    struct Stop {};
    CHECK_THROWS_AS(copy_dataset(*source, small.at("out.zarr"),
                                 {.progress = [](std::uint64_t) { throw Stop{}; }}),
                    Stop);
    small.folder().write("small.zarr/agents/3", "short");
    CHECK_THROWS_AS(copy_dataset(*source, small.at("out.zarr")), Error);
    CHECK(count() == before);
    CHECK_FALSE(fs::exists(small.at("out.zarr")));
  }
}

}  // namespace copy_dataset_test
