#include "tests/fuzz/map/target.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "core/base/error.hpp"
#include "core/map/flat_map.hpp"
#include "core/map/interpolate.hpp"
#include "core/map/lane_lights.hpp"
#include "core/map/semantic_map.hpp"
#include "tests/support/small_map.hpp"

namespace bev::test {
namespace {

using namespace bev::map;

// Low limits, so that the fuzzer reaches them and memory stays small.
constexpr Limits kLimits{std::size_t{1} << 20, 2000, 20000, 2000};

void hold(bool property, const char* what) {
  if (!property) throw std::logic_error(what);
}

bool is_finite(const geom::Vec3& p) {
  return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
}

std::optional<SemanticMap> parsed(std::span<const std::byte> input) {
  try {
    return SemanticMap::parse(input, equator_meta(), kLimits);
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// Checks offsets of n items: n + 1 ascending numbers from 0 to `end`.
void check_offsets(const std::vector<std::uint32_t>& offsets, std::size_t things,
                   std::size_t end) {
  hold(offsets.size() == things + 1, "offsets: their number");
  hold(std::is_sorted(offsets.begin(), offsets.end()), "offsets: their order");
  hold(offsets.front() == 0 && offsets.back() == end, "offsets: their ends");
}

void check_columns(const SemanticMap& map) {
  const FlatMap flat = flatten(map);
  const std::size_t lanes = map.lanes().size();
  check_offsets(flat.lane_id.offsets, lanes, flat.lane_id.utf8.size());
  check_offsets(flat.left.offsets, lanes, flat.left.points.size());
  check_offsets(flat.right.offsets, lanes, flat.right.points.size());
  check_offsets(flat.ahead.first, lanes, flat.ahead.rows.size());
  check_offsets(flat.controls_first, lanes, flat.controls.offsets.size() - 1);
  check_offsets(flat.crosswalks.offsets, map.crosswalks().size(),
                flat.crosswalks.points.size());
  const auto is_lane = [&](std::uint32_t row) { return row < lanes; };
  hold(std::all_of(flat.ahead.rows.begin(), flat.ahead.rows.end(), is_lane),
       "a lane ahead is no lane");
}

void check_points(const SemanticMap& map) {
  for (const Lane& lane : map.lanes()) {
    for (const auto* side : {&lane.left.points, &lane.right.points}) {
      hold(std::all_of(side->begin(), side->end(), is_finite), "a boundary");
      if (!side->empty()) hold(points_by_count(*side, 7).size() == 7, "a count");
    }
  }
  for (const Crosswalk& crosswalk : map.crosswalks()) {
    hold(std::all_of(crosswalk.outline.begin(), crosswalk.outline.end(), is_finite),
         "an outline");
  }
}

void check_near(const SemanticMap& map, double x, double y, double radius) {
  std::vector<std::uint32_t> scanned;
  for (std::uint32_t row = 0; row < map.lanes().size(); ++row) {
    if (map.lanes()[row].bounds.is_near(x, y, radius)) scanned.push_back(row);
  }
  hold(map.lanes_near(x, y, radius) == scanned, "a query by place");
}

void check_map(const SemanticMap& map) {
  check_columns(map);
  check_points(map);
  check_near(map, 0, 0, 100);
  check_near(map, 0, 0, 1e9);
  check_near(map, map.bounds().min_x, map.bounds().max_y, 10);
  std::vector<std::string_view> lit;
  for (const Face& face : map.faces()) lit.push_back(face.id);
  hold(LaneLights(map).colours(lit).size() == map.lanes().size(), "colours");
}

void check_meta(std::string_view json) {
  try {
    const Meta meta = parse_meta(json);
    hold(is_finite(meta.world_from_ecef * geom::Vec3{1e6, 2e6, 3e6}), "a matrix");
  } catch (const Error&) {
    return;
  }
}

}  // namespace

void map_target(std::span<const std::byte> input) {
  if (const auto map = parsed(input)) check_map(*map);
  check_meta({reinterpret_cast<const char*>(input.data()), input.size()});
}

std::vector<Seed> map_seeds() {
  const auto uses = Message()
                        .id(1, "J")
                        .message(2, geo_frame(374404736, -1221634863))
                        .id(5, "L2")
                        .id(6, "Le")
                        .id(7, "Ri")
                        .id(8, "T1")
                        .id(9, "Y1")
                        .varint(10, 1)
                        .message(11, Message().varint(1, 3))
                        .varint(12, 2)
                        .varint(13, 6)
                        .message(3, Message().enums(4, {5, 12}).varint(5, 150));
  const auto light = Message().id(3, "R").id(3, "G");
  const auto segment = Message().real32(9, 13.5f).real32(10, 8.0f).id(12, "L1");
  const auto kinds = Message()
                         .message(kLane, Message().id(5, "L2"))
                         .message(kNode, Message())
                         .message(kLane, Message().varint(3, 1));
  return {
      {"lane", fragment({lane("L1", 5, uses), lane("L2", 9)}).text()},
      {"lights", fragment({control("T1", 29, light), control("R", 11), control("G", 31),
                           lane("L1", 0, Message().id(8, "R"))})
                     .text()},
      {"crosswalk", fragment({crosswalk("C1", 3), control("C2", 16)}).text()},
      {"road", fragment({map_element("J", kJunction,
                                     Message().id(2, "T").id(3, "L").varint(4, 1)),
                         map_element("S", kSegment, segment)})
                   .text()},
      {"oneof", fragment({Message().id(1, "X").message(2, kinds)}).text()},
      {"empty", fragment({Message(), Message().id(1, "")}).text()},
      {"meta", equator_meta_json()},
  };
}

}  // namespace bev::test
