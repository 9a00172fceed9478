#include "core/eval/memory_budget.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "core/eval/csv.hpp"
#include "core/eval/review.hpp"

using namespace bev::eval;

namespace {

/// Bytes of one prediction in csv().
constexpr std::size_t kOne = sizeof(Prediction) + 3 * sizeof(double);

std::string csv(int lines) {
  std::string out = "timestamp,track_id,conf_0,coord_x00,coord_y00\n";
  for (int i = 0; i < lines; ++i) out += std::to_string(i) + ",7,1,0,0\n";
  return out;
}

std::shared_ptr<MemoryBudget> budget_of(std::size_t limit) {
  return std::make_shared<MemoryBudget>(MemoryBudget{limit});
}

}  // namespace

TEST_SUITE("eval/memory_budget") {
  TEST_CASE("shares use a budget together and return it") {
    const auto budget = budget_of(10);
    MemoryShare one(budget);
    CHECK(one.grow(6));
    {
      MemoryShare two(budget);
      CHECK_FALSE(two.grow(5));
      CHECK(two.grow(4));
      CHECK(budget->used == 10);
      CHECK_FALSE(one.grow(1));
    }
    CHECK(budget->used == 6);
    MemoryShare moved(std::move(one));
    CHECK(moved.bytes() == 6);
    CHECK(moved.grow(4));
    moved = MemoryShare();
    CHECK(budget->used == 0);
  }

  TEST_CASE("a huge request does not overflow") {
    const auto budget = budget_of(10);
    MemoryShare share(budget);
    CHECK(share.grow(10));
    CHECK_FALSE(share.grow(static_cast<std::size_t>(-1)));
    CHECK(budget->used == 10);
  }

  TEST_CASE("a share without a budget is unlimited") {
    MemoryShare share;
    CHECK(share.grow(static_cast<std::size_t>(-1)));
    CHECK(share.limit() == 0);
  }

  TEST_CASE("two files that are read at the same time share the budget") {
    const auto budget = budget_of(5 * kOne);
    PredictionReader one("one.csv", {}, MemoryShare(budget));
    PredictionReader two("two.csv", {}, MemoryShare(budget));
    one.add(csv(3));
    CHECK(budget->used == 3 * kOne);
    try {
      two.add(csv(3));
      FAIL("expected an error");
    } catch (const bev::Error& error) {
      CHECK(error.code() == bev::Errc::limit_exceeded);
      CHECK(std::string(error.what()) ==
            "two.csv line 4: all open predictions together are too large (expected "
            "at most " +
                std::to_string(5 * kOne) + " bytes); remove a model");
    }
    two = PredictionReader("again.csv", {}, MemoryShare(budget));
    CHECK(budget->used == 3 * kOne);
    two.add(csv(2));
    CHECK(two.finish().size() == 2);
  }

  TEST_CASE("arrays and texts use the budget, too") {
    const auto budget = budget_of(5 * kOne);
    const Columns columns{{1, 2, 3}, {7, 7, 7}, {1, 1, 1}, {0, 0, 0, 0, 0, 0}};
    const auto arrays = review_of(columns, MemoryShare(budget));
    CHECK(arrays.size() == 3);
    CHECK(budget->used == 3 * kOne);
    CHECK_THROWS_AS(review_of(columns, MemoryShare(budget)), bev::Error);
    CHECK(budget->used == 3 * kOne);
    CHECK(read_review(csv(2), "two", MemoryShare(budget)).size() == 2);
    CHECK(budget->used == 3 * kOne);
  }

  TEST_CASE("predictions keep their share until their last copy ends") {
    const auto budget = budget_of(5 * kOne);
    {
      PredictionReader reader("one.csv", {}, MemoryShare(budget));
      reader.add(csv(3));
      auto predictions = reader.finish();
      const Review review(std::move(predictions), reader.take_share());
      const auto copy = std::make_unique<Review>(review);
      CHECK(budget->used == 3 * kOne);
    }
    CHECK(budget->used == 0);
  }
}
