#include "core/scene/agent_index.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "core/base/error.hpp"

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
}
