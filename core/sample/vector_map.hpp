#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/geom/affine.hpp"
#include "core/map/semantic_map.hpp"
#include "core/sample/reference_order.hpp"
#include "core/sample/vector_params.hpp"

namespace bev::sample {

/// The map around an agent as a model is given it.
///
/// Shapes    L = max_num_lanes, P = max_points_per_lane, C = max_num_crosswalks, Q =
///           max_points_per_crosswalk. The nearest lane is first; crosswalks are in the
///           map's order. What is not there is 0.
/// Units     Metres in the agent's frame. A point beyond the retrieval distance keeps
///           its coordinates and is not available; crosswalks have no such limit.
/// Source    L5Kit, vectorization/vectorizer.py.
struct VectorMap {
  std::vector<float> lanes;                            // (2L, P, 3): x, y, 0
  std::vector<std::uint8_t> lanes_availabilities;      // (2L, P): left, right, left ...
  std::vector<float> lanes_mid;                        // (L, P, 3): x, y, light feature
  std::vector<std::uint8_t> lanes_mid_availabilities;  // (L, P)
  std::vector<float> crosswalks;                       // (C, Q, 3): x, y, 0
  std::vector<std::uint8_t> crosswalks_availabilities;  // (C, Q)
};

/// Draws the map of samples, one after the other. Lanes are brought to their number of
/// points once, when they are first near.
///
/// Lifetime  Shares the map. What it keeps is bounded, whatever the map's size.
/// Errors    build() throws not_found where a lane that is used names a control that
///           the map does not have, and invalid_argument for an active face that is in
///           the map and no coloured face, both as L5Kit's; invalid_argument for a
///           lane with one side.
/// Threads   One object, one thread.
class VectorMapBuilder {
 public:
  VectorMapBuilder(const VectorParams& params,
                   std::shared_ptr<const map::SemanticMap> map);

  /// @param agent_from_world  into the frame of the agent at `centroid`
  /// @param active            ids of the faces that are lit now; unknown ones and
  ///                          repeated ones change nothing
  void build(geom::Vec2 centroid, const geom::Affine2& agent_from_world,
             std::span<const std::string_view> active, VectorMap& out);

 private:
  /// A lane at P points a line, and the lights on it.
  struct Shape {
    std::vector<geom::Vec2> points;    ///< left, right, mid: P each; empty until made
    std::vector<std::uint32_t> faces;  ///< rows of the map's faces
    bool has_light = false;
    bool names_unknown = false;  ///< a control that the map does not have
  };

  const Shape& shape(std::uint32_t lane);  ///< valid until the next call
  Shape make_shape(const map::Lane& lane) const;
  double distance(const Shape& shape, geom::Vec2 centroid) const;
  void find_lanes(geom::Vec2 centroid);
  void set_lights(std::span<const std::string_view> active);
  float feature(const map::Lane& lane, const Shape& shape) const;
  void put_lanes(const geom::Affine2& agent_from_world, VectorMap& out);
  void put_crosswalks(geom::Vec2 centroid, const geom::Affine2& agent_from_world,
                      VectorMap& out);

  VectorParams params_;
  std::shared_ptr<const map::SemanticMap> map_;
  std::vector<Shape> shapes_;      // a lane's row
  std::size_t points_kept_ = 0;    // in shapes_
  Shape spare_;                    // where there is no room for more
  std::vector<std::uint8_t> lit_;  // a face's row: its feature, or 0
  std::vector<std::uint32_t> near_;
  std::vector<double> distances_;
  std::vector<std::uint32_t> order_;
};

}  // namespace bev::sample
