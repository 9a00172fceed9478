#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/map/limits.hpp"

// The semantic map as it lies in the file: ids, and centimetre steps in local frames.
// Source: L5Kit's map schema (proto3, package l5kit.maps), the fields that say
// something about what is drawn or how lanes connect; all others are skipped.

namespace bev::map {

/// Where the x of a local frame points east and its y north. Altitude and bearing are
/// in the file too, and are not used by L5Kit.
struct RawFrame {
  std::int32_t lat_e7 = 0;  ///< degrees times 10^7
  std::int32_t lng_e7 = 0;
};

/// A line in a local frame: centimetres from the point before, the first from the
/// frame's origin.
struct RawLine {
  std::vector<std::int32_t> dx_cm, dy_cm, dz_cm;
  void clear();
};

struct RawBoundary {
  RawLine line;
  std::vector<std::uint64_t> dividers;  ///< enum values as stored
  std::vector<std::int32_t> type_change_point_cm;
};

struct RawLane {
  std::string parent;
  RawFrame frame;
  RawBoundary left, right;
  std::vector<std::string> lanes_ahead, traffic_controls, yield_to_lanes;
  std::string adjacent_left, adjacent_right;
  std::uint64_t access = 0, orientation = 0, turn = 0;  ///< enum values as stored
  bool can_have_parked_cars = false;
  void clear();
};

/// A traffic_control_element: light, face of a light, crosswalk, sign ...
struct RawControl {
  RawFrame frame;
  RawLine line;
  std::uint32_t type = 0;          ///< the number of its oneof field, 0 for none
  std::vector<std::string> faces;  ///< of a traffic light
  void clear();
};

struct RawJunction {
  std::vector<std::string> lanes, controls;
  bool is_non_trivial_intersection = false;
  void clear();
};

struct RawSegment {
  float speed_limit_mps = 0, speed_limit_backward_mps = 0;
  std::vector<std::string> lanes;
  void clear();
};

/// The oneof of an element, by its field number.
enum class ElementKind : std::uint32_t {
  none = 0,
  segment = 1,
  node = 2,
  lane = 3,
  control = 4,
  junction = 5,
  segment_sequence = 6,
  annotated_shape = 8,
};

/// One element; only the member that `kind` names holds something.
struct RawElement {
  std::string id;
  ElementKind kind = ElementKind::none;
  RawLane lane;
  RawControl control;
  RawJunction junction;
  RawSegment segment;
};

/// What a message of the map is called: the 13th element, a lane with the id "Ab3x",
/// is `element 12 (lane "Ab3x")`.
std::string describe(const RawElement& element, std::size_t index);

/// Calls `take` with every element of a MapFragment in the file's order.
///
/// As protobuf has it: unknown fields are skipped, and so is a known one of another
/// wire type; repeated numbers may be packed or not; of a oneof the last one stands; a
/// message that comes twice is merged. Messages are read to a fixed depth of six (the
/// one recursive field of the schema is skipped), so nesting cannot exhaust a stack.
///
/// Lifetime  The element is one object, filled anew for each call.
/// Errors    Errc::corrupt_chunk naming the element, where bytes end too early, a
/// length
///           lies or an id is not UTF-8; Errc::out_of_memory above `limits`. What
///           `take` throws is passed on with the element's name in front.
void read_fragment(std::string_view bytes, const Limits& limits,
                   const std::function<void(const RawElement&, std::size_t)>& take);

}  // namespace bev::map
