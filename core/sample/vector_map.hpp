#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/geom/affine.hpp"
#include "core/map/map_source.hpp"
#include "core/sample/params.hpp"
#include "core/sample/reference_order.hpp"

namespace bev::sample {

/// The map around a subject, as a model's input.
///
/// Shapes     L = max_num_lanes, P = max_points_per_lane, C = max_num_crosswalks, Q =
///            max_points_per_crosswalk. The nearest lane is first; crosswalks are in
///            the map's order. Missing values are 0.
/// Units      Metres in the agent's frame. A point beyond the retrieval distance keeps
///            its coordinates but is unavailable; crosswalks have no such limit.
/// Reference  L5Kit, vectorization/vectorizer.py.
struct VectorMap {
  std::vector<float> lanes;                            // (2L, P, 3): x, y, 0
  std::vector<std::uint8_t> lanes_availabilities;      // (2L, P): left, right, left ...
  std::vector<float> lanes_mid;                        // (L, P, 3): x, y, light feature
  std::vector<std::uint8_t> lanes_mid_availabilities;  // (L, P)
  std::vector<float> crosswalks;                       // (C, Q, 3): x, y, 0
  std::vector<std::uint8_t> crosswalks_availabilities;  // (C, Q)
};

/// Builds the map of samples, one at a time. A lane is resampled to its number of
/// points once, when it is first near.
///
/// Lifetime       Shares the map, and the part of it that it used last. Its cache is
///                bounded, whatever the map's size.
/// Throws         build() throws not_found if a lane in the result names a traffic
///                control that the map lacks, and invalid_argument for an active face
///                that the map has but not as a coloured face (both as L5Kit);
///                invalid_argument for a lane with one boundary.
/// Thread safety  One object belongs to one thread.
class VectorMapBuilder {
 public:
  VectorMapBuilder(const VectorParams& params, map::MapSource maps);

  /// @param agent_from_world  maps to the frame of the agent at `centroid`
  /// @param active            ids of the faces that are active now; unknown and
  ///                          repeated ids have no effect
  void build(geom::Vec2 centroid, const geom::Affine2& agent_from_world,
             std::span<const std::string_view> active, VectorMap& out);

 private:
  /// A lane with P points per line, and its traffic lights.
  struct Shape {
    std::vector<geom::Vec2> points;    ///< left, right, mid: P each; empty until made
    std::vector<std::uint32_t> faces;  ///< rows of the map's faces
    bool has_light = false;
    bool names_unknown = false;  ///< names a control that the map lacks
  };

  void use(std::shared_ptr<const map::SemanticMap> map);
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
  map::MapSource maps_;
  std::shared_ptr<const map::SemanticMap> map_;  // around the last centroid
  std::vector<Shape> shapes_;                    // by lane row
  std::size_t points_kept_ = 0;                  // in shapes_
  Shape spare_;                                  // for a lane beyond the cache limit
  std::vector<std::uint8_t> lit_;                // by face row: its feature, or 0
  std::vector<std::uint32_t> near_;
  std::vector<double> distances_;
  std::vector<std::uint32_t> order_;
};

}  // namespace bev::sample
