#include "core/scene/text_table.hpp"

#include <doctest/doctest.h>

using bev::scene::text_table;

TEST_SUITE("scene/text_table") {
  TEST_CASE("cells are centred in the widest of their column") {
    CHECK(text_table({{"past/future", "0"}, {"10", "123"}, {"5", "12"}}) ==
          "+-------------+-----+\n"
          "| past/future |  0  |\n"
          "+-------------+-----+\n"
          "|      10     | 123 |\n"
          "|      5      |  12 |\n"
          "+-------------+-----+");
  }

  TEST_CASE("a table of titles alone has no rows") {
    CHECK(text_table({{"a"}}) == "+---+\n| a |\n+---+\n+---+");
  }
}
