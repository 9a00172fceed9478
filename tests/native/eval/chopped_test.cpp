#include "native/eval/chopped.hpp"

#include <doctest/doctest.h>

#include <filesystem>

#include "core/base/error.hpp"
#include "native/files/sinks.hpp"
#include "tests/support/files.hpp"
#include "tests/support/goldens.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/npz.hpp"
#include "tests/support/small_scenes.hpp"
#include "tests/support/temp_folder.hpp"

using bev::native::create_chopped_dataset;
using bev::test::TempFolder;
namespace fs = std::filesystem;

TEST_SUITE("native/eval/chopped") {
  TEST_CASE("mask and ground truth are the reference's") {
    BEV_REQUIRE_GOLDENS();
    const auto goldens = bev::test::goldens();
    const TempFolder folder;
    fs::copy(goldens + "/inputs/multi_scene.zarr", folder.at("multi_scene.zarr"),
             fs::copy_options::recursive);
    const auto made = create_chopped_dataset(
        folder.at("multi_scene.zarr"),
        {.threshold = 0.5, .frames_to_copy = 40, .steps_gt = 12, .min_future = 10});
    CHECK(fs::path(made).filename() == "multi_scene_chopped_40");
    CHECK(fs::exists(made + "/multi_scene.zarr/.zgroup"));
    const auto mask = bev::test::read_npz(made + "/mask.npz").at("arr_0");
    const auto golden =
        bev::test::read_npz(goldens + "/outputs/eval/chopped_mask.npz").at("mask");
    CHECK(mask.descr == golden.descr);
    CHECK(mask.shape == golden.shape);
    CHECK(mask.bytes == golden.bytes);
    CHECK(bev::test::read_text(made + "/gt.csv") ==
          bev::test::read_text(goldens + "/outputs/eval/gt.csv"));
    CHECK_FALSE(fs::exists(folder.at("multi_scene.zarr/agents_mask")));
  }

  TEST_CASE("existing folders are not modified; a failure leaves nothing") {
    const TempFolder folder;
    bev::native::DirectorySink sink(folder.path() / "small.zarr");
    for (const auto& [key, bytes] : bev::test::small_store().objects) {
      sink.put(key, bytes);
    }
    const auto small = folder.at("small.zarr");
    CHECK_THROWS_WITH_AS(create_chopped_dataset(small, {.frames_to_copy = 5}),
                         doctest::Contains("scene too short"), bev::Error);
    CHECK_FALSE(fs::exists(folder.at("small_chopped_5")));
    folder.write("small_chopped_2/mine", "mine");
    CHECK_THROWS_WITH_AS(
        create_chopped_dataset(small, {.frames_to_copy = 2, .steps_gt = 2}),
        doctest::Contains("already exists"), bev::Error);
    CHECK(bev::test::file_text(folder.at("small_chopped_2/mine")) == "mine");
    const auto made = create_chopped_dataset(
        small, {.frames_to_copy = 3, .steps_gt = 2, .min_future = 2});
    CHECK(bev::test::read_npz(made + "/mask.npz").at("arr_0").count() == 18);
  }
}
