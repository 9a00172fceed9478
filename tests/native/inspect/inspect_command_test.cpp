#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "native/cli/arguments.hpp"
#include "native/cli/commands.hpp"
#include "native/inspect/inspect_tables.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/nuplan.hpp"
#include "tests/support/nuscenes_files.hpp"
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

  TEST_CASE("tables and maps of nuScenes are described, and their records printed") {
    const bev::test::TempFolder folder;
    const auto version = bev::test::write_nuscenes(folder);
    const auto map = folder.at("n/maps/expansion/boston-seaport.json");
    const auto found = nlohmann::json::parse(bev::native::describe_tables(version));
    CHECK(found["tables"].size() == 11);
    const auto& scenes = found["tables"]["scene"];
    CHECK(scenes["records"] == 2);
    CHECK(scenes["fields"] ==
          nlohmann::json(
              {{"log_token", "string"}, {"name", "string"}, {"token", "string"}}));
    const auto layers =
        nlohmann::json::parse(bev::native::describe_tables(map))["layers"];
    CHECK(layers["node"]["records"] == 14);
    CHECK(layers["arcline_path_3"]["fields"] == "array");
    CHECK(layers["version"]["first"] == "1.3");
    for (const auto& words :
         {Words{version}, Words{map}, Words{version, "--rows", "scene"},
          Words{map, "--rows", "lane"}}) {
      CHECK(inspect_main(words) == 0);
    }
    for (const auto& [path, name] : {std::pair(version, "x"), std::pair(map, "x")}) {
      CHECK(bev::test::error_code([&, where = path, what = name] {
              inspect_main(Words{where, "--rows", what});
            }) == bev::Errc::not_found);
    }
    const auto text = folder.write("a.json", "5");
    CHECK(bev::test::error_code([&] { inspect_main(Words{text}); }) ==
          bev::Errc::invalid_metadata);
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
