#include "core/convert/divider_types.hpp"

#include <doctest/doctest.h>

using namespace bev;
using namespace bev::convert;
using map::Divider;

TEST_SUITE("convert/divider_types") {
  TEST_CASE("a type is that from its node to the next, in either direction") {
    const std::vector<geom::Vec3> side = {{0, 0, 0}, {10, 0, 0}, {20, 0, 0}};
    const std::vector<DividerNode> ahead = {{{0, 1, 0}, Divider::single_white_dashed},
                                            {{9, 0, 0}, Divider::single_yellow_solid},
                                            {{30, 0, 0}, Divider::none}};
    const std::vector<DividerNode> back = {{{30, 0, 0}, Divider::single_yellow_solid},
                                           {{9, 0, 0}, Divider::single_white_dashed},
                                           {{0, 1, 0}, Divider::none}};
    for (const auto& nodes : {ahead, back}) {
      const auto types = divider_types(nodes, side);
      CHECK(types.first == Divider::single_white_dashed);
      CHECK(types.changes ==
            std::vector<DividerChange>{{1000, Divider::single_yellow_solid}});
    }
  }

  TEST_CASE("one node has its type along the whole side, none is unknown") {
    const std::vector<geom::Vec3> side = {{0, 0, 0}, {10, 0, 0}};
    const std::vector<DividerNode> one = {{{3, 0, 0}, Divider::none}};
    CHECK(divider_types(one, side).first == Divider::none);
    CHECK(divider_types(one, side).changes.empty());
    CHECK(divider_types({}, side).first == Divider::unknown);
    CHECK(nuscenes_divider("SINGLE_ZIGZAG_WHITE") == Divider::unknown);
    CHECK(nuscenes_divider("SINGLE_SOLID_YELLOW") == Divider::single_yellow_solid);
  }
}
