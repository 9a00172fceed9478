#include "native/save/list_datasets.hpp"

#include <doctest/doctest.h>

#include <filesystem>

#include "core/base/error.hpp"
#include "native/cli/commands.hpp"
#include "native/save/data_saver.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/save_configs.hpp"
#include "tests/support/temp_folder.hpp"

using bev::Errc;
using bev::native::DataSaver;
using bev::native::list_datasets;
using bev::native::SaveMode;
using bev::test::error_code;
using bev::test::MadeBatch;
using bev::test::small_config;
using bev::test::TempFolder;
namespace fs = std::filesystem;

namespace {

void save(const std::string& store, std::uint64_t rows) {
  const auto config = small_config();
  DataSaver saver(store, config);
  MadeBatch batch(config, 0, rows);
  saver.save(batch.arrays());
  saver.commit();
}

}  // namespace

TEST_SUITE("native/save/list_datasets") {
  TEST_CASE("lists folders and .zips of savers, sorted, and nothing else") {
    const TempFolder at;
    save(at.at("b.zarr"), 70);
    save(at.at("a.zip"), 3);
    at.write("other.zarr/.zattrs", "{}");
    at.write("notes.txt", "x");
    at.write("c.zarr.partial/.zattrs", "{");
    const auto found = list_datasets(at.path().string() + "/");
    REQUIRE(found.size() == 2);
    CHECK(found[0].path == at.at("a.zip"));
    CHECK(found[0].rows == 3);
    CHECK(found[1].path == at.at("b.zarr"));
    CHECK(found[1].rows == 70);
    CHECK(found[1].config.to_json() == small_config().to_json());
    // .zgroup, .zattrs, .zmetadata, two .zarray, two chunks of images, one of labels
    CHECK(found[1].objects == 8);
    std::uint64_t bytes = 0;
    for (const auto& entry : fs::recursive_directory_iterator(at.at("b.zarr"))) {
      if (entry.is_regular_file()) bytes += entry.file_size();
    }
    CHECK(found[1].bytes == bytes);
    CHECK_FALSE(found[1].has_parts);
    CHECK(list_datasets(at.at("b.zarr")).size() == 1);
    CHECK(list_datasets(at.at("other.zarr")).empty());
  }

  TEST_CASE("rows that are not committed are marked") {
    const TempFolder at;
    save(at.at("b.zarr"), 70);
    DataSaver saver(at.at("b.zarr"), small_config(), {.mode = SaveMode::append});
    CHECK(list_datasets(at.at("b.zarr")).at(0).has_parts);
    CHECK(list_datasets(at.path().string()).size() == 1);
  }

  TEST_CASE("a missing path and a damaged data set are errors") {
    const TempFolder at;
    CHECK(error_code([&] { list_datasets(at.at("none")); }) == Errc::not_found);
    save(at.at("b.zarr"), 70);
    at.write("b.zarr/.zattrs", "{");
    CHECK(error_code([&] { list_datasets(at.path().string()); }) ==
          Errc::invalid_metadata);
    CHECK(bev::native::ls_main(std::vector<std::string>{"--help"}) == 0);
  }
}
