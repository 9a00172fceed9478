#include "native/town/town_files.hpp"

#include <doctest/doctest.h>

#include "tests/support/files.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/support/zip_reader.hpp"

using bev::test::read_file;
using bev::test::TempFolder;

namespace {

bev::town::TownOptions small_town() {
  bev::town::TownOptions options;
  options.scenes = 1;
  options.scene.frames = 2;
  options.aerial = false;
  return options;
}

void quiet(const std::string&) {}

std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

TEST_SUITE("native/town/town_files") {
  TEST_CASE("a zip holds what the folder would, byte for byte") {
    auto options = small_town();
    bev::test::MemoryStore expected;
    bev::town::write_scenes(expected, bev::town::make_plan(options.scene.seed), options,
                            quiet);
    const TempFolder folder;
    options.zip = true;
    bev::town::write_town(folder.at("town"), options, quiet);
    bev::test::ZipReader zip(read_file(folder.at("town/scenes/town.zarr.zip")));
    CHECK(zip.directory.members().size() == expected.objects.size());
    for (const auto& object : expected.objects) {
      CAPTURE(object.first);
      CHECK(zip.read(object.first) == text_of(object.second));
    }
    CHECK_FALSE(std::filesystem::exists(folder.at("town/scenes/town.zarr")));
    CHECK(text_of(read_file(folder.at("town/config.yaml")))
              .find("key: \"scenes/town.zarr.zip\"\n") != std::string::npos);
  }
}
