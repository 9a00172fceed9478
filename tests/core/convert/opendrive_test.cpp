#include "core/convert/opendrive.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <random>
#include <span>
#include <string>

#include "core/convert/city_map.hpp"
#include "core/map/semantic_map.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/files.hpp"

namespace opendrive_test {

using namespace bev;
using namespace bev::convert;

namespace {

constexpr double kPi = std::numbers::pi;

std::string geometry(double s, double x, double y, double heading, double length,
                     const std::string& shape) {
  return "<geometry s='" + std::to_string(s) + "' x='" + std::to_string(x) + "' y='" +
         std::to_string(y) + "' hdg='" + std::to_string(heading) + "' length='" +
         std::to_string(length) + "'>" + shape + "</geometry>";
}

std::string lane(int id, double width, const std::string& more = "",
                 const std::string& type = "driving") {
  return "<lane id='" + std::to_string(id) + "' type='" + type +
         "'><width sOffset='0' a='" + std::to_string(width) + "' b='0' c='0' d='0'/>" +
         more + "</lane>";
}

/// Lanes 1 and 2 on the left, -1 on the right.
const std::string kLanes =
    "<left>" + lane(2, 3) +
    lane(1, 4, "<roadMark sOffset='0' type='broken' color='white'/>") +
    "</left><center><lane id='0' type='none'><roadMark sOffset='0' type='solid' "
    "color='yellow'/></lane></center><right>" +
    lane(-1, 3.5) + "</right>";

std::string road(const std::string& id, double length, const std::string& plan,
                 const std::string& lanes = kLanes, const std::string& more = "",
                 const std::string& attributes = "junction='-1'") {
  return "<road id='" + id + "' length='" + std::to_string(length) + "' " + attributes +
         "><planView>" + plan + "</planView><lanes><laneSection s='0'>" + lanes +
         "</laneSection></lanes>" + more + "</road>";
}

SourceMap imported(const std::string& content) {
  return import_opendrive("<OpenDRIVE>" + content + "</OpenDRIVE>");
}

const SourceLane& lane_of(const SourceMap& map, const std::string& id) {
  for (const auto& one : map.lanes) {
    if (one.id == id) return one;
  }
  FAIL("no lane " << id);
  return map.lanes.front();
}

bool is_near(const geom::Vec3& p, double x, double y, double within = 1e-9) {
  return std::hypot(p.x - x, p.y - y) <= within;
}

double length_of(const std::vector<geom::Vec3>& line) {
  double out = 0;
  for (std::size_t i = 1; i < line.size(); ++i) {
    out += std::hypot(line[i].x - line[i - 1].x, line[i].y - line[i - 1].y);
  }
  return out;
}

}  // namespace

TEST_SUITE("convert/opendrive") {
  TEST_CASE("lanes go with the traffic, with their sides, lines and neighbours") {
    const auto map = imported(road("r", 100, geometry(0, 0, 0, 0, 100, "<line/>")));
    REQUIRE(map.lanes.size() == 3);
    const auto& right = lane_of(map, "r/0/-1");
    CHECK(is_near(right.centre.front(), 0, -1.75));
    CHECK(is_near(right.centre.back(), 100, -1.75));
    CHECK(is_near(right.left.front(), 0, 0));
    CHECK(is_near(right.right.front(), 0, -3.5));
    CHECK(right.left_divider == map::Divider::single_yellow_solid);
    CHECK(right.left_neighbour.empty());
    CHECK(!right.can_cross_left);
    const auto& left = lane_of(map, "r/0/2");
    CHECK(is_near(left.centre.front(), 100, 5.5));
    CHECK(is_near(left.left.front(), 100, 4));
    CHECK(is_near(left.right.back(), 0, 7));
    CHECK(left.left_neighbour == "r/0/1");
    CHECK(left.left_divider == map::Divider::single_white_dashed);
    CHECK(left.can_cross_left);
    CHECK(lane_of(map, "r/0/1").right_neighbour == "r/0/2");
    CHECK(lane_of(map, "r/0/1").left_neighbour.empty());
  }

  TEST_CASE("with traffic on the left, lanes and sides are turned") {
    const auto map = imported(
        road("r", 100, geometry(0, 0, 0, 0, 100, "<line/>"), kLanes, "", "rule='LHT'"));
    const auto& right = lane_of(map, "r/0/-1");
    CHECK(is_near(right.centre.front(), 100, -1.75));
    CHECK(is_near(right.right.front(), 100, 0));
    CHECK(is_near(right.left.back(), 0, -3.5));
  }

  TEST_CASE("arcs, spirals and cubics are followed") {
    const double quarter = 50 * kPi / 2;
    const auto arc = imported(
        road("r", quarter, geometry(0, 0, 0, 0, quarter, "<arc curvature='0.02'/>")));
    const auto& on_arc = lane_of(arc, "r/0/-1").centre;
    CHECK(is_near(on_arc.back(), 51.75, 50, 1e-4));
    for (const auto& p : on_arc) {
      CHECK(std::abs(std::hypot(p.x, p.y - 50) - 51.75) < 1e-4);
    }
    CHECK(std::abs(length_of(on_arc) - 51.75 * kPi / 2) < 0.01);
    // A clothoid of 100 m from 0 to 1/50: its end by Fresnel's series.
    const auto spiral = imported(road(
        "r", 100, geometry(0, 0, 0, 0, 100, "<spiral curvStart='0' curvEnd='0.02'/>"),
        "<right>" + lane(-1, 0) + "</right>"));
    double x = 0, y = 0, factor = 100;  // of angle 1 at the end
    for (int n = 0; n < 12; ++n) {
      const double term = factor / (2 * n + 1);
      (n % 2 == 0 ? x : y) += (n % 4 < 2 ? term : -term);
      factor /= n + 1;
    }
    CHECK(is_near(lane_of(spiral, "r/0/-1").centre.back(), x, y, 1e-7));
    const auto cubic = imported(road(
        "r", 10,
        geometry(
            0, 1, 2, kPi / 2, 10,
            "<paramPoly3 aU='0' bU='10' cU='0' dU='0' aV='0' bV='0' cV='2' dV='0'/>"),
        "<right>" + lane(-1, 0) + "</right>"));
    CHECK(is_near(lane_of(cubic, "r/0/-1").centre.back(), -1, 12, 1e-4));
    // v = u^2 / 20 has the length asinh(1) * 5 + 5 * sqrt(2) at u = 10.
    const double length = std::asinh(1.0) * 5 + 5 * std::sqrt(2.0);
    const auto poly = imported(
        road("r", length,
             geometry(0, 0, 0, 0, length, "<poly3 a='0' b='0' c='0.05' d='0'/>"),
             "<right>" + lane(-1, 0) + "</right>"));
    CHECK(is_near(lane_of(poly, "r/0/-1").centre.back(), 10, 5, 1e-5));
  }

  TEST_CASE("lanes shift with the offset, and borders are positions") {
    const std::string lanes =
        "<right><lane id='-1' type='driving'><border sOffset='0' a='-2' b='-0.01' "
        "c='0' "
        "d='0'/></lane></right>";
    const auto map = imported(
        "<road id='r' length='100'><planView>" + geometry(0, 0, 0, 0, 100, "<line/>") +
        "</planView><elevationProfile><elevation s='0' a='1' b='0.1' c='0' d='0'/>"
        "</elevationProfile><lanes><laneOffset s='50' a='1' b='0' c='0' d='0'/>"
        "<laneSection s='0'>" +
        lanes + "</laneSection></lanes></road>");
    const auto& one = lane_of(map, "r/0/-1");
    CHECK(is_near(one.right.back(), 100, -3));
    CHECK(is_near(one.left.front(), 0, 0));
    CHECK(is_near(one.left.back(), 100, 1));
    CHECK(std::abs(one.centre.back().z - 11) < 1e-9);
  }

  TEST_CASE("lanes lead to the next section, to roads and through junctions") {
    const auto link = [](const char* what, int to) {
      return std::string("<link><") + what + " id='" + std::to_string(to) +
             "'/></link>";
    };
    const auto straight = [](double x) { return geometry(0, x, 0, 0, 10, "<line/>"); };
    const auto map = imported(
        "<road id='a' length='20'><link><successor elementType='junction' "
        "elementId='j'/>"
        "</link><planView>" +
        geometry(0, 0, 0, 0, 20, "<line/>") +
        "</planView><lanes><laneSection s='0'><right>" +
        lane(-1, 3, link("successor", -2)) +
        "</right></laneSection><laneSection s='10'><right>" + lane(-1, 0.5) +
        lane(-2, 3) + "</right></laneSection></lanes></road>" +
        road("b", 10, straight(20),
             "<right>" + lane(-1, 3, link("successor", 1)) + "</right>",
             "<link><successor elementType='road' elementId='c' "
             "contactPoint='end'/></link>",
             "junction='j'") +
        road("c", 10, geometry(0, 40, 0, kPi, 10, "<line/>"),
             "<left>" + lane(1, 3) + "</left>") +
        "<junction id='j'><connection incomingRoad='a' connectingRoad='b' "
        "contactPoint='start'><laneLink from='-2' to='-1'/></connection></junction>");
    CHECK(lane_of(map, "a/0/-1").ahead == std::vector<std::string>{"a/1/-2"});
    CHECK(lane_of(map, "a/1/-2").ahead == std::vector<std::string>{"b/0/-1"});
    CHECK(lane_of(map, "a/1/-1").ahead.empty());
    const auto& inside = lane_of(map, "b/0/-1");
    CHECK(inside.in_junction);
    CHECK(inside.turn == map::Turn::through);
    CHECK(inside.ahead == std::vector<std::string>{"c/0/1"});
  }

  TEST_CASE("dynamic signals are lights of their lanes, crosswalks are outlines") {
    const auto map = imported(
        road("r", 100, geometry(0, 0, 0, 0, 100, "<line/>"), kLanes,
             "<signals><signal id='7' s='90' t='-5' zOffset='4' dynamic='yes' "
             "orientation='+'/>"
             "<signal id='8' s='90' t='-5' dynamic='no'/></signals>"
             "<objects><object id='1' type='crosswalk' s='50' t='0' hdg='0'><outline>"
             "<cornerLocal u='-2' v='-4'/><cornerLocal u='2' v='-4'/><cornerLocal "
             "u='2' v='4'/>"
             "</outline></object><object id='2' type='tree' s='0' t='0'/></objects>"));
    REQUIRE(map.lights.size() == 1);
    CHECK(map.lights[0].position == geom::Vec3{90, -5, 4});
    CHECK(lane_of(map, "r/0/-1").faces.size() == 3);
    CHECK(lane_of(map, "r/0/1").faces.empty());
    REQUIRE(map.crosswalks.size() == 1);
    CHECK(is_near(map.crosswalks[0].outline[2], 52, 4));
    CHECK(map.lost.at("sign") == 1);
    CHECK(map.lost.at("object") == 1);
    CityMap city;
    city.add(map, "r");
    const std::string bytes = city.semantic_map();
    const auto read = map::SemanticMap::parse(std::as_bytes(std::span(bytes)),
                                              map::parse_meta(city.meta_json()));
    CHECK(read.lanes().size() == 3);
    CHECK(read.lights().size() == 1);
  }

  TEST_CASE("the header's frame is kept, and its offset added") {
    const auto line = road("r", 100, geometry(0, 10, 20, 0, 100, "<line/>"));
    const auto map = imported(
        "<header><geoReference><![CDATA[ +proj=utm +zone=32 ]]></geoReference>"
        "<offset x='500' y='-30' z='7' hdg='0'/></header>" +
        line);
    CHECK(map.geo_reference == "+proj=utm +zone=32");
    CHECK(map.lost.empty());
    const auto& centre = lane_of(map, "r/0/-1").centre;
    CHECK(is_near(centre.front(), 510, -11.75));
    CHECK(centre.front().z == 7);
    // Moved first, then turned about the new origin.
    const auto turned = imported("<header><offset x='-10' y='-20' z='0' hdg='" +
                                 std::to_string(kPi / 2) + "'/></header>" + line);
    CHECK(is_near(lane_of(turned, "r/0/-1").centre.back(), 1.75, 100, 1e-4));
    CHECK(imported(line).geo_reference.empty());
    CHECK(test::error_code([&] {
            imported("<header><offset x='1e8' y='0' z='0'/></header>" + line);
          }) == Errc::invalid_metadata);
  }

  TEST_CASE("a section ends with the offset before the next one begins") {
    const std::string section = "<right>" + lane(-1, 3) + "</right></laneSection>";
    const auto map = imported(
        "<road id='r' length='20'><planView>" + geometry(0, 0, 0, 0, 20, "<line/>") +
        "</planView><lanes><laneOffset s='0' a='0' b='0' c='0' d='0'/><laneOffset "
        "s='10' a='-1.75' b='0' c='0' d='0'/><laneSection s='0'>" +
        section + "<laneSection s='10'>" + section + "</lanes></road>");
    CHECK(is_near(lane_of(map, "r/0/-1").centre.back(), 10, -1.5));
    CHECK(is_near(lane_of(map, "r/1/-1").centre.front(), 10, -3.25));
  }

  TEST_CASE("what is not a map is refused, naming it") {
    const auto code = [](const std::string& content) {
      return test::error_code([&] { imported(content); });
    };
    CHECK(test::error_code([] { import_opendrive("<osm/>"); }) == Errc::unsupported);
    CHECK(test::error_code([] { import_opendrive("x"); }) == Errc::corrupt_chunk);
    CHECK(code("<road id='1'/>") == Errc::invalid_metadata);
    CHECK(code("<road id='1' length='5'/>") == Errc::invalid_metadata);
    CHECK(code("<road id='1' length='1e9'/>") == Errc::invalid_metadata);
    const auto line = geometry(0, 0, 0, 0, 10, "<line/>");
    CHECK(code(road("1", 10, line) + road("1", 10, line)) == Errc::invalid_metadata);
    CHECK(code(road("\xff", 10, line)) == Errc::invalid_metadata);
    CHECK(code(road("1", 10, geometry(0, 0, 0, 0, 10, "<other/>"))) ==
          Errc::unsupported);
    CHECK(code(road("1", 10, line, "<left>" + lane(1, 1e7) + "</left>")) ==
          Errc::invalid_metadata);
    CHECK(code(road("1", 900'000, geometry(0, 0, 0, 0, 9e5, "<arc curvature='1'/>"),
                    "<left>" + lane(1, 3) + lane(2, 3) + lane(3, 3) + lane(4, 3) +
                        lane(5, 3) + lane(6, 3) + "</left>")) == Errc::limit_exceeded);
  }

  TEST_CASE("damaged maps are read or refused") {
    const std::string whole =
        "<OpenDRIVE>" +
        road("r", 10,
             geometry(0, 0, 0, 0, 10, "<spiral curvStart='0' curvEnd='0.1'/>")) +
        "</OpenDRIVE>";
    std::mt19937 random(9);
    constexpr std::string_view kLikely = "0123456789.-e'<>/ ";
    for (int round = 0; round < 1000; ++round) {
      auto text = whole;
      for (int i = 0; i < 2; ++i) {
        text[random() % text.size()] = kLikely[random() % kLikely.size()];
      }
      const auto code = test::error_code([&] {
        CityMap city;
        city.add(import_opendrive(text), "r");
        static_cast<void>(city.semantic_map());
      });
      const bool is_expected =
          !code || code == Errc::corrupt_chunk || code == Errc::invalid_metadata ||
          code == Errc::unsupported || code == Errc::limit_exceeded;
      REQUIRE(is_expected);
    }
  }

  TEST_CASE("lanes of public maps are those of libOpenDRIVE") {
    const char* const folder = std::getenv("BEV_OPENDRIVE");
    if (folder == nullptr) {
      std::printf("[skipped] lanes of public maps are those of libOpenDRIVE\n");
      return;
    }
    struct Expected {
      std::string file;
      std::size_t lanes;
      double length;
      std::string lane;
      std::array<double, 4> ends;
    };
    const std::vector<Expected> all = {
        {"straight_500m", 2, 1000, "1/0/1", {0, 1.535, 500, 1.535}},
        {"curve_r100", 2, 1514.16, "0/0/1", {0, 1.535, 598.465, 200}},
        {"crest-curve", 2, 800, "0/0/1", {0, 1.6, 222.0123, -156.0768}},
        {"e6mini", 6, 8786.63, "0/0/4", {-11.6999, 0.0393, 145.4160, 1454.1885}},
        {"fabriksgatan", 20, 1216.74, "0/0/1", {28.9563, -9.8206, 48.0038, -101.6792}},
        {"soderleden", 11, 3693.49, "0/0/-1", {7.9381, 20.1955, 107.9241, 18.8356}},
        {"multi_intersections", 86, 6429.13, "196/0/1", {288.125, 11, 288.125, 120}}};
    for (const auto& one : all) {
      CAPTURE(one.file);
      const auto bytes =
          test::find_file(std::string(folder) + "/" + one.file + ".xodr");
      REQUIRE(bytes.has_value());
      const auto map = import_opendrive(
          {reinterpret_cast<const char*>(bytes->data()), bytes->size()});
      CHECK(map.lanes.size() == one.lanes);
      double length = 0;
      for (const auto& lane : map.lanes) length += length_of(lane.centre);
      CHECK(std::abs(length - one.length) < 0.02);
      auto centre = lane_of(map, one.lane).centre;  // listed along the road
      if (one.lane.find('-') == one.lane.npos)
        std::reverse(centre.begin(), centre.end());
      CHECK(is_near(centre.front(), one.ends[0], one.ends[1], 0.01));
      CHECK(is_near(centre.back(), one.ends[2], one.ends[3], 0.01));
    }
  }
}

}  // namespace opendrive_test
