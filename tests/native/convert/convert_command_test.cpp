#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "native/cli/arguments.hpp"
#include "native/cli/commands.hpp"
#include "tests/support/commonroad.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/files.hpp"
#include "tests/support/interaction.hpp"
#include "tests/support/lanelet2.hpp"
#include "tests/support/nuplan.hpp"
#include "tests/support/scenarionet.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/support/waymo.hpp"

using bev::native::convert_main;
using Words = std::vector<std::string>;

TEST_SUITE("convert/convert_command") {
  TEST_CASE("Argoverse 2 names the command that reads Parquet, whatever the options") {
    const Words words{"argoverse2", "a", "-o", "b", "--workers", "2"};
    try {
      convert_main(words);
      FAIL("no error");
    } catch (const bev::Error& error) {
      CHECK(error.code() == bev::Errc::unsupported);
      CHECK(
          std::string(error.what()).ends_with("python -m bevscope convert argoverse2"));
    }
  }

  TEST_CASE("another format, and missing or wrong options, are usage errors") {
    const std::vector<Words> invalid = {
        {},
        {"nuscenes", "a"},
        {"nuplan", "a"},
        {"nuplan", "a", "-o", "b", "--map"},
        {"nuscenes", "a", "-o", "b", "--all-sweeps"},
        {"waymo", "a", "-o", "b", "--maps", "c"},
        {"waymo", "a", "-o", "b", "--ego", "1"},
        {"commonroad", "a"},
        {"commonroad", "a", "-o", "b", "--maps", "c"},
        {"waymo", "a", "-o", "b", "--all-sweeps"},
        {"waymo", "-o", "b"},
        {"waymo", "a"},
        {"waymo", "a", "-o", "b", "--mask", "far"},
        {"waymo", "a", "-o", "b", "--jobs", "0"},
        {"waymo", "--export", "a", "-o", "b"},
        {"scenarionet", "--export", "a"},
        {"scenarionet", "--export", "a", "b", "-o", "c"},
        {"scenarionet", "--export", "a", "-o", "b", "--map"},
        {"scenarionet", "a", "-o", "b", "--semantic-map", "c"}};
    for (const auto& words : invalid) {
      CHECK_THROWS_AS(convert_main(words), bev::cli::UsageError);
    }
  }

  TEST_CASE("Waymo files become a data set, which must not exist") {
    const bev::test::TempFolder folder;
    const auto file =
        folder.write("a.tfrecord",
                     bev::test::tfrecord(bev::test::encoded(bev::test::small_waymo())));
    const auto tables = folder.write("tables.json", R"({"lane_widths": {"bike": 2}})");
    const auto out = folder.at("out.zarr");
    const Words words{"waymo", file,     "-o", out,       "--map",    "--mask",
                      "all",   "--jobs", "2",  "--quiet", "--tables", tables};
    CHECK(convert_main(words) == 0);
    for (const char* name : {"agents/0", "meta.json", "agents_mask/0.5/0.0",
                             "semantic_map/semantic_map.pb"}) {
      CAPTURE(name);
      CHECK(std::filesystem::exists(out + "/" + name));
    }
    CHECK(bev::test::error_code([&] { convert_main(words); }) ==
          bev::Errc::invalid_argument);
    folder.write("bad.json", "{");
    CHECK(bev::test::error_code([&] {
            convert_main(Words{"waymo", file, "-o", folder.at("b.zarr"), "--tables",
                               folder.at("bad.json")});
          }) == bev::Errc::invalid_argument);
    CHECK(!std::filesystem::exists(folder.at("b.zarr")));
  }

  TEST_CASE("logs of nuPlan become a data set, with the map of their city") {
    const bev::test::TempFolder folder;
    folder.write("in/a.db", bev::test::NuplanRows().file());
    folder.write("in/deep/b.db", bev::test::NuplanRows().file());
    folder.write("maps/us-nv-las-vegas-strip/1/map.gpkg", "an older version");
    folder.write("maps/us-nv-las-vegas-strip/2/map.gpkg", bev::test::nuplan_map_file());
    const auto out = folder.at("out.zarr");
    CHECK(convert_main(Words{"nuplan", folder.at("in"), "-o", out, "--maps",
                             folder.at("maps"), "--jobs", "3"}) == 0);
    for (const char* name : {"agents/0", "agents_mask/0.5/0.0", "meta.json",
                             "semantic_map/semantic_map.pb"}) {
      CAPTURE(name);
      CHECK(std::filesystem::exists(out + "/" + name));
    }
    CHECK(bev::test::error_code([&] {
            convert_main(Words{"nuplan", folder.at("in"), "-o", folder.at("b.zarr"),
                               "--maps", folder.at("in")});
          }) == bev::Errc::not_found);
    folder.write("in/a.db-wal", "changes");
    CHECK(bev::test::error_code([&] {
            convert_main(Words{"nuplan", folder.at("in"), "-o", folder.at("b.zarr")});
          }) == bev::Errc::unsupported);
  }

  TEST_CASE("scenarios of CommonRoad become a data set, with the chosen ego vehicle") {
    const bev::test::TempFolder folder;
    folder.write("in/a.xml", bev::test::small_commonroad());
    folder.write("in/deep/b.xml", bev::test::small_commonroad());
    folder.write("in/pom.xml", "<project/>");
    const auto out = folder.at("out.zarr");
    CHECK(convert_main(Words{"commonroad", folder.at("in"), "-o", out, "--map", "--ego",
                             "42"}) == 0);
    for (const char* name : {"agents/0", "agents_mask/0.5/0.0", "meta.json",
                             "semantic_map/semantic_map.pb"}) {
      CAPTURE(name);
      CHECK(std::filesystem::exists(out + "/" + name));
    }
    CHECK(bev::test::error_code([&] {
            convert_main(Words{"commonroad", folder.at("in"), "-o", folder.at("b.zarr"),
                               "--ego", "7"});
          }) == bev::Errc::not_found);
  }

  TEST_CASE("a map of OpenDRIVE becomes a folder with a semantic map") {
    const bev::test::TempFolder folder;
    const auto file = folder.write(
        "a.xodr",
        "<OpenDRIVE><header><geoReference>+proj=tmerc</geoReference></header>"
        "<road id='1' length='9'><planView><geometry s='0' x='0' y='0' "
        "hdg='0' length='9'><line/></geometry></planView><lanes><laneSection s='0'>"
        "<right><lane id='-1' type='driving'><width sOffset='0' a='3' b='0' c='0' "
        "d='0'/>"
        "</lane></right></laneSection></lanes></road></OpenDRIVE>");
    const auto out = folder.at("out");
    CHECK(convert_main(Words{"opendrive", file, "-o", out}) == 0);
    const auto meta = bev::test::find_file(out + "/meta.json").value();
    const std::string_view text(reinterpret_cast<const char*>(meta.data()),
                                meta.size());
    CHECK(text.find("\"geo_reference\": \"+proj=tmerc\"") != text.npos);
    CHECK(std::filesystem::exists(out + "/semantic_map/semantic_map.pb"));
    CHECK(bev::test::error_code([&] {
            convert_main(Words{"opendrive", file, "-o", out});
          }) == bev::Errc::invalid_argument);
    CHECK(bev::test::error_code([&] {
            convert_main(Words{"opendrive", folder.write("b.xodr", "<osm/>"), "-o",
                               folder.at("b")});
          }) == bev::Errc::unsupported);
    CHECK(!std::filesystem::exists(folder.at("b")));
    CHECK_THROWS_AS(convert_main(Words{"opendrive", file, "--map", "-o", out}),
                    bev::cli::UsageError);
  }

  TEST_CASE("tracks of INTERACTION become a data set, with an ego vehicle if named") {
    const bev::test::TempFolder folder;
    folder.write("maps/A.osm", bev::test::small_lanelet2().text());
    const auto file = folder.write("val/A_val.csv", bev::test::small_cases());
    const auto out = folder.at("out.zarr");
    CHECK(convert_main(Words{"interaction", file, "-o", out, "--map", "--ego", "1"}) ==
          0);
    for (const char* name : {"agents/0", "agents_mask/0.5/0.0", "meta.json",
                             "semantic_map/semantic_map.pb"}) {
      CAPTURE(name);
      CHECK(std::filesystem::exists(out + "/" + name));
    }
    CHECK(bev::test::error_code([&] {
            convert_main(
                Words{"interaction", file, "-o", folder.at("b.zarr"), "--ego", "9"});
          }) == bev::Errc::not_found);
    CHECK_THROWS_AS(convert_main(Words{"waymo", file, "-o", out, "--ego", "1"}),
                    bev::cli::UsageError);
  }

  TEST_CASE("a map of Lanelet2 becomes a folder with a semantic map") {
    const bev::test::TempFolder folder;
    const auto file = folder.write("a.osm", bev::test::small_lanelet2().text());
    const auto out = folder.at("out");
    CHECK(convert_main(Words{"lanelet2", file, "--origin", "0,0", "-o", out}) == 0);
    CHECK(std::filesystem::exists(out + "/meta.json"));
    CHECK(std::filesystem::exists(out + "/semantic_map/semantic_map.pb"));
    CHECK(bev::test::error_code([&] {
            convert_main(Words{"lanelet2", folder.write("b.osm", "<OpenDRIVE/>"), "-o",
                               folder.at("b")});
          }) == bev::Errc::unsupported);
    CHECK(!std::filesystem::exists(folder.at("b")));
    for (const auto& words :
         {Words{"lanelet2", file, "--map", "-o", out}, Words{"lanelet2", file},
          Words{"lanelet2", file, "--origin", "49", "-o", out},
          Words{"lanelet2", file, "--origin", "nan,0", "-o", out},
          Words{"lanelet2", file, "--origin", "0,181", "-o", out},
          Words{"opendrive", file, "--origin", "0,0", "-o", out},
          Words{"waymo", file, "--origin", "0,0", "-o", out}}) {
      CHECK_THROWS_AS(convert_main(words), bev::cli::UsageError);
    }
  }

  TEST_CASE("a folder of ScenarioNet becomes a data set, and is exported again") {
    const bev::test::TempFolder folder;
    folder.write("in/a.pkl", bev::test::pickled(bev::test::small_waymo_scenario()));
    folder.write("in/x/b.pkl", bev::test::pickled(bev::test::small_nuscenes()));
    folder.write("in/c.pkl", "not a pickle");
    folder.write("in/dataset_mapping.pkl",
                 bev::test::pickled({{"b.pkl", "x"}, {"a.pkl", ""}}));
    const auto out = folder.at("out.zarr");
    CHECK(convert_main(Words{"scenarionet", folder.at("in"), "-o", out, "--map"}) == 0);
    const auto made = folder.at("made");
    CHECK(convert_main(Words{"scenarionet", "--export", out, "-o", made}) == 0);
    for (const char* name :
         {"dataset_summary.pkl", "dataset_mapping.pkl",
          "sd_nuscenes_bevscope_scene-0001.pkl", "sd_waymo_bevscope_scene-0001.pkl"}) {
      CAPTURE(name);
      CHECK(std::filesystem::exists(made + "/" + name));
    }
    CHECK(convert_main(
              Words{"scenarionet", made, "-o", folder.at("b.zarr"), "--map"}) == 0);
    CHECK(bev::test::error_code([&] {
            convert_main(
                Words{"scenarionet", folder.at("in/c.pkl"), "-o", folder.at("c.zarr")});
          }) == bev::Errc::corrupt_chunk);
  }
}
