#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/geom/geodesy.hpp"
#include "core/map/box_index.hpp"
#include "core/map/elements.hpp"
#include "core/map/fragment.hpp"
#include "core/map/meta.hpp"

namespace bev::map {

/// Enables lookup by std::string_view (heterogeneous lookup).
struct IdHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view id) const noexcept {
    return std::hash<std::string_view>{}(id);
  }
};

/// The semantic map of a data set: lanes, crosswalks, traffic lights and their faces,
/// junctions and segments, in world coordinates and addressable by id.
///
/// Shapes         A row is a position in one of the lists, which keep the file's order.
/// Units          Metres in world.
/// Lifetime       Parsed once; spans and references are valid as long as the map.
/// Throws         parse() throws Errc::corrupt_chunk with the element's name, and
///                Errc::limit_exceeded above `limits`. An unknown id is absent, not an
///                error, even if an element refers to it.
/// Thread safety  Immutable; concurrent reads are safe.
/// Reference      L5Kit's MapAPI. Unlike there, a lane may lack a boundary; its bounds
///                are then empty. Of several elements with one id, the last is found.
class SemanticMap {
 public:
  /// Creates an empty map.
  SemanticMap() = default;

  static SemanticMap parse(std::span<const std::byte> fragment, const Meta& meta,
                           const Limits& limits = {});

  std::span<const Lane> lanes() const { return lanes_; }
  std::span<const Crosswalk> crosswalks() const { return crosswalks_; }
  std::span<const TrafficLight> lights() const { return lights_; }
  std::span<const Face> faces() const { return faces_; }
  std::span<const Junction> junctions() const { return junctions_; }
  std::span<const Segment> segments() const { return segments_; }

  std::optional<std::uint32_t> lane_row(std::string_view id) const;
  std::optional<std::uint32_t> crosswalk_row(std::string_view id) const;
  std::optional<std::uint32_t> light_row(std::string_view id) const;
  std::optional<std::uint32_t> face_row(std::string_view id) const;
  std::optional<std::uint32_t> junction_row(std::string_view id) const;
  std::optional<std::uint32_t> segment_row(std::string_view id) const;

  /// Returns the speed limit of the lane's segment in the lane's direction, in metres
  /// per second; absent in junctions and if the map has none.
  std::optional<float> speed_limit_mps(const Lane& lane) const;

  /// Returns the geodetic position of a world point. L5Kit's world is not levelled: use
  /// the height of nearby points.
  geom::Geodetic geodetic(const geom::Vec3& in_world) const;

  /// Whether an element with this id exists, including kinds without a list (node,
  /// sign).
  bool contains(std::string_view id) const { return places_.contains(id); }

  std::size_t element_count() const { return element_count_; }

  /// Bounds of all lanes and crosswalks.
  const Box& bounds() const { return bounds_; }

  /// Return the rows of the lanes, or crosswalks, whose bounds grown by `radius`
  /// contain the point, edges excluded, in file order.
  ///
  /// Reference  the bounds test of L5Kit's semantic rasterizer
  std::vector<std::uint32_t> lanes_near(double x, double y, double radius) const {
    return lane_index_.near(x, y, radius);
  }
  std::vector<std::uint32_t> crosswalks_near(double x, double y, double radius) const {
    return crosswalk_index_.near(x, y, radius);
  }

  /// The indices, for repeated queries.
  const BoxIndex& lane_index() const { return lane_index_; }
  const BoxIndex& crosswalk_index() const { return crosswalk_index_; }

 private:
  enum class List : std::uint8_t {
    lanes,
    crosswalks,
    lights,
    faces,
    junctions,
    segments,
    none,
  };
  struct Place {
    List list;
    std::uint32_t row;
  };
  Place add(const RawElement& element, const geom::Affine3& world_from_ecef);
  Place add_lane(const RawElement& element, const geom::Affine3& world_from_ecef);
  Place add_control(const RawElement& element, const geom::Affine3& world_from_ecef);
  Place add_crosswalk(const RawElement& element, const geom::Affine3& world_from_ecef);
  void finish();
  std::optional<std::uint32_t> row_in(List list, std::string_view id) const;

  std::vector<Lane> lanes_;
  std::vector<Crosswalk> crosswalks_;
  std::vector<TrafficLight> lights_;
  std::vector<Face> faces_;
  std::vector<Junction> junctions_;
  std::vector<Segment> segments_;
  std::unordered_map<std::string, Place, IdHash, std::equal_to<>> places_;
  geom::Affine3 ecef_from_world_;
  std::size_t element_count_ = 0;
  Box bounds_;
  BoxIndex lane_index_, crosswalk_index_;
};

/// Returns the colour of a traffic light face from its field number in
/// TrafficControlElement's oneof: plain faces and left, right, upper left and upper
/// right arrows. Returns nullopt for anything else, including flashing signals and
/// u-turn arrows.
///
/// Reference  L5Kit's MapAPI, is_traffic_face_color.
std::optional<Colour> face_colour(std::uint32_t control_type);

}  // namespace bev::map
