#include "native/mask/mask.hpp"

#include <doctest/doctest.h>

#include <filesystem>

#include "core/base/error.hpp"
#include "core/engine/engine.hpp"
#include "native/cli/arguments.hpp"
#include "native/cli/commands.hpp"
#include "native/files/sinks.hpp"
#include "tests/support/goldens.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/npz.hpp"
#include "tests/support/small_scenes.hpp"
#include "tests/support/temp_folder.hpp"

using bev::native::mask_main;
using bev::test::file_text;
using bev::test::TempFolder;
namespace fs = std::filesystem;

namespace {

/// Writes the small data set to a folder.
void write_small(const TempFolder& folder) {
  bev::native::DirectorySink sink(folder.path() / "small.zarr");
  for (const auto& [key, bytes] : bev::test::small_store().objects) {
    sink.put(key, bytes);
  }
}

int mask(std::vector<std::string> words) {
  words.insert(words.end(), {"--threshold", "0.5", "--quiet"});
  return mask_main(words);
}

}  // namespace

TEST_SUITE("native/mask/mask") {
  TEST_CASE("the mask group is byte for byte the reference's") {
    BEV_REQUIRE_GOLDENS();
    const TempFolder folder;
    const auto goldens = bev::test::goldens();
    const auto out = folder.at("out.zarr");
    REQUIRE(mask({goldens + "/inputs/multi_scene.zarr", "-o", out}) == 0);
    const auto golden = goldens + "/outputs/select/multi_agents_mask_group";
    for (const std::string file : {".zgroup", "0.5/.zarray", "0.5/0.0"}) {
      CAPTURE(file);
      CHECK(file_text(out + "/agents_mask/" + file) == file_text(golden + "/" + file));
    }
    CHECK_FALSE(fs::exists(out + "/agents_mask/0.5/1.0"));
  }

  TEST_CASE("the npy file is the reference's mask") {
    BEV_REQUIRE_GOLDENS();
    const TempFolder folder;
    const auto goldens = bev::test::goldens();
    const auto out = folder.at("mask.npy");
    REQUIRE(mask({goldens + "/inputs/single_scene.zarr", "-o", out, "--yaw=5",
                  "--extent=1.1", "--distance", "50"}) == 0);
    const auto ours = bev::test::parse_npy(bev::test::read_file(out));
    const auto golden =
        bev::test::read_npz(goldens + "/outputs/select/single_th0.5_y5_e1.1_d50.npz");
    CHECK(ours.descr == golden.at("mask").descr);
    CHECK(ours.shape == golden.at("mask").shape);
    CHECK(ours.bytes == golden.at("mask").bytes);
  }

  TEST_CASE("a mask put into its own data set is found there") {
    const TempFolder folder;
    write_small(folder);
    const auto dataset = folder.at("small.zarr");
    REQUIRE(mask({dataset, "-o", dataset}) == 0);
    bev::Engine engine;
    const auto query = engine.rows({.array = "agents_mask/0.5"});
    const auto rows = bev::test::run(engine, *query, bev::test::FolderStore(dataset));
    CHECK(rows.arrays[0].shape == std::vector<std::size_t>{30, 2});
    CHECK(fs::exists(dataset + "/agents_mask/.zgroup"));
  }

  TEST_CASE("a mask that is there already stays as it is") {
    const TempFolder folder;
    write_small(folder);
    const auto out = folder.at("out.zarr");
    folder.write("out.zarr/agents_mask/0.5/.zarray", "mine");
    CHECK_THROWS_WITH_AS(
        mask({folder.at("small.zarr"), "-o", out}),
        doctest::Contains("agents_mask/0.5: a mask with these rules already exists"),
        bev::Error);
    CHECK(file_text(out + "/agents_mask/0.5/.zarray") == "mine");
  }

  TEST_CASE("a failure leaves no mask") {
    const TempFolder folder;
    write_small(folder);
    folder.write("small.zarr/agents/3", "short");
    const auto dataset = folder.at("small.zarr");
    CHECK_THROWS_AS(mask({dataset, "-o", folder.at("out.zarr")}), bev::Error);
    CHECK_THROWS_AS(mask({dataset, "-o", folder.at("mask.npy")}), bev::Error);
    CHECK_THROWS_AS(mask({dataset, "-o", dataset}), bev::Error);
    CHECK_FALSE(fs::exists(folder.at("mask.npy")));
    CHECK_FALSE(fs::exists(folder.at("out.zarr")));
    CHECK(std::distance(fs::directory_iterator(folder.path()), {}) == 1);
    for (const auto& entry : fs::directory_iterator(dataset + "/agents_mask")) {
      CHECK(entry.path().filename() == ".zgroup");
    }
  }

  TEST_CASE("a command line that means nothing says what it lacks") {
    using bev::cli::UsageError;
    const auto run = [](std::vector<std::string> words) { return mask_main(words); };
    CHECK_THROWS_WITH_AS(run({"x.zarr", "-o", "m.npy"}), "--threshold is required",
                         UsageError);
    CHECK_THROWS_WITH_AS(run({"x.zarr", "--threshold", "half", "-o", "m.npy"}),
                         "--threshold: not a number (found \"half\")", UsageError);
    CHECK_THROWS_WITH_AS(run({"x.zarr", "--threshold", "nan", "-o", "m.npy"}),
                         "--threshold: not a number (found \"nan\")", UsageError);
    CHECK_THROWS_WITH_AS(
        run({"x.zarr", "--threshold=1", "-o", "m.csv"}),
        "--output: unknown type (found \"m.csv\", expected NAME.npy, NAME.zarr or -)",
        UsageError);
    CHECK_THROWS_AS(run({"--threshold=1", "-o", "m.npy"}), UsageError);
  }
}
