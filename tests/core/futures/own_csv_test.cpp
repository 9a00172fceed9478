#include "core/futures/own_csv.hpp"

#include <doctest/doctest.h>

#include "tests/support/error_code.hpp"
#include "tests/support/own_futures.hpp"

namespace own_csv_test {
namespace {

using namespace bev::test;
using namespace bev::futures;
using bev::Errc;

constexpr const char* kMade =
    "# name: My model\r\n"
    "step,scenario_id,note,track_id,mode,x,y,yaw,length,width,probability\r\n"
    "11,a,hi,7,0,1,2,0.5,4,2,0.75\r\n"
    "13,a,hi,7,0,1.5,2,0.5,4,2,0.75\r\n"
    "11,a,,AV,0,5,6,-1,5,2,0.75\r\n"
    "11,a,,7,1,-1e0,-2,0,4,2,0.25\r\n"
    "\r\n"
    "0,\"b\",\"x, y\",1,0,0,0,0,1,1,1\n";

TEST_SUITE("futures/own_csv") {
  TEST_CASE("rows are poses by mode, agent and step") {
    const auto shard = indexed("made", kMade);
    CHECK(shard.card.method == "My model");
    CHECK(shard.kind == SubmissionKind::futures);
    REQUIRE(shard.scenarios.size() == 2);
    const auto found = own_futures(kMade, "a");
    check(found.view(), "made");
    CHECK(found.ids == std::vector<std::uint64_t>{7, kEgoId});
    CHECK(found.rollouts == 2);
    CHECK(found.steps == 2);
    CHECK(found.first_step == 11);
    CHECK(found.step_stride == 2);
    CHECK(found.is_joint);
    const auto view = found.view();
    CHECK(view.poses.at(0, 0, 1, kX) == 1.5F);
    CHECK(view.poses.at(1, 0, 0, kX) == -1);
    CHECK(view.poses.at(0, 1, 0, kYaw) == -1);
    CHECK(view.sizes.at(0, 1, 0, kLength) == 5);
    CHECK(view.is_valid(0, 0, 1));
    CHECK_FALSE(view.is_valid(1, 0, 1));
    CHECK_FALSE(view.is_valid(1, 1, 0));
    const auto other = own_futures(kMade, "b");
    CHECK(other.valid.empty());
    CHECK(other.scores == std::vector<float>{1});
  }

  TEST_CASE("a mode has one probability, or each agent its own") {
    CHECK(own_futures(kMade, "a").scores == std::vector<float>{0.75F, 0.75F, 0.25F, 0});
    const auto found = own_futures(
        "# joint: false\nscenario_id,track_id,mode,step,x,y,probability\n"
        "a,1,0,15,0,0,.5\na,2,0,15,0,0,.5\n",
        "a");
    CHECK_FALSE(found.is_joint);
    CHECK(found.pose_values == 2);
    CHECK(found.scores == std::vector<float>{0.5F, 0.5F});
  }

  TEST_CASE("windows may end anywhere") {
    std::string text = "scenario_id,track_id,step,x,y\n";
    for (int i = 0; i < 120'000; ++i) {
      text += "s" + std::to_string(i / 1'000) + ",7," + std::to_string(i % 1'000) +
              ",1,2\n";
    }
    ReadCounts counts;
    const auto shard = indexed("made", text, &counts);
    REQUIRE(shard.scenarios.size() == 120);
    CHECK(counts.largest == std::uint64_t{1} << 20U);
    const auto found = own_futures(text, "s77");
    CHECK(found.steps == 1'000);
    CHECK(found.valid.empty());
  }

  TEST_CASE("what is not understood is refused by line or row") {
    const std::string head = "scenario_id,track_id,step,x,y,mode,probability\n";
    const auto refusal = [&](const std::string& rows) {
      return own_refusal(head + rows);
    };
    CHECK(refusal("a,1,0,0\n") ==
          "made: line 2: wrong number of cells (found 4, expected 7)");
    CHECK(refusal("a,7f,0,0,0,0,1\n") ==
          "made: scenario a: row 0: track_id: neither a whole number nor AV (found "
          "\"7f\")");
    CHECK(refusal("a,1,0.5,0,0,0,1\n") ==
          "made: scenario a: row 0: step: not a whole number (found \"0.5\")");
    for (const auto* const number : {"nan", "inf", "1e999", "2e9", "", "0x1", "=1+1"}) {
      CAPTURE(number);
      CHECK(refusal("a,1,0," + std::string(number) + ",0,0,1\n") ==
            "made: scenario a: row 0: x: not a finite number, or too large (found \"" +
                std::string(number) + "\")");
    }
    CHECK(refusal("a,1,0,0,0,-1,1\n") ==
          "made: scenario a: row 0: mode: negative (found -1)");
    CHECK(refusal("a,1,0,0,0,0,1\na,1,0,0,0,0,1\n") ==
          "made: scenario a: mode 0, agent 1, step 0: occurs twice");
    CHECK(refusal("a,1,0,0,0,0,1\na,1,1,0,0,0,.5\n") ==
          "made: scenario a: mode 0, agent 1, step 1: another probability than in the "
          "rows before");
    CHECK(refusal("a,1,0,0,0,0,1\nb,1,0,0,0,0,1\na,1,1,0,0,0,1\n")
              .find("scenario a: occurs twice") != std::string::npos);
    const auto rows = head + "a,1,0,0,0,0,1\nb,1,0,0,0,0,1\n";
    auto shard = indexed("made", rows);
    shard.scenarios[0].bytes = shard.scenarios[1].bytes;
    CHECK_THROWS_WITH_AS(
        read_shard(message_of(rows, shard.scenarios[0]), shard, shard.scenarios[0]),
        "made: scenario a: row 0: of another scenario (found b)", bev::Error);
    CHECK(refusal(",1,0,0,0,0,1\n") ==
          "made: line 2: scenario_id is empty, or too long");
    CHECK(refusal("a,\"1\"\"\",0,0,0,0,1\n") ==
          "made: line 2: quotes within a cell are not supported");
    CHECK(refusal("").find("no scenarios") != std::string::npos);
    CHECK(own_refusal("scenario_id,track_id,step,x\n") ==
          "made: line 1: column y is missing");
    CHECK(own_refusal("scenario_id,track_id,step,x,y,x\n") ==
          "made: line 1: column x occurs twice");
    CHECK(own_refusal("scenario_id,track_id,step,x,y,length\n") ==
          "made: line 1: columns length and width go together");
    CHECK(own_refusal("# joint: maybe\nscenario_id,track_id,step,x,y\n") ==
          "made: line 1: joint: neither true nor false (found \"maybe\")");
  }

  TEST_CASE("limits hold before memory is allocated") {
    const std::string head = "scenario_id,track_id,step,x,y,mode\n";
    const auto code = [&](const std::string& rows) {
      return error_code([&] { own_futures(head + rows, "a"); });
    };
    CHECK(code("a,1,0,0,0,1024\n") == Errc::limit_exceeded);
    CHECK(code("a,1,0,0,0,99999999999\n") == Errc::limit_exceeded);
    CHECK(code("a,1,0,0,0,0\na,1,1,0,0,0\na,1,2000,0,0,0\n") == Errc::limit_exceeded);
    CHECK(code("a,1,0,0,0,0\na,1,99999999,0,0,0\n") == Errc::limit_exceeded);
    // 1,022 agents in one step, of which one is also in step 999 and in another mode.
    std::string sparse;
    for (int i = 0; i < 1'022; ++i) sparse += "a," + std::to_string(i) + ",0,0,0,0\n";
    CHECK(code(sparse + "a,0,999,0,0,0\na,0,1,0,0,1\n") == Errc::limit_exceeded);
    CHECK(error_code([&] {
            indexed("made", head + std::string(5'000, 'a') + ",1,0,0,0,0\n");
          }) == Errc::limit_exceeded);
    CHECK(error_code([&] { indexed("made", head + "\xff,1,0,0,0,0\n"); }) ==
          Errc::corrupt_chunk);
  }
}

}  // namespace
}  // namespace own_csv_test
