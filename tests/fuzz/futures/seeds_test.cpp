#include <doctest/doctest.h>

#include <random>

#include "core/futures/score_tables.hpp"
#include "tests/fuzz/futures/target.hpp"
#include "tests/support/submissions.hpp"

namespace {

void run_submission(std::string_view bytes) {
  bev::test::submission_target(
      std::as_bytes(std::span<const char>(bytes.data(), bytes.size())));
}

std::vector<bev::test::SubmissionSeed> all_seeds() {
  auto out = bev::test::submission_seeds();
  for (auto& seed : bev::test::score_seeds()) out.push_back(std::move(seed));
  return out;
}

}  // namespace

TEST_SUITE("fuzz/futures") {
  TEST_CASE("the seeds of submissions are accepted") {
    for (const auto& seed : bev::test::submission_seeds()) {
      CAPTURE(seed.name);
      CHECK_NOTHROW(bev::test::indexed("seed", seed.bytes));
    }
  }

  TEST_CASE("the seeds of scores are accepted") {
    for (const auto& seed : bev::test::score_seeds()) {
      CAPTURE(seed.name);
      bev::futures::ScoreReader reader;
      CHECK_NOTHROW(reader.add(std::as_bytes(std::span<const char>(seed.bytes)), "s"));
      CHECK_FALSE(reader.finish().empty());
    }
  }

  TEST_CASE("the properties hold for every submission, whole and cut anywhere") {
    for (const auto& seed : all_seeds()) {
      CAPTURE(seed.name);
      for (std::size_t size = 0; size <= seed.bytes.size(); ++size) {
        CAPTURE(size);
        REQUIRE_NOTHROW(run_submission(std::string_view(seed.bytes).substr(0, size)));
      }
    }
  }

  TEST_CASE("the properties hold for submissions with wrong bytes in them") {
    std::mt19937 random(17);
    for (const auto& seed : all_seeds()) {
      CAPTURE(seed.name);
      for (int round = 0; round < 400; ++round) {
        CAPTURE(round);
        std::string bytes = seed.bytes;
        const auto flips = 1 + random() % 3;
        for (std::uint32_t i = 0; i < flips; ++i) {
          bytes[random() % bytes.size()] = static_cast<char>(random() % 256);
        }
        REQUIRE_NOTHROW(run_submission(bytes));
      }
    }
  }
}
