#include "native/config/data_root.hpp"

#include <doctest/doctest.h>

#include <cstdlib>

#include "core/base/error.hpp"
#include "tests/support/temp_folder.hpp"

using bev::Error;
using bev::native::DataRoot;
using bev::test::TempFolder;

TEST_SUITE("native/config/data_root") {
  TEST_CASE("a key is a path below the folder, of a file or a folder") {
    const TempFolder folder;
    const auto file = folder.write("maps/semantic.pb", "x");
    const DataRoot root(folder.at(""));
    CHECK(root.require("maps/semantic.pb") == file);
    CHECK(root.require("maps") == folder.at("maps"));
  }

  TEST_CASE("a key that is an absolute path is that path, as in Python") {
    const TempFolder folder;
    const TempFolder other;
    const auto file = other.write("meta.json", "{}");
    CHECK(DataRoot(folder.at("")).require(file) == file);
  }

  TEST_CASE("a missing key is not_found, with L5Kit's message") {
    const TempFolder folder;
    const auto name = folder.at("data");
    CHECK_THROWS_WITH_AS(
        DataRoot(name).require("nope.zarr"),
        ("nope.zarr is not present in local data folder " + name).c_str(), Error);
  }

  TEST_CASE("L5KIT_DATA_FOLDER is the default folder") {
    const TempFolder folder;
    const auto file = folder.write("meta.json", "{}");
    ::setenv("L5KIT_DATA_FOLDER", folder.at("").c_str(), 1);
    CHECK(DataRoot(std::nullopt).require("meta.json") == file);
    ::unsetenv("L5KIT_DATA_FOLDER");
    CHECK_THROWS_AS((void)DataRoot(std::nullopt), Error);
  }

  TEST_CASE("a URL is rejected") {
    CHECK_THROWS_AS(DataRoot("https://host/data"), Error);
  }
}
