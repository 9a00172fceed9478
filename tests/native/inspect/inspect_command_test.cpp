#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "native/cli/arguments.hpp"
#include "native/cli/commands.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/nuplan.hpp"
#include "tests/support/temp_folder.hpp"

using bev::native::inspect_main;
using Words = std::vector<std::string>;

TEST_SUITE("inspect/inspect_command") {
  TEST_CASE("logs and maps are described, and rows of a table printed") {
    const bev::test::TempFolder folder;
    const auto log = folder.write("a.db", bev::test::NuplanRows().file());
    const auto map = folder.write("map.gpkg", bev::test::nuplan_map_file());
    CHECK(inspect_main(Words{log}) == 0);
    CHECK(inspect_main(Words{map}) == 0);
    CHECK(inspect_main(Words{map, "--rows", "boundaries"}) == 0);
    CHECK(bev::test::error_code([&] {
            inspect_main(Words{map, "--rows", "x"});
          }) == bev::Errc::not_found);
  }

  TEST_CASE("other files, and none, are errors") {
    const bev::test::TempFolder folder;
    const auto text = folder.write("a.db", "text");
    CHECK(bev::test::error_code([&] { inspect_main(Words{text}); }) ==
          bev::Errc::corrupt_chunk);
    CHECK(bev::test::error_code([&] { inspect_main(Words{folder.at("b.db")}); }) ==
          bev::Errc::not_found);
    CHECK_THROWS_AS(inspect_main(Words{}), bev::cli::UsageError);
  }
}
