#include "native/results/submission_files.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>

#include "tests/support/submissions.hpp"
#include "tests/support/temp_folder.hpp"

namespace submission_files_test {
namespace {

using namespace bev;
using namespace bev::native;
namespace fs = std::filesystem;

std::string one_scenario(const std::string& id) {
  return test::submission_file(
      {test::rollouts_message(id, {{test::trajectory_along(7, 1, 2, 3)}})});
}

TEST_SUITE("results/submission_files") {
  TEST_CASE("side files beside shards are written, used, and no shards themselves") {
    const test::TempFolder folder;
    const auto a = folder.write("m.binproto-00000-of-00002", one_scenario("a"));
    const auto b = folder.write("m.binproto-00001-of-00002", one_scenario("b"));
    const SubmissionFiles first({a, b}, SideFiles::ignore);
    const auto written = first.write_side_files();
    CHECK(written == std::vector<std::string>{a + ".index.json", b + ".index.json"});
    const SubmissionFiles again({folder.path().string()});
    CHECK(again.all().size() == 2);
    CHECK(again.all().notices().empty());
    CHECK(again.read(again.all().find("b").value()).at(0).ids ==
          std::vector<std::uint64_t>{7});
    const SubmissionFiles named({a, a + ".index.json"});
    CHECK(named.all().size() == 1);
  }

  TEST_CASE("a side file that is older than its shard is ignored") {
    const test::TempFolder folder;
    const auto path = folder.write("m.binproto", one_scenario("a"));
    SubmissionFiles({path}, SideFiles::ignore).write_side_files();
    const auto side = path + ".index.json";
    fs::last_write_time(side, fs::last_write_time(path) - std::chrono::seconds(1));
    const SubmissionFiles found({path});
    CHECK(found.all().size() == 1);
    REQUIRE(found.all().notices().size() == 1);
    CHECK(found.all().notices()[0].find("older than its file") != std::string::npos);
    const SubmissionFiles anew({path}, SideFiles::ignore);
    CHECK(anew.all().notices().empty());
  }
}

}  // namespace
}  // namespace submission_files_test
