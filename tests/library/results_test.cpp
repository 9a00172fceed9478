#include <doctest/doctest.h>

#include <bevscope/error.hpp>
#include <bevscope/results.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

#include "tests/support/error_code.hpp"
#include "tests/support/files.hpp"
#include "tests/support/submissions.hpp"
#include "tests/support/waymo_files.hpp"

namespace library_results_test {
namespace {

using namespace bev;

SubmissionFile file_of(const std::string& name, const std::string& content) {
  return {name, content.size(), [content](ByteRange range) {
            const auto bytes = std::as_bytes(std::span<const char>(content))
                                   .subspan(static_cast<std::size_t>(range.begin),
                                            static_cast<std::size_t>(range.size()));
            return std::vector<std::byte>(bytes.begin(), bytes.end());
          }};
}

std::string made(const std::string& id, std::size_t rollouts) {
  const test::MadeScene scene{test::trajectory_along(7, 1, 2),
                              test::trajectory_along(9, 3, 4)};
  return test::submission_file(
      {test::rollouts_message(id, std::vector<test::MadeScene>(rollouts, scene))});
}

TEST_SUITE("library/results") {
  TEST_CASE("a submission lists its scenarios, and reads them one by one") {
    const Submission submission(
        {file_of("1", made("a", 2)), file_of("2", made("b", 3))});
    CHECK(submission.kind() == "sim agents");
    CHECK(submission.card().method == "made");
    CHECK(submission.card().link == "https://example.com/made");
    CHECK(submission.scenarios() == std::vector<std::string>{"a", "b"});
    const auto found = submission.read("b");
    REQUIRE(found.size() == 1);
    CHECK(found[0].rollouts == 3);
    CHECK(found[0].ids == std::vector<std::uint64_t>{7, 9});
    CHECK(found[0].poses.size() == 3U * 2 * 4 * 80);
    CHECK(found[0].poses[4 * 80 + 80] == 4);  // y of agent 9
    CHECK(test::error_code([&] { submission.read("c"); }) == Errc::not_found);
  }

  TEST_CASE("files that change, or are no submission, are refused") {
    auto file = file_of("1", made("a", 2));
    file.read = [](ByteRange) { return std::vector<std::byte>(); };
    CHECK(test::error_code([&] { Submission({file}); }) == Errc::changed);
    CHECK(test::error_code([] { Submission({}); }) == Errc::invalid_argument);
    CHECK(test::error_code([] { Submission({file_of("x", "\x0a\x7f\x0a")}); }) ==
          Errc::corrupt_chunk);
  }

  TEST_CASE("files of scores are tables, of planners one for each") {
    ScoreReader reader;
    const auto add = [&](const std::string& text, const char* name) {
      reader.add(std::as_bytes(std::span<const char>(text)), name);
    };
    add("scenario_id,ade,min_ade\na,2,1\nb,,0.5\n", "scores.csv");
    add("planner_name,scenario_id,ttc\nidm,s,1\nnet,s,0\n", "planners.csv");
    CHECK(test::error_code([&] { add("a,b\n1,2\n", "x.csv"); }) == Errc::unsupported);
    const auto found = reader.finish();
    REQUIRE(found.size() == 3);
    CHECK(found[0].name == "scores.csv");
    CHECK(found[0].columns == std::vector<std::string>{"ade", "min_ade"});
    CHECK(found[0].scenarios == std::vector<std::string>{"a", "b"});
    CHECK(found[0].first_row == std::vector<std::uint32_t>{0, 1, 2});
    CHECK(found[0].values[1] == 1);
    CHECK(std::isnan(found[0].values[2]));
    CHECK_FALSE(found[0].is_of_planner);
    CHECK(found[2].name == "net");
    CHECK(found[2].is_of_planner);
    CHECK(found[2].values == std::vector<double>{0});
  }

  TEST_CASE("scores are of the scenarios that both have") {
    BEV_REQUIRE_WAYMO();
    const auto record = test::read_file(test::waymo_files() +
                                        "/testdata/motion_data_one_scenario.tfrecord");
    const Submission submission({file_of(
        "real", test::read_text(test::waymo_files() +
                                "/sim_agents/testdata/test_submission.binproto"))});
    SubmissionScores scores;
    SubmissionScore one;
    REQUIRE(scores.add(submission, record, 0, one));
    CHECK(one.scenario_id == "637f20cafde22ff8");
    CHECK(one.evaluated == 4);
    CHECK(one.collision_rate == 0.6875);
    CHECK_FALSE(scores.add(Submission({file_of("1", made("a", 1))}), record, 0, one));
    const auto all = nlohmann::json::parse(scores.json());
    CHECK(all["scenarios"] == 1);
    CHECK(all["mismatches"]["scenarios missing"]["count"] == 1);
  }
}

}  // namespace
}  // namespace library_results_test
