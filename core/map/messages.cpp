#include "core/map/messages.hpp"

#include <string>

namespace bev::map {
namespace {

void add_id(Wire wire, std::vector<std::string>& ids, Budget& budget) {
  budget.take_reference();
  ids.emplace_back();
  read_id(wire, ids.back());
}

void add_deltas(Wire& wire, std::vector<std::int32_t>& deltas, Budget& budget) {
  wire.each_varint([&](std::uint64_t value) {
    budget.take_number();
    deltas.push_back(zigzag32(value));
  });
}

void read_location(Wire wire, RawFrame& frame) {
  while (wire.next()) {
    switch (wire.tag()) {
      case fixed32_field(1): frame.lat_e7 = wire.sfixed32(); break;
      case fixed32_field(2): frame.lng_e7 = wire.sfixed32(); break;
      default: wire.skip();
    }
  }
}

void read_frame(Wire wire, RawFrame& frame) {
  while (wire.next()) {
    switch (wire.tag()) {
      case bytes_field(1): read_location(Wire(wire.bytes()), frame); break;
      default: wire.skip();
    }
  }
}

void read_boundary(Wire wire, RawBoundary& boundary, Budget& budget) {
  while (wire.next()) {
    switch (wire.tag()) {
      case bytes_field(1):
      case varint_field(1): add_deltas(wire, boundary.line.dx_cm, budget); break;
      case bytes_field(2):
      case varint_field(2): add_deltas(wire, boundary.line.dy_cm, budget); break;
      case bytes_field(3):
      case varint_field(3): add_deltas(wire, boundary.line.dz_cm, budget); break;
      case bytes_field(4):
      case varint_field(4):
        wire.each_varint([&](std::uint64_t value) {
          budget.take_number();
          boundary.dividers.push_back(value);
        });
        break;
      case bytes_field(5):
      case varint_field(5):
        wire.each_varint([&](std::uint64_t value) {
          budget.take_number();
          boundary.type_change_point_cm.push_back(static_cast<std::int32_t>(value));
        });
        break;
      default: wire.skip();
    }
  }
}

std::uint64_t read_access(Wire wire, std::uint64_t access) {
  while (wire.next()) {
    switch (wire.tag()) {
      case varint_field(1): access = wire.varint(); break;
      default: wire.skip();
    }
  }
  return access;
}

void read_light(Wire wire, std::vector<std::string>& faces, Budget& budget) {
  while (wire.next()) {
    switch (wire.tag()) {
      case bytes_field(3): add_id(Wire(wire.bytes()), faces, budget); break;
      default: wire.skip();
    }
  }
}

/// Whether a field of TrafficControlElement belongs to its oneof.
bool is_control_type(std::uint32_t number) {
  return number >= 7 && number <= 73 && number != 14 && number != 26 && number != 28 &&
         number != 48;
}

/// Reads a oneof member. A member other than the previous one clears the light's faces.
void choose_type(Wire& wire, RawControl& control, Budget& budget) {
  const auto number = wire.tag() >> 3U;
  if (control.type != number) control.faces.clear();
  control.type = number;
  if (number == kTrafficLight) {
    read_light(Wire(wire.bytes()), control.faces, budget);
  } else {
    wire.skip();
  }
}

/// Reads non-geometry fields of a lane. Returns `true` if the current field was one.
bool read_lane_relation(Wire& wire, RawLane& lane, Budget& budget) {
  switch (wire.tag()) {
    case bytes_field(1): read_id(Wire(wire.bytes()), lane.parent); return true;
    case bytes_field(5):
      add_id(Wire(wire.bytes()), lane.lanes_ahead, budget);
      return true;
    case bytes_field(6): read_id(Wire(wire.bytes()), lane.adjacent_left); return true;
    case bytes_field(7): read_id(Wire(wire.bytes()), lane.adjacent_right); return true;
    case bytes_field(8):
      add_id(Wire(wire.bytes()), lane.traffic_controls, budget);
      return true;
    case bytes_field(9):
      add_id(Wire(wire.bytes()), lane.yield_to_lanes, budget);
      return true;
    default: return false;
  }
}

}  // namespace

void Budget::take(std::size_t& used, std::size_t limit, const char* what) {
  if (used == limit) {
    fail(Errc::limit_exceeded,
         {"too many ", what, " in the map (expected at most ", limit, ")"});
  }
  ++used;
}

void RawLine::clear() {
  dx_cm.clear();
  dy_cm.clear();
  dz_cm.clear();
}

void RawLane::clear() {
  parent.clear();
  frame = {};
  for (RawBoundary* side : {&left, &right, &centre}) {
    side->line.clear();
    side->dividers.clear();
    side->type_change_point_cm.clear();
  }
  lanes_ahead.clear();
  traffic_controls.clear();
  yield_to_lanes.clear();
  adjacent_left.clear();
  adjacent_right.clear();
  access = orientation = turn = 0;
  can_have_parked_cars = false;
}

void RawControl::clear() {
  frame = {};
  line.clear();
  type = 0;
  faces.clear();
}

void RawJunction::clear() {
  lanes.clear();
  controls.clear();
  is_non_trivial_intersection = false;
}

void RawSegment::clear() {
  speed_limit_mps = speed_limit_backward_mps = 0;
  lanes.clear();
}

void read_id(Wire wire, std::string& id) {
  while (wire.next()) {
    switch (wire.tag()) {
      case bytes_field(1): id = checked_utf8(wire.bytes()); break;
      default: wire.skip();
    }
  }
}

void read_lane(Wire wire, RawLane& lane, Budget& budget) {
  while (wire.next()) {
    if (read_lane_relation(wire, lane, budget)) continue;
    switch (wire.tag()) {
      case bytes_field(2): read_frame(Wire(wire.bytes()), lane.frame); break;
      case bytes_field(3): read_boundary(Wire(wire.bytes()), lane.left, budget); break;
      case bytes_field(4): read_boundary(Wire(wire.bytes()), lane.right, budget); break;
      case varint_field(10): lane.can_have_parked_cars = wire.boolean(); break;
      case bytes_field(11):
        lane.access = read_access(Wire(wire.bytes()), lane.access);
        break;
      case varint_field(12): lane.orientation = wire.varint(); break;
      case varint_field(13): lane.turn = wire.varint(); break;
      case bytes_field(100):
        read_boundary(Wire(wire.bytes()), lane.centre, budget);
        break;
      default: wire.skip();
    }
  }
}

void read_control(Wire wire, RawControl& control, Budget& budget) {
  while (wire.next()) {
    switch (wire.tag()) {
      case bytes_field(2): read_frame(Wire(wire.bytes()), control.frame); break;
      case bytes_field(3):
      case varint_field(3): add_deltas(wire, control.line.dx_cm, budget); break;
      case bytes_field(4):
      case varint_field(4): add_deltas(wire, control.line.dy_cm, budget); break;
      case bytes_field(5):
      case varint_field(5): add_deltas(wire, control.line.dz_cm, budget); break;
      default:
        if ((wire.tag() & 7U) == 2 && is_control_type(wire.tag() >> 3U)) {
          choose_type(wire, control, budget);
        } else {
          wire.skip();
        }
    }
  }
}

void read_junction(Wire wire, RawJunction& junction, Budget& budget) {
  while (wire.next()) {
    switch (wire.tag()) {
      case bytes_field(2): add_id(Wire(wire.bytes()), junction.controls, budget); break;
      case bytes_field(3): add_id(Wire(wire.bytes()), junction.lanes, budget); break;
      case varint_field(4):
        junction.is_non_trivial_intersection = wire.boolean();
        break;
      default: wire.skip();
    }
  }
}

void read_segment(Wire wire, RawSegment& segment, Budget& budget) {
  while (wire.next()) {
    switch (wire.tag()) {
      case fixed32_field(9): segment.speed_limit_mps = wire.real32(); break;
      case fixed32_field(10): segment.speed_limit_backward_mps = wire.real32(); break;
      case bytes_field(12): add_id(Wire(wire.bytes()), segment.lanes, budget); break;
      default: wire.skip();
    }
  }
}

}  // namespace bev::map
