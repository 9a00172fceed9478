#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/geom/affine.hpp"
#include "core/map/elements.hpp"
#include "core/map/fragment.hpp"
#include "core/map/map_parts.hpp"

// Writes semantic maps: the inverse of fragment.hpp and meta.hpp.

namespace bev::map {

/// A crosswalk, with a polygon as its line.
struct CrosswalkRecord {
  RawFrame frame;
  RawLine outline;                  ///< open: the first point is not repeated
  std::vector<std::string> lights;  ///< lights that stop its cross traffic
};

struct LightRecord {
  RawFrame frame;  ///< its origin is the light's position, unless that is given
  std::vector<std::string> faces;
  RawLine position = {};  ///< one point, or none
};

struct FaceRecord {
  RawFrame frame;
  Colour colour = Colour::red;
};

/// A segment. Empty ids and a speed limit of 0 are not written.
struct SegmentRecord {
  std::vector<RawFrame> vertices;  ///< positions of its centre line
  std::string start_node, end_node;
  float speed_limit_mps = 0;
  std::vector<std::string> lanes;
};

struct JunctionRecord {
  std::vector<std::string> nodes, controls, lanes;
  bool is_non_trivial_intersection = false;
};

/// A road network node. An empty junction is not written.
struct NodeRecord {
  RawFrame location;
  std::vector<std::string> segments;
  std::string junction;
};

/// Returns the steps along a line in world, rounded to centimetres without accumulating
/// errors.
///
/// Throws  invalid_argument for a point that is not finite or more than 21000 km from
///         the frame's origin.
RawLine steps_along(std::span<const geom::Vec3> line,
                    const geom::Affine3& local_from_world);

/// Encodes a semantic map (MapFragment) element by element, in call order.
///
/// Throws  limit_exceeded if the map would exceed `limits`, so that each written map can
///         be read.
class MapWriter {
 public:
  explicit MapWriter(std::string_view name, const Limits& limits = {});

  /// Adds a lane. Ids and a centre line that are empty, and a turn or orientation of 0, are
  /// not written.
  void add(const std::string& id, const RawLane& lane);
  void add(const std::string& id, const CrosswalkRecord& crosswalk);
  void add(const std::string& id, const LightRecord& light);
  void add(const std::string& id, const FaceRecord& face);
  void add(const std::string& id, const SegmentRecord& segment);
  void add(const std::string& id, const JunctionRecord& junction);
  void add(const std::string& id, const NodeRecord& node);

  /// Returns the bytes of the elements added so far and not taken.
  const std::string& bytes() const noexcept { return bytes_; }

  /// Returns these bytes and releases them; elements that are added later continue the
  /// map, whose limits apply to all.
  std::string take();

  /// Begins a part that is read alone: limits apply to what is added from now on.
  void begin_part() noexcept { elements_ = numbers_ = references_ = taken_ = 0; }

 private:
  template <class Fill>
  void add_element(const std::string& id, Fill fill);
  void count_contents(std::size_t numbers, std::size_t references);

  Limits limits_;
  std::size_t elements_ = 0, numbers_ = 0, references_ = 0;
  std::size_t taken_ = 0;
  std::string bytes_;
};

/// Returns the text of meta.json: the matrices `world_to_ecef` and, if given,
/// `ecef_to_aerial`; the map's parts, if it has any.
std::string meta_json(const geom::Affine3& ecef_from_world,
                      const std::optional<geom::Affine3>& aerial_from_ecef,
                      std::span<const MapPart> parts = {});

}  // namespace bev::map
