#include "native/serve/data_links.hpp"

#include <doctest/doctest.h>

#include "tests/support/temp_folder.hpp"

using bev::serve::find_data_sets;
using bev::serve::viewer_link;
using bev::test::TempFolder;

TEST_SUITE("native/serve/data_links") {
  TEST_CASE("groups are found some levels down, not inside one another") {
    const TempFolder folder;
    folder.write("scenes/town.zarr/.zgroup", "{}");
    folder.write("scenes/town.zarr/inner/.zgroup", "{}");
    folder.write("a.zarr/.zgroup", "{}");
    folder.write("1/2/3/4/deep.zarr/.zgroup", "{}");
    folder.write("notes.txt", "x");
    folder.write(".hidden/h.zarr/.zgroup", "{}");
    folder.write(".h.zarr/.zgroup", "{}");
    folder.write("b.zarr/zarr.json", "{}");
    CHECK(find_data_sets(folder.path().string()) ==
          std::vector<std::string>{"a.zarr", "b.zarr", "scenes/town.zarr"});
  }

  TEST_CASE("a folder may be a group itself") {
    const TempFolder folder;
    folder.write(".zgroup", "{}");
    CHECK(find_data_sets(folder.path().string()) == std::vector<std::string>{""});
  }

  TEST_CASE("a link is escaped for the part of an address behind the #") {
    CHECK(viewer_link("scenes/town.zarr") == "/#src=/data/scenes/town.zarr");
    CHECK(viewer_link("a b&c%.zarr") == "/#src=/data/a%20b%26c%25.zarr");
    CHECK(viewer_link("\xc3\xa9") == "/#src=/data/%C3%A9");
  }
}
