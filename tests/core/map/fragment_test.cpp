#include "core/map/fragment.hpp"

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "tests/support/map_writer.hpp"

using bev::Errc;
using bev::Error;
using bev::map::ElementKind;
using bev::map::Limits;
using bev::map::RawElement;
using bev::map::read_fragment;
using namespace bev::test;

namespace {

std::vector<RawElement> elements_of(const Message& map, const Limits& limits = {}) {
  std::vector<RawElement> out;
  read_fragment(map.text(), limits, [&](const RawElement& element, std::size_t index) {
    CHECK(index == out.size());
    out.push_back(element);
  });
  return out;
}

Errc error_of(const Message& map, const Limits& limits = {}) {
  try {
    elements_of(map, limits);
  } catch (const Error& error) {
    return error.code();
  }
  FAIL("nothing was thrown");
  return Errc::internal;
}

Message lane_to(std::string_view ahead) {
  return Message().id(5, ahead);
}

}  // namespace

TEST_SUITE("map/fragment") {
  TEST_CASE("elements come in the file's order, whatever lies between them") {
    const auto map = Message()
                         .bytes(1, "a name")
                         .message(2, map_element("L1", kLane, lane_to("L2")))
                         .varint(77, 5)
                         .message(2, map_element("N1", kNode, Message().varint(3, 1)))
                         .message(2, map_element("L2", kLane, Message()));
    const auto elements = elements_of(map);
    REQUIRE(elements.size() == 3);
    CHECK(elements[0].id == "L1");
    CHECK(elements[0].kind == ElementKind::lane);
    CHECK(elements[0].lane.lanes_ahead == std::vector<std::string>{"L2"});
    CHECK(elements[1].kind == ElementKind::node);
    CHECK(elements[2].id == "L2");
    CHECK(elements[2].lane.lanes_ahead.empty());
  }

  TEST_CASE("no bytes are a map of no elements") {
    CHECK(elements_of({}).empty());
  }

  TEST_CASE("an element may lack its id, its kind, or both") {
    const auto elements = elements_of(
        fragment({Message(), Message().id(1, "x"),
                  Message().message(2, Message().message(kLane, Message()))}));
    REQUIRE(elements.size() == 3);
    CHECK(elements[0].id.empty());
    CHECK(elements[0].kind == ElementKind::none);
    CHECK(elements[1].id == "x");
    CHECK(elements[2].kind == ElementKind::lane);
  }

  TEST_CASE("bounding box and conditions of an element are skipped") {
    const auto element = Message()
                             .id(1, "L1")
                             .message(3, Message().message(1, Message()))
                             .message(2, Message().message(kLane, lane_to("L2")))
                             .message(5, Message().id(1, "when"));
    const auto elements = elements_of(fragment({element}));
    REQUIRE(elements.size() == 1);
    CHECK(elements[0].id == "L1");
    CHECK(elements[0].lane.lanes_ahead.size() == 1);
  }

  TEST_CASE("of a oneof the last one stands") {
    const auto kinds = Message()
                           .message(kLane, lane_to("L2"))
                           .message(kJunction, Message().id(3, "L7"));
    const auto elements =
        elements_of(fragment({Message().id(1, "J").message(2, kinds)}));
    CHECK(elements[0].kind == ElementKind::junction);
    CHECK(elements[0].id == "J");
    CHECK(elements[0].lane.lanes_ahead.empty());
    CHECK(elements[0].junction.lanes == std::vector<std::string>{"L7"});
  }

  TEST_CASE("a oneof that returns to a kind has forgotten its first value") {
    const auto kinds = Message()
                           .message(kLane, lane_to("L2"))
                           .message(kNode, Message())
                           .message(kLane, lane_to("L3"));
    const auto elements = elements_of(fragment({Message().message(2, kinds)}));
    CHECK(elements[0].lane.lanes_ahead == std::vector<std::string>{"L3"});
  }

  TEST_CASE("a message that comes twice is merged") {
    const auto twice = Message()
                           .id(1, "old")
                           .message(2, Message().message(kLane, lane_to("L2")))
                           .message(2, Message().message(kLane, lane_to("L3")))
                           .id(1, "new");
    const auto elements = elements_of(fragment({twice}));
    CHECK(elements[0].id == "new");
    CHECK(elements[0].lane.lanes_ahead == std::vector<std::string>{"L2", "L3"});
  }

  TEST_CASE("an unknown kind leaves the known one") {
    const auto kinds =
        Message().message(kLane, lane_to("L2")).message(9, Message()).varint(4, 1);
    const auto elements = elements_of(fragment({Message().message(2, kinds)}));
    CHECK(elements[0].kind == ElementKind::lane);
  }

  TEST_CASE("an error names the element") {
    const auto bad = Message().id(1, "Ab3x").message(
        2, Message().message(kLane, Message().raw("\x1a\x09xyz")));
    const auto map = fragment(
        {map_element("ok", kNode, Message()), map_element("ok", kLane, {}), bad});
    CHECK_THROWS_WITH_AS(elements_of(map),
                         "semantic map: element 2 (lane \"Ab3x\"): field 3: truncated "
                         "(found 3 bytes, expected 9)",
                         Error);
    CHECK(error_of(map) == Errc::corrupt_chunk);
  }

  TEST_CASE("errors of the callback name the element, too") {
    const auto map = fragment({map_element("L1", kLane, {})});
    const auto refuse = [](const RawElement&, std::size_t) {
      throw Error(Errc::unsupported, "not today");
    };
    CHECK_THROWS_WITH_AS(read_fragment(map.text(), {}, refuse),
                         "semantic map: element 0 (lane \"L1\"): not today", Error);
  }

  TEST_CASE("an id that is not UTF-8 is corrupt") {
    CHECK(error_of(fragment({map_element("\xff", kLane, {})})) == Errc::corrupt_chunk);
  }

  TEST_CASE("every cut of a map is corrupt, unless it ends between two elements") {
    const auto first = fragment({map_element("L1", kLane, lane_to("L2"))});
    const auto map = fragment({map_element("L1", kLane, lane_to("L2")),
                               map_element("C1", kControl, Message().varint(48, 4))});
    for (std::size_t cut = 1; cut < map.text().size(); ++cut) {
      CAPTURE(cut);
      const auto head = Message().raw(std::string_view(map.text()).substr(0, cut));
      if (cut == first.text().size()) {
        CHECK(elements_of(head).size() == 1);
      } else {
        CHECK(error_of(head) == Errc::corrupt_chunk);
      }
    }
  }

  TEST_CASE("each limit is an error above it and none at it") {
    const auto lane =
        Message().message(3, boundary({1, 2}, {3, 4})).id(5, "L2").id(8, "T1");
    const auto map = fragment({map_element("L1", kLane, lane), Message()});
    const Limits exact{map.text().size(), 2, 6, 2};
    CHECK(elements_of(map, exact).size() == 2);

    const auto below = [&](auto member) {
      Limits limits = exact;
      --(limits.*member);
      return error_of(map, limits);
    };
    CHECK(below(&Limits::bytes) == Errc::limit_exceeded);
    CHECK(below(&Limits::elements) == Errc::limit_exceeded);
    CHECK(below(&Limits::numbers) == Errc::limit_exceeded);
    CHECK(below(&Limits::references) == Errc::limit_exceeded);
  }
}
