#pragma once

#include <vector>

#include "core/geom/affine.hpp"
#include "core/map/fragment.hpp"

namespace bev::map {

/// Converts lines of one local frame to world coordinates.
///
/// The frame is east, north, up at a point of the WGS84 ellipsoid. As in L5Kit, its
/// height is 0 and x points east, regardless of the file's altitude and bearing.
///
/// Units      Input in centimetres; output in metres in world.
/// Throws     Errc::corrupt_chunk for a latitude beyond a pole, for lines with
///            different numbers of x, y and z, and for a point more than half way
///            around the Earth.
/// Reference  L5Kit's MapAPI, unpack_deltas_cm.
class LocalFrame {
 public:
  LocalFrame(const RawFrame& frame, const geom::Affine3& world_from_ecef);

  geom::Vec3 origin() const { return in_world({0, 0, 0}); }

  /// @param name  the line's name in messages: "left_boundary"
  std::vector<geom::Vec3> line(const RawLine& line, const char* name) const;

 private:
  // Applied one after the other instead of as one product: ECEF coordinates are around
  // 6e6, and this matches L5Kit's rounding.
  geom::Vec3 in_world(const geom::Vec3& p) const {
    return world_from_ecef_ * (ecef_from_local_ * p);
  }

  geom::Affine3 ecef_from_local_, world_from_ecef_;
};

}  // namespace bev::map
