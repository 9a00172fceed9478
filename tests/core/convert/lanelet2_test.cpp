#include "core/convert/lanelet2.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <span>
#include <string>

#include "core/convert/city_map.hpp"
#include "core/map/semantic_map.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/files.hpp"
#include "tests/support/lanelet2.hpp"

namespace lanelet2_test {

using namespace bev;
using namespace bev::convert;
using bev::test::OsmMap;
using Ids = std::vector<std::string>;
using Tags = OsmMap::Tags;

namespace {

constexpr geom::Geodetic kZero{0, 0, 0};

SourceMap imported(const OsmMap& map) {
  return import_lanelet2(map.text(), kZero);
}

const SourceLane& lane_of(const SourceMap& map, const std::string& id) {
  for (const auto& one : map.lanes) {
    if (one.id == id) return one;
  }
  FAIL("no lane " << id);
  return map.lanes.front();
}

bool is_near(const geom::Vec3& p, double x, double y, double within = 1e-3) {
  return std::hypot(p.x - x, p.y - y) <= within;
}

/// A lane of 50 m between y 0 and y 4, whose ways are stored in a direction each, with
/// another line on the left.
OsmMap one_lane(bool left_is_back, bool right_is_back, const Tags& line,
                const Tags& tags = {{"subtype", "road"}}) {
  OsmMap out;
  out.node(1, 0, 0).node(2, 50, 0).node(3, 0, 4).node(4, 50, 4);
  out.way(10,
          right_is_back ? std::vector<long long>{2, 1} : std::vector<long long>{1, 2});
  out.way(11,
          left_is_back ? std::vector<long long>{4, 3} : std::vector<long long>{3, 4},
          line);
  return out.lanelet(20, 11, 10, tags);
}

std::optional<Errc> code_of(const OsmMap& map) {
  return test::error_code([&] { imported(map); });
}

}  // namespace

TEST_SUITE("convert/lanelet2") {
  TEST_CASE("lanelets are lanes, with their lines, links and neighbours") {
    const auto map = imported(test::small_lanelet2());
    CHECK(map.frame.lat_e7 == 0);
    REQUIRE(map.lanes.size() == 3);
    const auto& low = lane_of(map, "20");
    CHECK(is_near(low.left.front(), 0, 4));
    CHECK(is_near(low.left.back(), 50, 4));
    CHECK(is_near(low.right.front(), 0, 0));
    CHECK(low.access == map::Access::no_restriction);
    CHECK(low.left_divider == map::Divider::single_white_dashed);
    CHECK(low.right_divider == map::Divider::unknown);
    CHECK(low.can_cross_left);
    CHECK(!low.can_cross_right);
    CHECK(low.left_neighbour == "21");
    CHECK(low.right_neighbour.empty());
    CHECK(low.ahead == Ids{"22"});
    CHECK(!low.in_junction);
    const auto& high = lane_of(map, "21");
    CHECK(is_near(high.left.front(), 0, 8));  // whose way is stored backwards
    CHECK(high.left_divider == map::Divider::curb);
    CHECK(high.right_neighbour == "20");
    CHECK(high.can_cross_right);
    CHECK(high.ahead.empty());
    const auto& last = lane_of(map, "22");
    CHECK(last.in_junction);
    CHECK(last.turn == map::Turn::through);
    CHECK(last.left_divider == map::Divider::none);
    CHECK(map.lost.at("lanelet walkway") == 1);
    CHECK(map.lost.at("stop line") == 1);
  }

  TEST_CASE("crosswalks are outlines, and lights have their faces and lanes") {
    const auto map = imported(test::small_lanelet2());
    REQUIRE(map.crosswalks.size() == 1);
    CHECK(map.crosswalks[0].id == "23");
    CHECK(map.crosswalks[0].outline.size() == 4);
    REQUIRE(map.lights.size() == 1);
    CHECK(map.lights[0].id == "15/l");
    CHECK(map.lights[0].position->z == 5);
    CHECK(is_near(*map.lights[0].position, 101, 4));
    CHECK(lane_of(map, "22").faces == Ids{"15/r", "15/y", "15/g"});
    CHECK(lane_of(map, "20").faces.empty());
    CityMap city;
    city.add(map, "town");
    const std::string bytes = city.semantic_map();
    const auto read = map::SemanticMap::parse(std::as_bytes(std::span(bytes)),
                                              map::parse_meta(city.meta_json()));
    CHECK(read.lanes().size() == 3);
    CHECK(read.crosswalks().size() == 1);
    CHECK(read.lights().size() == 1);
    CHECK(city.counts().junctions == 1);
  }

  TEST_CASE("sides are turned, however their ways are stored") {
    for (const bool left : {false, true}) {
      for (const bool right : {false, true}) {
        const auto map = imported(one_lane(left, right, {}));
        const auto& lane = lane_of(map, "20");
        CHECK(is_near(lane.left.front(), 0, 4));
        CHECK(is_near(lane.left.back(), 50, 4));
        CHECK(is_near(lane.right.front(), 0, 0));
        CHECK(is_near(lane.right.back(), 50, 0));
      }
    }
    // With the sides exchanged, the lane goes west.
    OsmMap west = one_lane(false, true, {});
    west.lanelet(21, 10, 11);
    const auto map = imported(west);
    CHECK(is_near(lane_of(map, "21").left.front(), 50, 0));
    CHECK(is_near(lane_of(map, "21").right.back(), 0, 4));
    // Both share their ways, but not their direction.
    CHECK(lane_of(map, "21").left_neighbour.empty());
  }

  TEST_CASE("lines with a solid and a dashed part are crossed from the dashed one") {
    struct Case {
      const char* subtype;
      bool is_back, can_cross;
    };
    for (const auto& one :
         {Case{"dashed_solid", false, false}, Case{"dashed_solid", true, true},
          Case{"solid_dashed", false, true}, Case{"solid_dashed", true, false}}) {
      CAPTURE(one.subtype);
      CAPTURE(one.is_back);
      const Tags line = {{"type", "line_thin"}, {"subtype", one.subtype}};
      const auto white = imported(one_lane(one.is_back, false, line));
      CHECK(white.lanes[0].can_cross_left == one.can_cross);
      CHECK(white.lanes[0].left_divider == map::Divider::double_white_solid);
      CHECK(white.lost.at("white double line, one of them dashed") == 1);
      auto yellow = line;
      yellow.emplace_back("color", "yellow");
      CHECK(imported(one_lane(one.is_back, false, yellow)).lanes[0].left_divider ==
            (one.can_cross ? map::Divider::double_yellow_solid_dashed
                           : map::Divider::double_yellow_dashed_solid));
    }
  }

  TEST_CASE("tags say where lines may be crossed, in place of their type") {
    const auto can_cross = [](Tags line) {
      line.emplace_back("type", "line_thin");
      return imported(one_lane(false, false, line)).lanes[0].can_cross_left;
    };
    CHECK(can_cross({{"subtype", "dashed"}}));
    CHECK(!can_cross({{"subtype", "solid"}}));
    CHECK(can_cross({{"subtype", "solid"}, {"lane_change", "yes"}}));
    CHECK(!can_cross({{"subtype", "dashed"}, {"lane_change", "no"}}));
    CHECK(can_cross({{"subtype", "solid"}, {"lane_change:left", "yes"}}));
    CHECK(!can_cross({{"subtype", "dashed"}, {"lane_change:right", "yes"}}));
    CHECK(can_cross({{"subtype", "dashed"}, {"lane_change:left", "no"}}));  // one alone
  }

  TEST_CASE("subtypes or participants say who uses a lane") {
    const auto access = [](const Tags& tags) -> std::optional<map::Access> {
      const auto map = imported(one_lane(false, false, {}, tags));
      if (map.lanes.empty()) return std::nullopt;
      return map.lanes[0].access;
    };
    CHECK(access({}) == map::Access::no_restriction);
    CHECK(access({{"subtype", "highway"}}) == map::Access::no_restriction);
    CHECK(access({{"subtype", "bus_lane"}}) == map::Access::only_bus);
    CHECK(access({{"subtype", "bicycle_lane"}}) == map::Access::only_bike);
    CHECK(!access({{"subtype", "stairs"}}));
    CHECK(!access({{"subtype", "made up"}}));
    CHECK(access({{"subtype", "walkway"}, {"participant:vehicle", "yes"}}) ==
          map::Access::no_restriction);
    CHECK(access({{"subtype", "road"}, {"participant:vehicle:bus", "yes"}}) ==
          map::Access::only_bus);
    CHECK(access({{"subtype", "road"}, {"participant:bicycle", "yes"}}) ==
          map::Access::only_bike);
    CHECK(!access({{"subtype", "road"}, {"participant:pedestrian", "yes"}}));
    const auto both =
        imported(one_lane(false, false, {}, {{"subtype", "road"}, {"one_way", "no"}}));
    CHECK(both.lanes.size() == 1);
    CHECK(both.lost.at("direction of a lane of both") == 1);
  }

  TEST_CASE("a lane of bicycles is left to lanes of all, but not the other way") {
    OsmMap map;
    map.node(1, 0, 0).node(2, 9, 0).node(3, 18, 0).node(4, 0, 2).node(5, 9, 2);
    map.node(6, 18, 2).node(7, 27, 0).node(8, 27, 2);
    map.way(10, {1, 2}).way(11, {2, 3}).way(12, {4, 5}).way(13, {5, 6});
    map.way(14, {3, 7}).way(15, {6, 8});
    map.lanelet(20, 12, 10, {{"subtype", "bicycle_lane"}});
    map.lanelet(21, 13, 11).lanelet(22, 15, 14, {{"subtype", "bicycle_lane"}});
    map.node(9, 0, 4).node(10, 9, 4).way(16, {9, 10}).lanelet(23, 16, 12);
    const auto found = imported(map);
    CHECK(lane_of(found, "20").ahead == Ids{"21"});
    CHECK(lane_of(found, "21").ahead.empty());
    CHECK(lane_of(found, "20").left_neighbour == "23");
    CHECK(lane_of(found, "23").right_neighbour.empty());
  }

  TEST_CASE("positions are those of Lanelet2's UtmProjector") {
    const auto text = [](const char* nodes) {
      return std::string("<osm>") + nodes +
             "<way id='10'><nd ref='3'/><nd ref='4'/></way>"
             "<way id='11'><nd ref='1'/><nd ref='2'/></way>"
             "<relation id='20'><member type='way' ref='11' role='left'/><member "
             "type='way' ref='10' role='right'/><tag k='type' v='lanelet'/></relation>"
             "</osm>";
    };
    // Of the test scenario of INTERACTION's scripts, with the origin 0, 0.
    const auto at_zero =
        import_lanelet2(text("<node id='3' lat='0.00000903483' lon='0.00000897435'/>"
                             "<node id='4' lat='0.00000903484' lon='0.00090640957'/>"
                             "<node id='1' lat='0.00003613932' lon='0.00000897435'/>"
                             "<node id='2' lat='0.00003613935' lon='0.00090640957'/>"),
                        kZero);
    CHECK(is_near(at_zero.lanes[0].right.front(), 1, 1, 1e-4));
    CHECK(is_near(at_zero.lanes[0].left.front(), 1, 4, 1e-4));
    CHECK(is_near(at_zero.lanes[0].left.back(), 101, 4, 1e-3));
    // Lanelet 42440 of Lanelet2's example, with the origin 49, 8.4.
    const auto nodes =
        "<node id='1' lat='49.01109735218' lon='8.42321254246'/>"
        "<node id='2' lat='49.01111582478' lon='8.42330239646'/>"
        "<node id='3' lat='49.01106788397' lon='8.42332586579'/>"
        "<node id='4' lat='49.01105327604' lon='8.42330026263'/>";
    const auto karlsruhe = import_lanelet2(text(nodes), geom::Geodetic{49, 8.4, 0});
    CHECK(karlsruhe.frame.lat_e7 == 490'000'000);
    CHECK(karlsruhe.frame.lng_e7 == 84'000'000);
    const auto& lane = karlsruhe.lanes[0];
    CHECK(is_near(lane.left.front(), 1707.1853, 1220.4733, 1e-4));
    CHECK(is_near(lane.left.back(), 1713.7715, 1222.4769, 1e-4));
    CHECK(std::min(std::hypot(lane.right[0].x - 1713.5627, lane.right[0].y - 1215.5249),
                   std::hypot(lane.right[1].x - 1713.5627,
                              lane.right[1].y - 1215.5249)) < 1e-4);
    // Without an origin, it is the middle in hundredths of a degree.
    const auto middle = import_lanelet2(text(nodes));
    CHECK(middle.frame.lat_e7 == 490'100'000);
    CHECK(middle.frame.lng_e7 == 84'200'000);
    CHECK(std::abs(middle.lanes[0].left[0].x) < 300);
  }

  TEST_CASE("local positions are taken as they are, if all nodes have them") {
    const auto text = [](const char* tags) {
      return std::string(
                 "<osm><node id='1' lat='' lon=''><tag k='local_x' v='90000.5'/><tag "
                 "k='local_y' v='4'/><tag k='ele' v='2'/></node><node id='2' lat='' "
                 "lon=''><tag k='local_x' v='90010'/><tag k='local_y' "
                 "v='4'/></node><node id='3' lat='1' lon='1'>") +
             tags +
             "</node><node id='4'><tag k='local_x' v='90010'/><tag k='local_y' "
             "v='1'/></node><way id='10'><nd ref='1'/><nd ref='2'/></way><way "
             "id='11'><nd ref='3'/><nd ref='4'/></way><relation id='20'><member "
             "type='way' ref='10' role='left'/><member type='way' ref='11' "
             "role='right'/><tag k='type' v='lanelet'/></relation></osm>";
    };
    const auto map =
        import_lanelet2(text("<tag k='local_x' v='90000'/><tag k='local_y' v='1'/>"));
    CHECK(map.lanes[0].left.front() == geom::Vec3{90000.5, 4, 2});
    CHECK(test::error_code([&] { import_lanelet2(text("")); }) ==
          Errc::invalid_metadata);
  }

  TEST_CASE("a centre line is turned to the lane's direction") {
    OsmMap map = one_lane(false, false, {});
    map.node(5, 0, 2).node(6, 50, 2).way(12, {6, 5});
    map.relation(21,
                 {{"way", 11, "left"}, {"way", 10, "right"}, {"way", 12, "centerline"}},
                 {{"type", "lanelet"}});
    const auto found = imported(map);
    CHECK(lane_of(found, "20").centre.empty());
    CHECK(is_near(lane_of(found, "21").centre.front(), 0, 2));
  }

  TEST_CASE("deleted elements are not part of a map") {
    const auto whole = test::small_lanelet2().text();
    for (const std::string mark : {"action='delete'", "visible='false'"}) {
      auto text = whole;
      const std::string first = "<relation id='20'";
      text.replace(text.find(first), first.size(), first + " " + mark);
      CHECK(import_lanelet2(text, kZero).lanes.size() == 2);
    }
  }

  TEST_CASE("what is not a map is refused, naming the element") {
    const auto refused = [](std::string_view text) {
      return test::error_code([&] { import_lanelet2(text, kZero); });
    };
    CHECK(refused("x") == Errc::corrupt_chunk);
    CHECK(refused("") == Errc::corrupt_chunk);
    CHECK(refused("<OpenDRIVE/>") == Errc::unsupported);
    CHECK(refused("<osm/>") == Errc::unsupported);
    CHECK(refused("<!DOCTYPE osm [<!ENTITY a \"b\"><!ENTITY c \"&a;&a;\">]><osm/>") ==
          Errc::unsupported);
    CHECK(refused("<osm><node id='1' lat='95' lon='0'/></osm>") ==
          Errc::invalid_metadata);
    CHECK(refused("<osm><node id='1' lat='nan' lon='0'/></osm>") ==
          Errc::invalid_metadata);
    CHECK(refused("<osm><node id='99999999999999999999' lat='0' lon='0'/></osm>") ==
          Errc::invalid_metadata);
    CHECK(refused("<osm><node lat='0' lon='0'/></osm>") == Errc::invalid_metadata);
    const auto small = test::small_lanelet2;
    CHECK(code_of(small().node(1, 0, 0)) == Errc::invalid_metadata);
    CHECK(code_of(small().way(10, {1, 2})) == Errc::invalid_metadata);
    CHECK(code_of(small().lanelet(20, 11, 10)) == Errc::invalid_metadata);
    CHECK(code_of(small().way(90, {1, 999}).lanelet(91, 90, 10)) ==
          Errc::invalid_metadata);
    CHECK(code_of(small().lanelet(91, 999, 10)) == Errc::invalid_metadata);
    CHECK(code_of(small().relation(91, {{"way", 11, "left"}}, {{"type", "lanelet"}})) ==
          Errc::invalid_metadata);
    CHECK(code_of(small().relation(91, {{"node", 1, "left"}, {"way", 10, "right"}},
                                   {{"type", "lanelet"}})) == Errc::invalid_metadata);
    try {
      imported(small().lanelet(91, 999, 10));
    } catch (const Error& error) {
      CHECK(std::string_view(error.what()) == "lanelet 91: way 999 is missing");
    }
    CHECK(test::error_code([&] {
            import_lanelet2(small().text(), geom::Geodetic{49, 8, 0});
          }) == Errc::invalid_metadata);
    CHECK(test::error_code([&] {
            import_lanelet2(small().text(), geom::Geodetic{85, 0, 0});
          }) == Errc::unsupported);
  }

  TEST_CASE("loops and odd references end") {
    OsmMap map = test::small_lanelet2();
    map.lanelet(40, 10, 10).lanelet(41, 10, 11, {}, 41);       // one side, itself
    map.way(50, {1}).lanelet(42, 50, 10).lanelet(43, 11, 50);  // one point
    map.way(51, {}).lanelet(44, 51, 10).way(52, {1, 1, 1}).lanelet(45, 52, 11);
    map.way(53, {1, 2, 5, 4, 1}).lanelet(46, 53, 12);  // a ring
    map.relation(47, {{"relation", 47, "refers"}, {"way", 777, "refers"}},
                 {{"type", "regulatory_element"}, {"subtype", "traffic_light"}});
    map.relation(48, {{"relation", 48, "outer"}}, {{"type", "multipolygon"}});
    const auto found = imported(map);
    CHECK(found.lost.at("lanelet without length") == 4);
    CHECK(found.lost.at("traffic light that is not a way") == 1);
    CHECK(lane_of(found, "40").left_neighbour.empty());
    CityMap city;
    city.add(found, "town");
    CHECK(!city.semantic_map().empty());
  }

  TEST_CASE("a small file cannot become a large map") {
    OsmMap points;
    std::vector<long long> nodes;
    for (int i = 0; i < 10'000; ++i) nodes.push_back(i % 2 == 0 ? 1 : 2);
    points.node(1, 0, 0).node(2, 9, 0).way(10, nodes);
    for (int i = 0; i < 1'001; ++i) points.lanelet(100 + i, 10, 10);
    CHECK(code_of(points) == Errc::limit_exceeded);
    OsmMap links;  // each ring is ahead of every other
    links.node(1, 0, 0).node(2, 9, 0).node(3, 5, 5).node(4, 2, 1).node(5, 6, 2);
    links.way(10, {1, 2, 3, 1}).way(11, {4, 5, 4});
    for (int i = 0; i < 1'002; ++i) links.lanelet(100 + i, 10, 11);
    CHECK(code_of(links) == Errc::limit_exceeded);
  }

  TEST_CASE("damaged maps are read or refused") {
    const std::string whole = test::small_lanelet2().text();
    std::mt19937 random(9);
    constexpr std::string_view kLikely = "0123456789.-e'<>/ ";
    for (int round = 0; round < 1000; ++round) {
      auto text = whole;
      for (int i = 0; i < 2; ++i) {
        text[random() % text.size()] = kLikely[random() % kLikely.size()];
      }
      const auto code = test::error_code([&] {
        CityMap city;
        city.add(import_lanelet2(text), "r");
        static_cast<void>(city.semantic_map());
      });
      const bool is_expected =
          !code || code == Errc::corrupt_chunk || code == Errc::invalid_metadata ||
          code == Errc::unsupported || code == Errc::limit_exceeded;
      REQUIRE(is_expected);
    }
  }

  TEST_CASE("the example of Lanelet2 has its lanes and links") {
    const char* const folder = std::getenv("BEV_LANELET2");
    if (folder == nullptr) {
      std::printf("[skipped] the example of Lanelet2 has its lanes and links\n");
      return;
    }
    const auto text = test::read_text(std::string(folder) + "/mapping_example.osm");
    const auto map = import_lanelet2(text, geom::Geodetic{49, 8.4, 0});
    std::size_t passable = 0, following = 0;
    for (const auto& lane : map.lanes) {
      if (lane.access != map::Access::no_restriction) continue;
      ++passable;
      following += lane.ahead.size();
    }
    CHECK(passable == 328);  // by its traffic rules of vehicles in Germany
    // Its routing graph has 4 more, against the direction of lanelets of both.
    CHECK(following == 313);
    CHECK(map.crosswalks.size() == 8);
    const auto& lane = lane_of(map, "42440");
    CHECK(is_near(lane.left.front(), 1707.1853, 1220.4733, 1e-4));
    CHECK(is_near(lane.right.front(), 1713.5627, 1215.5249, 1e-4));
  }
}

}  // namespace lanelet2_test
