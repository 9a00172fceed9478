#include "core/futures/result_zip.hpp"

#include <doctest/doctest.h>

#include <random>
#include <string>

#include "tests/support/allocations.hpp"
#include "tests/support/nuscenes_futures.hpp"
#include "tests/support/own_futures.hpp"
#include "tests/support/zip_writer.hpp"

namespace result_zip_test {
namespace {

using namespace bev::test;
using namespace bev::futures;

constexpr const char* kMerging =
    "case_id,track_id,frame_id,x1,y1\n1,3,11,1,2\n1,3,12,2,2\n2,7,11,3,4\n";
constexpr const char* kRoundabout = "case_id,track_id,frame_id,x1,y1\n1,9,11,5,6\n";

struct ZippedText {
  std::string name, content;
};

std::string zipped(const std::vector<ZippedText>& files, bool is_deflated = true) {
  ZipWriter out;
  for (const auto& [name, content] : files) out.add(name, content, is_deflated);
  return out.finish();
}

TEST_SUITE("futures/result_zip") {
  TEST_CASE("files of the INTERPRET challenge are one submission") {
    for (const bool is_deflated : {false, true}) {
      CAPTURE(is_deflated);
      const auto file = zipped({{"run/", ""},
                                {"run/DR_CHN_Merging_ZS0_sub.csv", kMerging},
                                {"__MACOSX/run/._DR_CHN_Merging_ZS0_sub.csv", "\1\2"},
                                {"run/.hidden.csv", "a"},
                                {"run/DR_USA_Roundabout_FT_sub.csv", kRoundabout},
                                {"run/readme.txt", "hello"}},
                               is_deflated);
      const auto shard = indexed("sub.zip", file);
      CHECK(shard.kind == SubmissionKind::interpret);
      REQUIRE(shard.scenarios.size() == 3);
      CHECK(shard.scenarios[0].id == "DR_CHN_Merging_ZS0/1");
      CHECK(shard.scenarios[2].id == "DR_USA_Roundabout_FT/1");
      CHECK(own_futures(file, "DR_CHN_Merging_ZS0/1").poses ==
            std::vector<float>{1, 2, 2, 2});
      CHECK(own_futures(file, "DR_CHN_Merging_ZS0/2").ids ==
            std::vector<std::uint64_t>{7});
      CHECK(own_futures(file, "DR_USA_Roundabout_FT/1").poses ==
            std::vector<float>{5, 6});
    }
  }

  TEST_CASE("a zipped file of the nuScenes challenge is read") {
    const auto all = nlohmann::json::array({nuscenes_prediction("i", "s", {1, 2})});
    const auto file = zipped({{"submission.json", all.dump()}});
    const auto shard = indexed("sub.zip", file);
    CHECK(shard.kind == SubmissionKind::nuscenes);
    REQUIRE(shard.scenarios.size() == 1);
    CHECK(own_futures(file, "i_s").rollouts == 2);
  }

  TEST_CASE("a long name of the first file is read further") {
    const auto name = std::string(300, 'a') + "_sub.csv";
    CHECK(own_refusal(zipped({{name, kRoundabout}})).find("too long") !=
          std::string::npos);  // the id, not the archive
    CHECK(own_refusal(zipped({{"a/" + std::string(300, 'a') + ".npy", "x"}}))
              .find("array futures is missing") != std::string::npos);
  }

  TEST_CASE("what is not read is named") {
    CHECK(own_refusal(zipped({{"a.txt", "x"}})) ==
          "made: an archive without results (expected NAME_sub.csv or .json)");
    CHECK(own_refusal(
              zipped({{"a_sub.csv", kRoundabout}, {"b/a_sub.csv", kRoundabout}})) ==
          "made: scenario a/1 is in two files (b/a_sub.csv and another)");
    CHECK(own_refusal(
              zipped({{"a_sub.csv", "case_id,track_id,frame_id,x1,y1\n1,2\n"}})) ==
          "made: a_sub.csv: line 2: wrong number of cells (found 2, expected 5)");
    const auto all = nlohmann::json::array({nuscenes_prediction("i", "s", {1})});
    CHECK(own_refusal(zipped({{"a_sub.csv", kRoundabout}, {"b.json", all.dump()}}))
              .find("files of several kinds (a_sub.csv is ") != std::string::npos);
  }

  TEST_CASE("bombs are refused before they are inflated") {
    // 32 MiB of zeros are 32 kB.
    const auto bomb = zipped({{"a_sub.csv", std::string(std::size_t{32} << 20U, '0')}});
    reset_peak();
    const auto before = live_bytes();
    CHECK(
        own_refusal(bomb).find("a_sub.csv: too large when inflated (found 33554432") !=
        std::string::npos);
    CHECK(peak_bytes() - before < std::size_t{1} << 20U);
    // Many small ones of less than 16 MiB each, which together are too large.
    const std::string part(std::size_t{15} << 20U, '0');
    ZipWriter out;
    for (int i = 0; i < 40; ++i) out.add(std::to_string(i) + ".csv", part, true);
    const auto many = out.finish();
    reset_peak();
    const auto held = live_bytes();
    CHECK(own_refusal(many).find("too large when inflated") != std::string::npos);
    CHECK(peak_bytes() - held < std::size_t{1} << 20U);
  }

  TEST_CASE("every truncation, and wrong bytes, are typed errors") {
    const auto file = zipped({{"a_sub.csv", kMerging}, {"b_sub.csv", kRoundabout}});
    for (std::size_t size = 4; size < file.size(); ++size) {
      CAPTURE(size);
      REQUIRE_FALSE(own_refusal(file.substr(0, size)).empty());
    }
    std::mt19937 random(5);
    for (int i = 0; i < 2'000; ++i) {
      auto damaged = file;
      damaged[random() % file.size()] = static_cast<char>(random());
      own_refusal(damaged);
    }
  }
}

}  // namespace
}  // namespace result_zip_test
