#include "core/futures/interpret_csv.hpp"

#include <doctest/doctest.h>

#include "tests/support/error_code.hpp"
#include "tests/support/own_futures.hpp"

namespace interpret_csv_test {
namespace {

using namespace bev::test;
using namespace bev::futures;

/// Two cases of two tracks; the first one's second track has one frame.
constexpr const char* kJoint =
    "case_id,track_id,frame_id,timestamp_ms,interesting_agent,x1,y1,psi_rad1,y2,x2,"
    "psi_rad2\r\n"
    "1.0,3,11,1100,1,1,2,0.5,20,10,-0.5\r\n"
    "1.0,3,12,1200,1,1.5,2,0.25,21,11,0\r\n"
    "1.0,P4,12,1200,0,5,6,0,60,50,0\r\n"
    "2,7.0,11,1100,1,0,0,0,0,0,0\n"
    "2,8,11,1100,1,1,1,1,1,1,1";

constexpr const char* kSingle =
    "x1,y1,case_id,track_id,frame_id,timestamp_ms,track_to_predict\n"
    "1,2,1,5,11,1100,1\n3,4,1,5,12,1200,1\n9,9,1,6,11,1100,0\n";

SubmissionShard shard_of(std::string_view text) {
  return indexed("a/b/DR_CHN_Merging_ZS0_sub.csv", text);
}

FuturesData read_case(std::string_view text, std::size_t i) {
  const auto shard = shard_of(text);
  const auto& one = shard.scenarios.at(i);
  return read_shard(message_of(text, one), shard, one).at(0);
}

TEST_SUITE("futures/interpret_csv") {
  TEST_CASE("cases are scenarios with the name of the file") {
    const auto shard = shard_of(kJoint);
    CHECK(shard.kind == SubmissionKind::interpret);
    REQUIRE(shard.scenarios.size() == 2);
    CHECK(shard.scenarios[0].id == "DR_CHN_Merging_ZS0/1");
    CHECK(shard.scenarios[1].id == "DR_CHN_Merging_ZS0/2");
  }

  TEST_CASE("modes of all agents are joint if they have headings") {
    const auto found = read_case(kJoint, 0);
    check(found.view(), "made");
    CHECK(found.names == std::vector<std::string>{"3", "P4"});
    CHECK(found.ids == std::vector<std::uint64_t>{0, 1});
    CHECK(found.is_joint);
    CHECK(found.rollouts == 2);
    CHECK(found.steps == 2);
    CHECK(found.first_step == 10);
    const auto view = found.view();
    CHECK(view.poses.at(0, 0, 1, kX) == 1.5F);
    CHECK(view.poses.at(1, 0, 1, kX) == 11);
    CHECK(view.poses.at(1, 0, 0, kYaw) == -0.5F);
    CHECK(view.poses.at(1, 1, 1, kY) == 60);
    CHECK(view.is_valid(1, 0, 0));
    CHECK_FALSE(view.is_valid(0, 1, 0));
    CHECK(found.scores.empty());
  }

  TEST_CASE("tracks whose ids all are numbers have these") {
    const auto found = read_case(kJoint, 1);
    CHECK(found.ids == std::vector<std::uint64_t>{7, 8});
    CHECK(found.names.empty());
    CHECK(found.valid.empty());
  }

  TEST_CASE("modes of single agents have places only, of the tracks to predict") {
    const auto found = read_case(kSingle, 0);
    CHECK_FALSE(found.is_joint);
    CHECK(found.pose_values == 2);
    CHECK(found.ids == std::vector<std::uint64_t>{5});
    CHECK(found.poses == std::vector<float>{1, 3, 2, 4});
  }

  TEST_CASE("a case of 30 frames, six modes and joint agents has its shape") {
    std::string text = "case_id,track_id,frame_id,timestamp_ms,interesting_agent";
    for (int m = 1; m <= 6; ++m) {
      const auto n = std::to_string(m);
      text += ",x" + n + ",y" + n + ",psi_rad" + n;
    }
    text += "\n";
    for (int c = 1; c <= 3; ++c) {
      for (int track = 1; track <= 4; ++track) {
        for (int frame = 11; frame <= 40; ++frame) {
          text += std::to_string(c) + ".0," + std::to_string(track) + "," +
                  std::to_string(frame) + "," + std::to_string(frame * 100) + ",0";
          for (int m = 0; m < 18; ++m) text += "," + std::to_string(m) + ".5";
          text += "\n";
        }
      }
    }
    CHECK(shard_of(text).scenarios.size() == 3);
    const auto found = read_case(text, 2);
    CHECK(found.rollouts == 6);
    CHECK(found.ids.size() == 4);
    CHECK(found.steps == 30);
    CHECK(found.view().poses.at(5, 3, 29, kYaw) == 17.5F);
  }

  TEST_CASE("what is not understood is refused by line or row") {
    const std::string head = "case_id,track_id,frame_id,timestamp_ms,x1,y1\n";
    const auto refusal = [&](const std::string& rows) {
      return own_refusal(head + rows);
    };
    CHECK(refusal("1,2,11,1100,0,0\n").empty());
    CHECK(refusal("") ==
          "made: no scenarios; not a submission to the INTERPRET challenge; rows of a "
          "case must follow one another");
    CHECK(refusal("1,2,11,1100,0\n") ==
          "made: line 2: wrong number of cells (found 5, expected 6)");
    CHECK(refusal(",2,11,1100,0,0\n") == "made: line 2: case_id is empty, or too long");
    CHECK(refusal("1,,11,1100,0,0\n").find("track_id: empty") != std::string::npos);
    CHECK(refusal("1,2,0,1100,0,0\n").find("frame_id: not a whole number from 1 on") !=
          std::string::npos);
    CHECK(refusal("1,2,11,1100,x,0\n").find("x: not a finite number") !=
          std::string::npos);
    CHECK(refusal("1,2,11,1100,1e999,0\n").find("x: not a finite") !=
          std::string::npos);
    CHECK(refusal("1,2,11,1100,0,0\n1,2,11,1100,0,0\n")
              .find("track 2, frame 11: occurs twice") != std::string::npos);
    CHECK(refusal("1,2,11,1100,0,0\n2,2,11,1100,0,0\n1,3,11,1100,0,0\n")
              .find("occurs twice") != std::string::npos);
    CHECK(refusal("1,2,11,1100,0,0\n1,2,900000000,1100,0,0\n").find("too many steps") !=
          std::string::npos);
    CHECK(refusal("1,2,11," + std::string(5'000, '1') + ",0,0\n").find("too long") !=
          std::string::npos);
  }

  TEST_CASE("headers that lack a column are refused") {
    const auto refusal = [](const std::string& header) {
      return own_refusal(header + "\n");
    };
    CHECK(refusal("case_id,track_id,x1,y1") ==
          "made: line 1: column frame_id is missing");
    CHECK(refusal("case_id,track_id,frame_id,x1,y1,y1") ==
          "made: line 1: column y1 occurs twice");
    for (const auto* const one : {"x1", "x1,y1,x2", "x1,y1,psi_rad1,x2,y2",
                                  "x1,y1,x3,y3", "x1,y1,x2,y2,psi_rad2"}) {
      CAPTURE(one);
      CHECK(refusal(std::string("case_id,track_id,frame_id,") + one)
                .find("are incomplete") != std::string::npos);
    }
  }

  TEST_CASE("few rows do not make large arrays") {
    std::string text = "case_id,track_id,frame_id,timestamp_ms,x1,y1\n";
    for (int track = 0; track < 2'000; ++track) {
      text += "1," + std::to_string(track) + ",11,1100,0,0\n";
    }
    text += "1,0,1000,1100,0,0\n";
    CHECK(own_refusal(text).find("too few rows") != std::string::npos);
  }
}

}  // namespace
}  // namespace interpret_csv_test
