#include "core/scene/agent_index.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "core/base/error.hpp"
#include "tests/support/memory_dataset.hpp"

using bev::Error;
using bev::scene::AgentIndex;
using Counts = std::vector<std::uint32_t>;
using Items = AgentIndex::Items;
using Mask = std::vector<std::uint8_t>;

TEST_SUITE("scene/agent_index") {
  TEST_CASE("agents with enough frames on both sides are items, at the minima too") {
    AgentIndex index;
    index.append_counts(Counts{10, 1, 9, 1, 10, 0, 50, 50}, {});
    REQUIRE(index.size() == 2);
    CHECK(index.row(0) == 0);
    CHECK(index.row(1) == 3);
    CHECK(index.agent_count() == 4);
  }

  TEST_CASE("minima of 0 keep every agent") {
    AgentIndex index;
    index.append_counts(Counts{0, 0, 0, 0}, {0, 0});
    CHECK(index.size() == 2);
  }

  TEST_CASE("a mask keeps what is not 0, and goes on where the one before ended") {
    AgentIndex index;
    index.append_mask(Mask{0, 1});
    index.skip_to(4);
    index.append_mask(Mask{255, 0});
    CHECK(std::vector<std::int64_t>(index.rows().begin(), index.rows().end()) ==
          std::vector<std::int64_t>{1, 4});
    CHECK(index.agent_count() == 6);
  }

  TEST_CASE("an item is found by its row, an agent that is none is not") {
    AgentIndex index;
    index.append_mask(Mask{0, 1, 0, 1});
    CHECK(index.item_of(1) == 0U);
    CHECK(index.item_of(3) == 1U);
    CHECK_FALSE(index.item_of(2).has_value());
    CHECK_FALSE(index.item_of(9).has_value());
    CHECK_FALSE(index.item_of(-1).has_value());
  }

  TEST_CASE("the items of an interval are neighbours, of an empty one none") {
    AgentIndex index;
    index.append_mask(Mask{1, 0, 1, 1, 0});
    CHECK(index.items_in({0, 5}) == Items{0, 3});
    CHECK(index.items_in({1, 3}) == Items{1, 2});
    CHECK(index.items_in({4, 5}) == Items{3, 3});
    CHECK(index.items_in({3, 1}) == Items{2, 2});
  }

  TEST_CASE("half a pair of counts is an error") {
    AgentIndex index;
    CHECK_THROWS_WITH_AS(index.append_counts(Counts{1, 2, 3}, {}),
                         "mask: odd number of counts (found 3)", Error);
  }

  TEST_CASE("an index has no items before agents are appended") {
    const AgentIndex index;
    CHECK(index.size() == 0);
    CHECK(index.agent_count() == 0);
    CHECK_FALSE(index.item_of(0).has_value());
    CHECK(index.items_in({0, 9}) == Items{0, 0});
    CHECK_THROWS_WITH_AS(index.row_at(0), "agent item 0 is out of range (count 0)",
                         Error);
  }

  TEST_CASE("an item is addressed from either end, as a Python list") {
    AgentIndex index;
    index.append_mask(Mask{0, 1, 0, 1, 1});
    CHECK(index.row_at(0) == 1);
    CHECK(index.row_at(2) == 4);
    CHECK(index.row_at(-1) == 4);
    CHECK(index.row_at(-3) == 1);
  }

  TEST_CASE("beyond the end and before the start are two errors, as in L5Kit") {
    constexpr auto kFirst = std::numeric_limits<std::int64_t>::min();
    constexpr auto kLast = std::numeric_limits<std::int64_t>::max();
    AgentIndex index;
    index.append_mask(Mask{1, 1});
    const auto code = [&](std::int64_t item) {
      return bev::test::error_code([&] { index.row_at(item); });
    };
    CHECK(code(2) == bev::Errc::out_of_range);
    CHECK(code(kLast) == bev::Errc::out_of_range);
    CHECK(code(-3) == bev::Errc::invalid_argument);
    CHECK(code(kFirst) == bev::Errc::invalid_argument);
    CHECK_THROWS_WITH_AS(index.row_at(-3), "agent item -3 is out of range (count 2)",
                         Error);
  }

  TEST_CASE("each side has its own minimum") {
    AgentIndex past;
    past.append_counts(Counts{9, 99, 10, 0, 10, 1}, {10, 0});
    CHECK(past.size() == 2);
    AgentIndex future;
    future.append_counts(Counts{9, 99, 10, 0, 10, 1}, {0, 1});
    CHECK(future.size() == 2);
    constexpr auto kMax = std::numeric_limits<std::uint32_t>::max();
    AgentIndex none;
    none.append_counts(Counts{kMax - 1, kMax, kMax, kMax}, {kMax, kMax});
    CHECK(none.row_at(-1) == 1);
    CHECK(none.size() == 1);
  }

  TEST_CASE("an odd number of counts adds nothing") {
    AgentIndex index;
    CHECK_THROWS_AS(index.append_counts(Counts{99}, {0, 0}), Error);
    CHECK(index.agent_count() == 0);
    CHECK(index.size() == 0);
  }
}
