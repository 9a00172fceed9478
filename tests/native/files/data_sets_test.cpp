#include "native/files/data_sets.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/temp_folder.hpp"

namespace data_sets_test {

using bev::native::find_data_sets;
using bev::test::TempFolder;

TEST_SUITE("native/files/data_sets") {
  TEST_CASE("finds groups some levels deep, but no nested ones") {
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
}

}  // namespace data_sets_test
