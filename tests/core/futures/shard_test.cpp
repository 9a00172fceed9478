#include "core/futures/shard.hpp"

#include <doctest/doctest.h>

#include "tests/support/error_code.hpp"
#include "tests/support/own_futures.hpp"

namespace shard_test {
namespace {

using namespace bev::test;
using namespace bev::futures;
using bev::Errc;

std::string small_message() {
  return submission_file({rollouts_message("a", {{trajectory_along(7, 1, 2, 3)}})});
}

TEST_SUITE("futures/shard") {
  TEST_CASE("content tells the form of a file, whatever its name") {
    CHECK(indexed("a.csv", small_message()).kind == SubmissionKind::sim_agents);
    CHECK(indexed("a.binproto", npz_file(npz_arrays())).kind ==
          SubmissionKind::futures);
    CHECK(indexed("a.npz", "# joint: false\ntrack_id,scenario_id,step,x,y\n1,a,0,0,0\n")
              .kind == SubmissionKind::predictions);
    CHECK(indexed("a", "\xef\xbb\xbfx,y,step,track_id,scenario_id\n0,0,0,1,a\n").kind ==
          SubmissionKind::futures);
    CHECK(indexed("a.csv", R"( [{"instance":"i","sample":"s","prediction":[[[1,2]]],)"
                           R"("probabilities":[1]}])")
              .kind == SubmissionKind::nuscenes);
    CHECK(
        indexed("a.json", "case_id,track_id,frame_id,timestamp_ms,x1,y1\n1,2,3,4,5,6\n")
            .kind == SubmissionKind::interpret);
  }

  TEST_CASE("columns may be named late in a text") {
    const auto file =
        "# " + std::string(100, '-') + "\nscenario_id,track_id,step,x,y\na,1,0,0,0\n";
    CHECK(indexed("a", file).scenarios.size() == 1);
  }

  TEST_CASE("a message that begins with a long text is still one") {
    const auto file =
        submission_wire::message(4, std::string(120, 'm')) + small_message();
    CHECK(indexed("a", file).kind == SubmissionKind::sim_agents);
  }

  TEST_CASE("forms that are not read are named") {
    const auto refusal = [](const std::string& file) { return own_refusal(file); };
    CHECK(refusal("PAR1\x15\x04") == "made: Parquet that is not complete");
    CHECK(refusal("\x1f\x8b\x08").find("compressed") != std::string::npos);
    CHECK(refusal("\xfd"
                  "7zXZ")
              .find("compressed") != std::string::npos);
    CHECK(refusal(npy_file("<f4", "(1,)", "abcd")).find("results.save") !=
          std::string::npos);
    CHECK(refusal("").find("no scenarios") != std::string::npos);
    CHECK(refusal("a text that is no table") ==
          "made: a text without the columns scenario_id, track_id, step, x and y");
    std::string tar(1'024, '\0');
    tar.replace(0, 4, "../x").replace(257, 5, "ustar");
    CHECK(refusal(tar) == "made: an archive; unpack it first");
  }

  TEST_CASE("only a complete index is taken, and only whole ranges supplied") {
    CHECK(error_code([] { ShardIndexer("a", 10).take(); }) == Errc::invalid_argument);
    CHECK(error_code([] { ShardIndexer("a", 10).supply({}); }) == Errc::corrupt_chunk);
  }

  TEST_CASE("errors of a scenario name file and scenario") {
    const auto file = npz_file(npz_arrays());
    const auto shard = indexed("made", file);
    CHECK(error_code([&] { read_shard("abc", shard, shard.scenarios[0]); }) ==
          Errc::corrupt_chunk);
    const auto message = small_message();
    const auto other = indexed("made", message);
    CHECK(read_shard(message_of(message, other.scenarios[0]), other, other.scenarios[0])
              .size() == 1);
  }
}

}  // namespace
}  // namespace shard_test
