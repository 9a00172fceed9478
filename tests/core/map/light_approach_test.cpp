#include "core/map/light_approach.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/support/small_map.hpp"

using bev::map::kLeftBit;
using bev::map::kRightBit;
using bev::map::kThroughBit;
using bev::map::kUTurnBit;
using bev::map::light_approaches;
using bev::map::LightApproach;
using bev::map::SemanticMap;
using namespace bev::test;

namespace light_approach_test {

using Steps = std::vector<std::int32_t>;

/// The approaches of a map with a junction "J"; its lights are in `elements`.
std::vector<LightApproach> approaches(std::vector<Message> elements) {
  elements.push_back(map_element("J", kJunction, Message()));
  return light_approaches(
      SemanticMap::parse(fragment(elements).span(), equator_meta()));
}

Message light(std::string_view id, const std::vector<const char*>& faces = {}) {
  Message inner;
  for (const auto* face : faces) inner.id(3, face);
  return control(id, 29, inner);
}

/// A lane between two sides, each given as steps in cm.
Message sides(std::string_view id, const Message& left, const Message& right,
              const Message& more = {}) {
  return map_element(id, kLane,
                     Message().message(3, left).message(4, right).raw(more.text()));
}

Message named(const char* control) {
  return Message().id(8, control);
}

/// A lane of the junction that begins northward and ends in another direction.
Message turning(std::string_view id, const Steps& left_x, const Steps& left_y,
                const Steps& right_x, const Steps& right_y) {
  return sides(id, boundary(left_x, left_y), boundary(right_x, right_y),
               Message().id(1, "J").id(8, "T"));
}

}  // namespace light_approach_test

using namespace light_approach_test;

TEST_SUITE("map/light_approach") {
  TEST_CASE("traffic that drives north comes from the south") {
    const auto found = approaches({lane("a", 0, named("T")), light("T")});
    REQUIRE(found.size() == 1);
    CHECK(found[0].from_deg == doctest::Approx(180));
    CHECK(found[0].movements == 0);  // no lane ahead
  }

  TEST_CASE("a lane that names a face of the light is the light's") {
    const auto found = approaches({lane("a", 0, named("R")), light("T", {"R"}),
                                   control("R", 11), light("other")});
    CHECK(found[0].from_deg == doctest::Approx(180));
    CHECK(std::isnan(found[1].from_deg));
  }

  TEST_CASE("the direction is the lane's at its end, outside of junctions") {
    // Northward, then to the east.
    const auto bent = sides("a", boundary({-200, 0, 1000}, {0, 1000, 0}),
                            boundary({200, 0, 600}, {0, 600, 0}), named("T"));
    CHECK(approaches({bent, light("T")})[0].from_deg ==
          doctest::Approx(270).epsilon(0.2));
  }

  TEST_CASE("movements are those of the lanes ahead in the junction") {
    const auto turn = [](std::int32_t kind) {
      return Message().id(1, "J").varint(13, static_cast<std::uint64_t>(kind));
    };
    const auto found =
        approaches({lane("a", 0, named("T").id(5, "left").id(5, "on").id(5, "outside")),
                    lane("left", 0, turn(3)), lane("on", 5, turn(1)),
                    lane("right", 5, turn(4)), lane("outside", 0), light("T")});
    CHECK(found[0].movements == kLeftBit + kThroughBit);
  }

  TEST_CASE("a lane without a turn in the map turns as its ends do") {
    const auto movement = [](const Steps& left_x, const Steps& left_y,
                             const Steps& right_x, const Steps& right_y) {
      return approaches({turning("a", left_x, left_y, right_x, right_y), light("T")})[0]
          .movements;
    };
    CHECK(movement({-200, 0}, {0, 1000}, {200, 0}, {0, 1000}) == kThroughBit);
    CHECK(movement({-200, -800}, {0, 800}, {200, -1200}, {0, 1200}) == kLeftBit);
    CHECK(movement({-200, 1200}, {0, 1200}, {200, 800}, {0, 800}) == kRightBit);
    CHECK(movement({-200, -200}, {0, 0}, {200, -1000}, {0, 0}) == kUTurnBit);
  }

  TEST_CASE("a light of several directions has none") {
    const auto south = sides("b", boundary({200, 0}, {1000, -1000}),
                             boundary({-200, 0}, {1000, -1000}), named("T"));
    const auto found = approaches({lane("a", 0, named("T")), south, light("T")});
    CHECK(std::isnan(found[0].from_deg));
  }

  TEST_CASE("lanes without a side, or of no width, have no direction") {
    const auto one = map_element("a", kLane, named("T"));
    const auto thin = sides("b", boundary({0, 0}, {0, 1000}),
                            boundary({0, 0}, {0, 1000}), named("T"));
    CHECK(std::isnan(approaches({one, thin, light("T")})[0].from_deg));
    CHECK(approaches({lane("c", 0, named("T")), one, light("T")})[0].from_deg ==
          doctest::Approx(180));
  }

  TEST_CASE("many lanes, faces and repeated ids end") {
    std::vector<Message> elements;
    Message all;
    for (int i = 0; i < 200; ++i) all.id(8, "R").id(5, "a");
    elements.push_back(lane("a", 0, all));
    for (int i = 0; i < 200; ++i) elements.push_back(lane(std::to_string(i), i, all));
    elements.push_back(light("T", std::vector<const char*>(200, "R")));
    elements.push_back(control("R", 11));
    CHECK(approaches(elements)[0].from_deg == doctest::Approx(180));
  }
}
