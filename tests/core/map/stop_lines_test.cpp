#include "core/map/stop_lines.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "tests/support/small_map.hpp"

using bev::map::SemanticMap;
using bev::map::StopLine;
using namespace bev::test;

namespace {

using Lines = std::vector<std::optional<StopLine>>;

/// The lanes, of which those with the parent "J" are in a junction, and a red face.
Lines lines(std::vector<Message> elements) {
  elements.push_back(map_element("J", kJunction, Message()));
  elements.push_back(control("R", 11));
  elements.push_back(control("sign", 29));
  return stop_lines(SemanticMap::parse(fragment(elements).span(), equator_meta()));
}

Message ahead(const std::vector<const char*>& ids) {
  Message out;
  for (const auto* id : ids) out.id(5, id);
  return out;
}

Message with_light() {
  return Message().id(8, "R");
}

/// A lane of a junction from (0, 10), 4 m wide, that ends around (x, 30).
Message turn(std::string_view id, std::int32_t x, const Message& more) {
  return map_element(id, kLane,
                     Message()
                         .message(3, boundary({-200, x * 100}, {1000, 2000}))
                         .message(4, boundary({200, x * 100}, {1000, 2000}))
                         .id(1, "J")
                         .raw(more.text()));
}

void check_line(const StopLine& line, double left, double right, double y) {
  CHECK(line.at(line.from).x == doctest::Approx(left));
  CHECK(line.at(line.to).x == doctest::Approx(right));
  CHECK(line.at(0.5).y == doctest::Approx(y));
}

}  // namespace

TEST_SUITE("map/stop_lines") {
  TEST_CASE("a lane before a junction stops at its end") {
    const auto found = lines({lane("a", 0, with_light().raw(ahead({"b"}).text())),
                              turn("b", 0, with_light())});
    REQUIRE(found[0]);
    check_line(*found[0], -2, 2, 10);
    CHECK(found[0]->at_end);
    CHECK_FALSE(found[1]);  // its light is that of the lane before
  }

  TEST_CASE("of lanes with lights one after the other, the last one stops") {
    const auto found = lines({lane("a", 0, with_light().raw(ahead({"b"}).text())),
                              lane("b", 0, with_light().raw(ahead({"c"}).text())),
                              turn("c", 0, Message())});
    CHECK_FALSE(found[0]);
    CHECK(found[1]);
    CHECK_FALSE(found[2]);
  }

  TEST_CASE("lanes of a junction divide their begin, the leftmost at the left") {
    const auto found = lines({lane("a", 0, ahead({"right", "left", "on", "left"})),
                              turn("right", 20, with_light()), turn("on", 0, Message()),
                              turn("left", -20, with_light())});
    CHECK_FALSE(found[0]);
    CHECK_FALSE(found[2]);
    REQUIRE(found[1]);
    REQUIRE(found[3]);
    check_line(*found[3], -2, -2 + 4 / 3., 10);
    check_line(*found[1], -2 + 8 / 3., 2, 10);
    CHECK_FALSE(found[1]->at_end);
  }

  TEST_CASE("without a face or a side there is no line") {
    const auto found =
        lines({lane("a", 0, Message().id(8, "sign").id(8, "unknown")),
               map_element("b", kLane, Message().raw(with_light().text()))});
    CHECK_FALSE(found[0]);
    CHECK_FALSE(found[1]);
  }

  TEST_CASE("lanes that are ahead of themselves, or of each other, are read") {
    const auto found = lines({lane("a", 0, with_light().raw(ahead({"a"}).text())),
                              lane("b", 0, with_light().raw(ahead({"c"}).text())),
                              lane("c", 0, with_light().raw(ahead({"b"}).text()))});
    CHECK(found[0]);
    CHECK_FALSE(found[1]);
    CHECK_FALSE(found[2]);
  }
}
