#include <doctest/doctest.h>

#include <algorithm>
#include <bevscope/copy.hpp>
#include <bevscope/simulation.hpp>
#include <filesystem>
#include <memory>
#include <string>

#include "include/bevscope/error.hpp"
#include "include/bevscope/native.hpp"
#include "tests/library/memory_source.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/patches.hpp"
#include "tests/support/small_scenes.hpp"
#include "tests/support/temp_folder.hpp"

namespace copy_test {

using bev::CopyOptions;
using bev::Errc;
using bev::test::error_code;
using bev::test::TempFolder;
namespace fs = std::filesystem;

namespace {

bev::Dataset dataset() {
  return bev::Dataset(
      std::make_shared<bev::test::MemorySource>(bev::test::small_store({.scenes = 3})));
}

std::vector<double> centroids(bev::Dataset& dataset) {
  const auto table = dataset.rows("agents", {}, {"centroid"});
  const auto values = table.array<double>("centroid");
  return {values.begin(), values.end()};
}

}  // namespace

TEST_SUITE("library/copy") {
  TEST_CASE("a data set of any source is copied") {
    const TempFolder at;
    auto original = dataset();
    std::uint64_t written = 0;
    const auto report = bev::copy(original, at.at("a.zarr"),
                                  {.chunk_rows = {{"agents", 4}},
                                   .codec = "zstd",
                                   .level = 1,
                                   .purpose = bev::CopyPurpose::viewing,
                                   .progress = [&](auto scenes) { written = scenes; }});
    CHECK(report.scenes == 3);
    CHECK(written == 3);
    CHECK(report.has_statistics);
    CHECK(report.left_out.empty());
    auto copied = bev::open(at.at("a.zarr"));
    CHECK(copied.array("agents").chunks.front() == 4);
    CHECK(copied.array("frames").chunks.front() == 32);
    CHECK(centroids(copied) == centroids(original));
  }

  TEST_CASE("edited and simulated scenes are copied in place of the stored ones") {
    const TempFolder at;
    auto original = dataset();
    auto edited = original.patched(bev::test::patch_json(
        R"({"op": "move", "scene": 1, "track": 2, "by": [0, 0.5]},
           {"op": "remove", "scene": 0, "track": 1})"));
    CHECK(bev::copy(edited, at.at("a.zarr")).scenes == 3);
    auto copied = bev::open(at.at("a.zarr"));
    CHECK(copied.agent_count() == 40);
    for (std::uint64_t scene = 0; scene < 3; ++scene) {
      const auto a = edited.scene(scene), b = copied.scene(scene);
      for (const auto& array : a.all()) {
        CAPTURE(array.name());
        const auto x = array.bytes(), y = b[array.name()].bytes();
        CHECK(std::equal(x.begin(), x.end(), y.begin(), y.end()));
      }
    }
    CHECK(centroids(original)[1] == 0);
    bev::SimulationConfig config;
    config.num_simulation_steps = 2;
    const std::vector<std::uint64_t> scenes{1};
    auto simulated = bev::Simulation(original, scenes, config).simulated();
    bev::copy(simulated, at.at("b.zarr"));
    CHECK(bev::open(at.at("b.zarr")).frame_count() == 12);
  }

  TEST_CASE("scenes and fields are chosen") {
    const TempFolder at;
    auto original = dataset();
    bev::copy(original, at.at("a.zip"),
              {.scenes = {.begin = -1}, .fields = {"agents.centroid"}});
    auto copied = bev::open(at.at("a.zip"));
    CHECK(copied.array("agents").fields.size() == 1);
    CHECK(copied.array("agents").size() == 15);
  }

  TEST_CASE("existing stores and columns for viewing are refused") {
    const TempFolder at;
    auto original = dataset();
    const auto out = at.at("a.zarr");
    bev::copy(original, out, {.columnar = true});
    CHECK(fs::exists(out + "/agents/yaw/0"));
    CHECK(error_code([&] { bev::copy(original, out); }) == Errc::invalid_argument);
    bev::copy(original, out, {.replace = true});
    CHECK_FALSE(fs::exists(out + "/agents/yaw/0"));
    CHECK(error_code([&] {
            bev::copy(original, at.at("b.zarr"),
                      {.purpose = bev::CopyPurpose::viewing, .columnar = true});
          }) == Errc::invalid_argument);
    CHECK_FALSE(fs::exists(at.at("b.zarr")));
  }

  TEST_CASE("an exception of progress ends the copy and leaves nothing") {
    const TempFolder at;
    auto original = dataset();
    struct Stop {};
    CHECK_THROWS_AS(bev::copy(original, at.at("a.zarr"),
                              {.progress = [](std::uint64_t) { throw Stop{}; }}),
                    Stop);
    CHECK(fs::is_empty(at.path()));
  }
}

}  // namespace copy_test
