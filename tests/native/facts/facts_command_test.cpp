#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "native/cli/commands.hpp"
#include "native/facts/facts.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/small_folder.hpp"
#include "tests/support/temp_folder.hpp"

using bev::native::facts_main;
using bev::test::file_text;
using bev::test::SmallFolder;
using Words = std::vector<std::string>;

namespace {

/// The facts of a data set of two scenes of five frames of three agents, in a file.
struct Facts {
  SmallFolder data;
  bev::test::TempFolder out;

  std::string text(Words words) const {
    words.insert(words.begin(), {data.dataset(), "--quiet", "-o", out.at("out")});
    REQUIRE(facts_main(words) == 0);
    return file_text(out.at("out"));
  }

  nlohmann::json rows(Words words) const {
    words.insert(words.end(), {"--format", "json"});
    return nlohmann::json::parse(text(words));
  }
};

}  // namespace

TEST_SUITE("native/facts/facts_command") {
  TEST_CASE("scenes that pass are written, with names for integers") {
    const Facts facts;
    const auto all = facts.rows({});
    REQUIRE(all.size() == 2);
    CHECK(all[1].at("scene") == 1);
    CHECK(all[1].at("frames") == 5);
    CHECK(all[1].at("turn") == "straight");
    CHECK(all[1].at("light") == "unknown");
    CHECK(all[1].at("ego_mean_speed").get<double>() == doctest::Approx(20));
    const auto one = facts.rows({"--where", "scene == 1 and turn == 'straight'"});
    CHECK(one.size() == 1);
    CHECK(facts.rows({"--where", "turn == 'left'"}).empty());
  }

  TEST_CASE("csv has a column per fact; tracks have a row each") {
    const Facts facts;
    const auto text = facts.text({"--tracks", "--where", "track_id == 2"});
    CHECK(text.rfind("scene,track_id,label,class,frames,first_frame,duration,", 0) ==
          0);
    CHECK(text.find("\n0,2,CAR,VEHICLE,5,0,") != std::string::npos);
    CHECK(text.find("\n1,2,CAR,VEHICLE,5,0,") != std::string::npos);
    CHECK(std::count(text.begin(), text.end(), '\n') == 3);
  }

  TEST_CASE("nothing is written if there is no data set") {
    const bev::test::TempFolder folder;
    folder.write("empty/note.txt", "");
    const auto source = bev::native::open_source(folder.at("empty"));
    for (const char* format : {"csv", "json", "npy", "arrow"}) {
      bev::native::FactsOptions options;
      options.format = format;
      std::size_t written = 0;
      CHECK(bev::test::error_code([&] {
              bev::native::write_facts(*source, options,
                                       [&](auto bytes) { written += bytes.size(); });
            }) == bev::Errc::missing_key);
      CHECK(written == 0);
    }
  }

  TEST_CASE("npy has the number of rows in its header") {
    const Facts facts;
    const auto text = facts.text({"--tracks", "--format", "npy"});
    CHECK(text.find("'shape': (6,)") != std::string::npos);
  }
}
