#include "core/futures/own_npz.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/error_code.hpp"
#include "tests/support/own_futures.hpp"

namespace own_npz_test {
namespace {

using namespace bev::test;
using namespace bev::futures;
using bev::Errc;

std::string refusal_with(const std::string& name, const std::string& file) {
  return own_refusal(npz_file(npz_with(name, file)));
}

TEST_SUITE("futures/own_npz") {
  TEST_CASE("scenarios are ranges of one array") {
    const auto file = npz_file(npz_arrays());
    const auto shard = indexed("made", file);
    CHECK(shard.kind == SubmissionKind::futures);
    REQUIRE(shard.scenarios.size() == 2);
    CHECK(shard.scenarios[0].bytes.size() == 2 * 2 * 3 * 4 * 4);
    CHECK(shard.scenarios[0].bytes.end == shard.scenarios[1].bytes.begin);
    const auto found = own_futures(file, "b");
    check(found.view(), "made");
    CHECK(found.ids == std::vector<std::uint64_t>{9});
    CHECK(found.rollouts == 2);
    CHECK(found.steps == 3);
    CHECK(found.first_step == 11);
    CHECK(found.pose_values == 4);
    CHECK(found.valid.empty());
    CHECK(found.view().poses.at(1, 0, 2, kYaw) == 10 * (12 + 6 + 2) + 3);
    const auto first = own_futures(file, "a");
    CHECK(first.view().poses.at(1, 1, 0, kY) == 10 * 9 + 1);
  }

  TEST_CASE("fields may be others, in any order and of double precision") {
    std::vector<double> values;
    for (int i = 0; i < 24; ++i) values.insert(values.end(), {1.0 * i, 0.5, 7.0});
    auto arrays =
        npz_with("futures", npy_file("<f8", "(2, 2, 2, 3, 3)", npy_bytes(values)));
    arrays.emplace_back("fields", npy_file("<U7", "()", ucs4("yaw,y,x", 7)));
    const auto found = own_futures(npz_file(arrays), "a");
    CHECK(found.view().poses.at(0, 0, 2, kYaw) == 2);
    CHECK(found.view().poses.at(0, 0, 2, kX) == 7);
    CHECK(found.view().poses.at(0, 0, 2, kZ) == 0);
  }

  TEST_CASE("probabilities, sizes, validity, stride and name are optional arrays") {
    auto arrays = npz_arrays();
    std::vector<std::uint8_t> valid(24, 1);
    valid[5] = 0;
    arrays.emplace_back("valid", npy_file("|b1", "(2, 2, 2, 3)", npy_bytes(valid)));
    arrays.emplace_back("probability",
                        npy_file("<f4", "(2, 2)", npy_bytes<float>({.7F, .3F, 1, 0})));
    arrays.emplace_back("size", npy_file("<f4", "(2, 2, 2)",
                                         npy_bytes<float>({4, 2, 5, 3, 1, 1, 0, 0})));
    arrays.emplace_back("step_stride", npy_file("<i4", "()", npy_bytes<int>({5})));
    arrays.emplace_back("joint", npy_file("|b1", "()", std::string(1, '\0')));
    arrays.emplace_back("name", npy_file("|S5", "()", std::string("mine\0", 5)));
    const auto file = npz_file(arrays);
    CHECK(indexed("made", file).card.method == "mine");
    CHECK(indexed("made", file).kind == SubmissionKind::predictions);
    const auto found = own_futures(file, "a");
    check(found.view(), "made");
    CHECK_FALSE(found.is_joint);
    CHECK(found.step_stride == 5);
    CHECK(found.scores == std::vector<float>{.7F, .3F});
    CHECK(found.sizes == std::vector<float>{4, 2, 0, 5, 3, 0});
    CHECK_FALSE(found.view().is_valid(0, 1, 2));
    CHECK(found.view().is_valid(0, 1, 1));
  }

  TEST_CASE("small arrays may be compressed, futures may not") {
    const auto found = own_refusal(npz_file(npz_arrays(), true));
    CHECK(found.find("use numpy.savez") != std::string::npos);
  }

  TEST_CASE("NaN is a pose that is not there; agents may be texts") {
    std::vector<float> values(96, 1);
    values[0] = NAN;
    auto arrays =
        npz_with("futures", npy_file("<f4", "(2, 2, 2, 3, 4)", npy_bytes(values)));
    std::erase_if(arrays, [](const auto& one) { return one.first == "track_id"; });
    arrays.emplace_back("track_id", npy_file("<U2", "(2, 2)",
                                             ucs4("AV", 2) + ucs4("12", 2) +
                                                 ucs4("", 2) + ucs4("3", 2)));
    const auto file = npz_file(arrays);
    const auto found = own_futures(file, "a");
    CHECK(found.ids == std::vector<std::uint64_t>{kEgoId, 12});
    CHECK_FALSE(found.view().is_valid(0, 0, 0));
    CHECK(found.view().is_valid(0, 0, 1));
    CHECK(own_futures(file, "b").ids == std::vector<std::uint64_t>{3});
  }

  TEST_CASE("pickles are refused by name") {
    for (const auto* const name : {"futures", "scenario_id", "track_id", "valid"}) {
      CAPTURE(name);
      const auto found = refusal_with(name, npy_file("|O", "(2,)", "cos\nsystem\n."));
      CHECK(found == "made: " + std::string(name) +
                         ": an array of objects is a pickle, which is not read; save "
                         "numbers or text of a NumPy type");
    }
  }

  TEST_CASE("other arrays than documented are refused by name") {
    CHECK(refusal_with("track_id", "") == "made: array track_id is missing");
    CHECK(refusal_with("first_step", "") == "made: array first_step is missing");
    CHECK(refusal_with("futures", npy_file("<f4", "(2, 2)", "")) ==
          "made: futures: wrong number of axes (found 2, expected 5: scenarios, "
          "rollouts, agents, steps, fields)");
    CHECK(refusal_with("futures", npy_file("<f4", "(2, 2, 2, 3, 4)", "1234"))
              .find("wrong length") != std::string::npos);
    CHECK(refusal_with("futures", npy_file("<f4", "(2, 0, 2, 3, 4)", "")) ==
          "made: futures: axis 1 is empty");
    CHECK(refusal_with("futures", npy_file("<c8", "(2, 2, 2, 3, 4)", ""))
              .find("not numbers of a supported type") != std::string::npos);
    CHECK(refusal_with("futures", npy_file("<f4", "(2, 2, 2, 3, 4)", "", "True"))
              .find("Fortran order") != std::string::npos);
    CHECK(refusal_with("track_id",
                       npy_file("<i8", "(2, 1)", npy_bytes<std::int64_t>({1, 2}))) ==
          "made: track_id: wrong shape (found (2, 1), expected (2, 2))");
    CHECK(refusal_with("track_id", npy_file("<i8", "(2, 2)",
                                            npy_bytes<std::int64_t>({1, 2, -7, 2}))) ==
          "made: track_id: neither a whole number nor AV (scenario 1, agent 0)");
    CHECK(refusal_with("fields", npy_file("<U7", "()", ucs4("x,y,v,a", 7)))
              .find("unknown or twice (found \"v\"") != std::string::npos);
    CHECK(refusal_with("scenario_id",
                       npy_file("<U1", "(2,)", ucs4("a", 1) + ucs4("a", 1)))
              .find("occurs twice") != std::string::npos);
    CHECK(refusal_with("joint", npy_file("<i4", "()", npy_bytes<int>({2}))) ==
          "made: joint: outside (found 2, expected 0 to 1)");
  }

  TEST_CASE("values that are not finite are refused by rollout, agent and step") {
    std::vector<float> values(96, 1);
    values[4 * 7 + 3] = INFINITY;
    CHECK(refusal_with("futures",
                       npy_file("<f4", "(2, 2, 2, 3, 4)", npy_bytes(values))) ==
          "made: scenario a: rollout 1, agent 7, step 1: yaw is not finite, or too "
          "large");
  }

  TEST_CASE("declared sizes are not allocated") {
    const auto code = [](const char* shape) {
      const auto file =
          npz_file(npz_with("futures", npy_file("<f4", shape, std::string(64, 'x'))));
      return error_code([&] { indexed("made", file); });
    };
    CHECK(code("(2, 1024, 2000, 1000, 4)") == Errc::limit_exceeded);
    CHECK(code("(2, 9223372036854775807, 2, 3, 4)") == Errc::limit_exceeded);
    CHECK(code("(4294967297, 1, 2, 3, 4)") == Errc::limit_exceeded);
    CHECK(code("(99999999999999999999, 2, 2, 3, 4)") == Errc::corrupt_chunk);
    CHECK(code("(2, 2, 2, 2, 2, 2, 2, 2, 2)") == Errc::limit_exceeded);
  }

  TEST_CASE("an archive of many files is refused by its directory") {
    NpzArrayList many;
    for (int i = 0; i < 30'000; ++i) many.emplace_back("a" + std::to_string(i), "");
    const auto file = npz_file(many);
    ReadCounts counts;
    CHECK(error_code([&] { indexed("made", file, &counts); }) == Errc::limit_exceeded);
    CHECK(counts.requests == 2);  // the head and the archive's end
  }

  TEST_CASE("a file cut anywhere is refused") {
    const auto file = npz_file(npz_arrays());
    for (std::size_t size = 0; size < file.size(); size += 7) {
      CAPTURE(size);
      CHECK_FALSE(own_refusal(file.substr(0, size)).empty());
    }
  }
}

}  // namespace
}  // namespace own_npz_test
