#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

// The semantic map as stored: ids, and centimetre steps in local frames.
// Reference  L5Kit's map schema (proto3, package l5kit.maps), and the lanes' centre lines
//            of converted maps. Only fields about geometry and connections of lanes are
//            read; all others are skipped.

namespace bev::map {

/// Maximum contents of a semantic map, so that a small hostile file cannot allocate
/// much memory. The map of L5Kit's data set takes about 10 MB with 17,000 elements;
/// each limit is more than ten times higher.
struct Limits {
  std::size_t bytes = std::size_t{256} << 20;  ///< size of the encoded map
  std::size_t elements = 1'000'000;    ///< an empty element takes 2 bytes in the file
  std::size_t numbers = 32'000'000;    ///< coordinates of all lines, three per point
  std::size_t references = 4'000'000;  ///< ids of other elements
};

/// Origin of a local frame, in which x points east and y north. The file also has
/// altitude and bearing, which L5Kit does not use.
struct RawFrame {
  std::int32_t lat_e7 = 0;  ///< degrees times 10^7
  std::int32_t lng_e7 = 0;
};

/// A line in a local frame: centimetre steps between points; the first is relative to
/// the frame's origin.
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
  RawBoundary centre;  ///< its line, if the map has one
  std::vector<std::string> lanes_ahead, traffic_controls, yield_to_lanes;
  std::string adjacent_left, adjacent_right;
  std::uint64_t access = 0, orientation = 0, turn = 0;  ///< enum values as stored
  bool can_have_parked_cars = false;
  void clear();
};

/// A traffic_control_element: traffic light, light face, crosswalk, sign ...
struct RawControl {
  RawFrame frame;
  RawLine line;
  std::uint32_t type = 0;          ///< oneof field number, 0 for none
  std::vector<std::string> faces;  ///< for traffic lights
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

/// The oneof member of an element, by field number.
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

/// An element; only the member selected by `kind` is filled.
struct RawElement {
  std::string id;
  ElementKind kind = ElementKind::none;
  RawLane lane;
  RawControl control;
  RawJunction junction;
  RawSegment segment;
};

/// Returns an element's name in messages: the 13th element, a lane with the id "Ab3x",
/// is `element 12 (lane "Ab3x")`.
std::string describe(const RawElement& element, std::size_t index);

/// Calls `take` with every element of a MapFragment, in file order.
///
/// Follows protobuf: unknown fields, and known fields of another wire type, are
/// skipped; repeated numbers may be packed or not; the last member of a oneof wins; a
/// repeated message is merged. Messages are read to a fixed depth of six (the schema's
/// one recursive field is skipped), so nesting cannot exhaust the stack.
///
/// Lifetime  The element is one object, reused for each call.
/// Throws    Errc::corrupt_chunk, with the element's name, for truncated bytes, an
///           invalid length or a non-UTF-8 id; Errc::limit_exceeded above `limits`.
///           Errors thrown by `take` are rethrown with the element's name as prefix.
void read_fragment(std::string_view bytes, const Limits& limits,
                   const std::function<void(const RawElement&, std::size_t)>& take);

}  // namespace bev::map
