#include "core/futures/nuscenes_predictions.hpp"

#include <doctest/doctest.h>

#include "tests/support/error_code.hpp"
#include "tests/support/own_futures.hpp"

namespace nuscenes_predictions_test {
namespace {

using namespace bev::test;
using namespace bev::futures;
using bev::Errc;

constexpr const char* kMade = R"([
 {"instance": "i0", "sample": "s1", "prediction": [[[1, 2], [3, 4]], [[5, 6], [7.5, -8e0]]],
  "probabilities": [0.25, 1.5]},
 {"note": {"prediction": [true, null, {"a": [1]}]}, "probabilities": [0], "sample": "s0",
  "prediction": [[[0, 0]]], "instance": "i1"} ]
)";

std::string with(const std::string& member) {
  return R"([{"instance": "i", "sample": "s", "prediction": [[[1, 2]]], )" + member +
         "}]";
}

TEST_SUITE("futures/nuscenes_predictions") {
  TEST_CASE("each prediction is a scenario, with an agent that has a name") {
    const auto shard = indexed("made", kMade);
    CHECK(shard.kind == SubmissionKind::nuscenes);
    REQUIRE(shard.scenarios.size() == 2);
    CHECK(shard.scenarios[0].id == "i0_s1");
    CHECK(shard.scenarios[1].id == "i1_s0");
    const auto found = own_futures(kMade, "i0_s1");
    check(found.view(), "made");
    CHECK(found.names == std::vector<std::string>{"i0"});
    CHECK(found.ids == std::vector<std::uint64_t>{0});
    CHECK(found.rollouts == 2);
    CHECK(found.steps == 2);
    CHECK(found.first_step == 1);
    CHECK(found.step_stride == 1);
    CHECK(found.pose_values == 2);
    CHECK_FALSE(found.is_joint);
    CHECK(found.poses == std::vector<float>{1, 3, 2, 4, 5, 7.5F, 6, -8});
    CHECK(found.scores == std::vector<float>{0.25F, 1.5F});
  }

  TEST_CASE("members that are not known are ignored") {
    CHECK(own_futures(kMade, "i1_s0").poses == std::vector<float>{0, 0});
  }

  TEST_CASE("windows may end anywhere") {
    std::string text = "[";
    for (int i = 0; i < 30'000; ++i) {
      text += (i == 0 ? "" : ",\n") + std::string(R"({"instance":"i)") +
              std::to_string(i) +
              R"(","sample":"s","prediction":[[[1,2],[3,4]]],"probabilities":[1]})";
    }
    text += "]";
    ReadCounts counts;
    const auto shard = indexed("made", text, &counts);
    CHECK(counts.largest == std::uint64_t{1} << 20U);
    REQUIRE(shard.scenarios.size() == 30'000);
    const auto& one = shard.scenarios[29'999];
    CHECK(read_shard(message_of(text, one), shard, one).at(0).names[0] == "i29999");
  }

  TEST_CASE("what is not such a prediction is refused by its number and member") {
    const auto refusal = [](const std::string& member) {
      return own_refusal(with(member));
    };
    CHECK(refusal(R"("probabilities": [1])").empty());
    CHECK(refusal(R"("a": 1)") == "made: prediction 0: probabilities: is missing");
    CHECK(refusal(R"("probabilities": [1, 2])") ==
          "made: prediction 0: probabilities: not one for each mode");
    CHECK(refusal(R"("probabilities": ["1"])") ==
          "made: prediction 0: probabilities: of another shape or type");
    CHECK(refusal(R"("probabilities": [[1]])").find("another shape") !=
          std::string::npos);
    CHECK(refusal(R"("probabilities": {})").find("another shape") != std::string::npos);
    CHECK(refusal(R"("probabilities": [1e10])").find("too large") != std::string::npos);
    CHECK(refusal(R"("probabilities": [1], "sample": "t")") ==
          "made: prediction 0: sample: occurs twice");
    CHECK(refusal(R"("probabilities": [NaN])") ==
          "made: prediction 0: not JSON, or a number that is not finite");
    CHECK(refusal(R"("probabilities": [1e999])").find("not JSON") != std::string::npos);
  }

  TEST_CASE("paths of another shape are refused") {
    const auto refusal = [](const std::string& prediction) {
      return own_refusal(R"([{"instance": "i", "sample": "s", "prediction": )" +
                         prediction + R"(, "probabilities": [1]}])");
    };
    for (const auto* const one :
         {"[]", "[[]]", "[[[]]]", "[[[1]]]", "[[[1, 2, 3]]]", "[[1, 2]]", "[1]", "1",
          "null", "\"a\"", "[[[[1]]]]", "[[[1, 2]], [[1, 2], [3, 4]]]", "[[[1, null]]]",
          "[[[1, 1e10]]]", "{}"}) {
      CAPTURE(one);
      CHECK(refusal(one).find("made: prediction 0: prediction: ") == 0);
    }
    std::string modes = "[[[1,2]]";
    for (int i = 0; i < 1'024; ++i) modes += ",[[1,2]]";
    CHECK(refusal(modes + "]").find("too many modes") != std::string::npos);
  }

  TEST_CASE("tokens, and lists that are none, are refused") {
    for (const auto* const token : {"", "a_b", "a b", "\\u00e4"}) {
      CHECK(own_refusal(std::string(R"([{"sample": "s", "prediction": [[[1, 2]]],)"
                                    R"("probabilities": [1], "instance": ")") +
                        token + "\"}]") == "made: prediction 0: instance: not a token");
    }
    CHECK(own_refusal("[1]") == "made: prediction 0: not an object");
    CHECK(own_refusal("[[1]]") == "made: prediction 0: not an object");
    CHECK(own_refusal("[\"a\"]") == "made: prediction 0: not an object");
    CHECK(own_refusal("[]") ==
          "made: no scenarios; not a submission to the nuScenes prediction challenge");
    CHECK(own_refusal("[{},]").find("made: ") == 0);
    CHECK(own_refusal("[{\"a\":").find("not a JSON array") != std::string::npos);
    CHECK(own_refusal("[" + std::string(100'000, '[')).find("made: ") == 0);
    const std::string one = with(R"("probabilities": [1])");
    CHECK(own_refusal(one.substr(0, one.size() - 1) + "," + one.substr(1))
              .find("occurs twice") != std::string::npos);
  }

  TEST_CASE("every truncation is refused") {
    const std::string file = kMade;
    const auto end = file.find_last_of(']');
    for (std::size_t size = 1; size <= end; ++size) {
      CAPTURE(size);
      CHECK_FALSE(own_refusal(file.substr(0, size)).empty());
    }
  }

  TEST_CASE("another prediction at a place of the index is refused") {
    const auto shard = indexed("made", kMade);
    CHECK(error_code([&] {
            read_shard(message_of(kMade, shard.scenarios[1]), shard,
                       shard.scenarios[0]);
          }) == Errc::invalid_metadata);
  }
}

}  // namespace
}  // namespace nuscenes_predictions_test
