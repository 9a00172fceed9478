#include "native/source/source.hpp"

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "tests/support/temp_folder.hpp"

using bev::native::find_array;
using bev::native::open_source;
using bev::test::TempFolder;

TEST_SUITE("native/source/source") {
  TEST_CASE("an array is addressed from the topmost group around it") {
    const TempFolder folder;
    folder.write("a.zarr/.zgroup", "{}");
    folder.write("a.zarr/inner/.zgroup", "{}");
    folder.write("a.zarr/inner/x/.zarray", "{}");
    for (const auto* path : {"a.zarr/inner/x", "a.zarr/inner/x/", "a.zarr/./inner//x",
                             "a.zarr/inner/../inner/x"}) {
      CAPTURE(path);
      const auto found = find_array(folder.at(path));
      CHECK(found.dataset == folder.at("a.zarr"));
      CHECK(found.array == "inner/x");
    }
  }

  TEST_CASE("an array without a group is a store by itself") {
    const TempFolder folder;
    folder.write("x/.zarray", "{}");
    const auto found = find_array(folder.at("x"));
    CHECK(found.dataset == folder.at("x"));
    CHECK(found.array.empty());
  }

  TEST_CASE("a group is an error that lists its arrays") {
    const TempFolder folder;
    folder.write(".zgroup", "{}");
    folder.write("frames/.zarray", "{}");
    folder.write("agents/.zarray", "{}");
    const auto message =
        folder.path().string() + ": a group (expected an array in it: agents, frames)";
    CHECK_THROWS_WITH_AS(find_array(folder.path().string()), message.c_str(),
                         bev::Error);
    CHECK_THROWS_AS(find_array(folder.at("lights")), bev::Error);
  }

  TEST_CASE("version 3: zarr.json distinguishes groups and arrays") {
    const TempFolder folder;
    folder.write("a.zarr/zarr.json", R"({"node_type": "group"})");
    folder.write("a.zarr/g/zarr.json", R"({"node_type": "group"})");
    folder.write("a.zarr/g/x/zarr.json", R"({"node_type": "array"})");
    folder.write("y/zarr.json", R"({"node_type": "array"})");
    const auto found = find_array(folder.at("a.zarr/g/x"));
    CHECK(found.dataset == folder.at("a.zarr"));
    CHECK(found.array == "g/x");
    CHECK(find_array(folder.at("y")).array.empty());
    const auto message =
        folder.at("a.zarr") + ": a group (expected an array in it: g/x)";
    CHECK_THROWS_WITH_AS(find_array(folder.at("a.zarr")), message.c_str(), bev::Error);
    folder.write("a.zarr/g/zarr.json", R"({"node_type": "tree"})");
    CHECK_THROWS_WITH_AS(
        find_array(folder.at("a.zarr/g")),
        "zarr.json: invalid node_type (found \"tree\", expected array or group)",
        bev::Error);
  }

  TEST_CASE("a folder's name may end with .zip") {
    const TempFolder folder;
    folder.write("folder.zip/.zgroup", "{}");
    CHECK(open_source(folder.at("folder.zip"))->read(".zgroup", std::nullopt));
  }

  TEST_CASE("an empty address is refused") {
    CHECK_THROWS_WITH_AS(open_source(""), "address: empty (expected a path or URL)",
                         bev::Error);
  }

  TEST_CASE("a file's URL is refused with what is expected") {
    CHECK_THROWS_WITH_AS(open_source("file:///data/a.zarr"),
                         "file:///data/a.zarr: a file's URL (expected its path, or an "
                         "http, https, s3, gs "
                         "or hf URL)",
                         bev::Error);
    CHECK_THROWS_AS(bev::native::find_array("file:///data/a.zarr/agents"), bev::Error);
  }

  TEST_CASE("a Parquet file is refused with what reads it") {
    const TempFolder folder;
    folder.write("a.parquet", "PAR1");
    CHECK_THROWS_WITH_AS(open_source(folder.at("a.parquet")),
                         (folder.at("a.parquet") +
                          ": Parquet needs bevscope's Python or JavaScript package "
                          "(expected a zarr store)")
                             .c_str(),
                         bev::Error);
  }

  TEST_CASE("a missing path is not_found") {
    const TempFolder folder;
    for (const auto* name : {"a.zarr", "a.zip"}) {
      try {
        open_source(folder.at(name));
        FAIL("nothing was thrown");
      } catch (const bev::Error& error) {
        CHECK(error.code() == bev::Errc::not_found);
      }
      CHECK_THROWS_AS(find_array(folder.at(name) + "/agents"), bev::Error);
    }
  }
}
