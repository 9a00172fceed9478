#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "native/cli/arguments.hpp"
#include "native/cli/commands.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/small_folder.hpp"
#include "tests/support/temp_folder.hpp"

using bev::Errc;
using bev::cli::UsageError;
using bev::native::describe_main;
using bev::test::error_code;
using bev::test::file_text;
using bev::test::SmallFolder;
using Words = std::vector<std::string>;

namespace {

/// A data set of two scenes of five frames of three agents, described in a file.
struct Describe {
  SmallFolder data;
  bev::test::TempFolder out;

  std::string text(Words words) const {
    words.insert(words.begin(), {data.dataset(), "--quiet", "-o", out.at("out")});
    REQUIRE(describe_main(words) == 0);
    return file_text(out.at("out"));
  }
};

}  // namespace

TEST_SUITE("native/scan/describe_command") {
  TEST_CASE("a table has a line per element of a field") {
    const Describe describe;
    CHECK(describe.text({"--where", "scene == 0 and track_id == 2", "--fields",
                         "row,centroid"}) ==
          "rows: 5\n"
          "field        count  nan  min  5%  25%  50%  75%  95%  max  mean      std  "
          "histogram\n"
          "row              5    0    1   1    4    7   10   13   13     7  4.24264  "
          "|@     @     @     @     @|\n"
          "centroid[0]      5    0    0   0    2    4    6    8    8     4  2.82843  "
          "|@   @   @   @   @|\n"
          "centroid[1]      5    0    1   1    1    1    1    1    1     1        0  "
          "|@|\n");
  }

  TEST_CASE("JSON has all quantiles, and groups by a column") {
    const Describe describe;
    const auto found = nlohmann::json::parse(
        describe.text({"--fields", "row", "--by", "scene", "--format", "json"}));
    CHECK(found["rows"] == 30);
    CHECK(found["groups"][1]["value"] == 1);
    CHECK(found["groups"][1]["columns"][0]["min"] == 15);
    CHECK(found["groups"][1]["columns"][0]["quantiles"].size() == 7);
  }

  TEST_CASE("invalid options are errors, and write no file") {
    const Describe describe;
    CHECK_THROWS_AS(describe_main(Words{"x", "--format", "csv"}), UsageError);
    CHECK_THROWS_AS(describe_main(Words{"x", "--window", "1,1"}), UsageError);
    const Words words{describe.data.dataset(), "--by", "sceen", "--quiet", "-o",
                      describe.out.at("out")};
    CHECK(error_code([&] { describe_main(words); }) == Errc::not_found);
    CHECK_FALSE(std::filesystem::exists(describe.out.at("out")));
  }
}
