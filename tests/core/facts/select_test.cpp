#include "core/facts/select.hpp"

#include <doctest/doctest.h>

#include "core/base/error.hpp"

using namespace bev::facts;
using Rows = std::vector<std::uint32_t>;

namespace {

FactTable scenes() {
  FactTable out(TableKind::scenes);
  SceneFacts one;
  one.ego.turn = Turn::left;
  one.ego.hardest_brake = -4;
  one.ttc.value = 1.5;
  out.append(one);
  one.ego.turn = Turn::right;
  one.scene = 1;
  out.append(one);
  one = {};  // nothing is known
  one.scene = 2;
  out.append(one);
  return out;
}

Rows selected(std::string_view where) {
  return FactFilter(TableKind::scenes, where).select(scenes());
}

}  // namespace

TEST_SUITE("facts/select") {
  TEST_CASE("filters choose rows by facts") {
    CHECK(selected("turn == 'left' and ego_hardest_brake < -3") == Rows{0});
    CHECK(selected("min_ttc < 2") == Rows{0, 1});
    CHECK(selected("isnan(min_ttc)") == Rows{2});
    CHECK(selected("turn in ('right', 'unknown')") == Rows{1, 2});
    CHECK(selected("unprotected_left") == Rows{});
    CHECK(selected("light == 'unknown'") == Rows{0, 1, 2});
    CHECK(selected(" ") == Rows{0, 1, 2});
    CHECK(selected("scene >= 1") == Rows{1, 2});
  }

  TEST_CASE("tags choose scenes, and exclude others by their number") {
    bev::reader::SceneTags tags;
    tags.scenes = {{"stopping", {0, 2}}};
    std::size_t asked = 0;
    const FactFilter::Tags known = [&] {
      ++asked;
      return std::make_shared<const bev::reader::SceneTags>(tags);
    };
    FactFilter filter(TableKind::scenes, "has_tag('stopping') and turn != 'left'",
                      known);
    CHECK(filter.select(scenes()) == Rows{2});
    CHECK(filter.may_pass(0));
    CHECK(!filter.may_pass(1));
    CHECK(filter.may_pass(2));
    const FactFilter untagged(TableKind::tracks, "scene > 1", known);
    CHECK(!untagged.may_pass(1));
    CHECK(FactFilter(TableKind::tracks, "", known).may_pass(1));
    CHECK(asked == 1);
  }

  TEST_CASE("errors name the column of the text") {
    CHECK_THROWS_WITH_AS(selected("turn == 'lefft'"),
                         doctest::Contains("filter, column 9: unknown turn \"lefft\""),
                         bev::Error);
    CHECK_THROWS_WITH_AS(selected("min_tcc < 2"),
                         doctest::Contains("filter, column 1: unknown field"),
                         bev::Error);
    CHECK_THROWS_WITH_AS(selected("min_ttc <"), doctest::Contains("column 10"),
                         bev::Error);
  }

  TEST_CASE("columns of another size are an error") {
    auto table = scenes();
    table.rows = 4;
    CHECK_THROWS_AS(FactFilter(TableKind::scenes, "min_ttc < 2").select(table),
                    bev::Error);
    table.columns.pop_back();
    CHECK_THROWS_WITH_AS(FactFilter(TableKind::scenes, "").select(table),
                         doctest::Contains("wrong number of columns"), bev::Error);
  }

  TEST_CASE("taken rows keep their values and order") {
    const Rows rows{2, 0};
    const auto table = taken(scenes(), rows);
    CHECK(table.rows == 2);
    CHECK(FactFilter(TableKind::scenes, "scene == 2").select(table) == Rows{0});
    CHECK(FactFilter(TableKind::scenes, "turn == 'left'").select(table) == Rows{1});
    CHECK(taken(FactTable(TableKind::tracks), {}).rows == 0);
  }
}
