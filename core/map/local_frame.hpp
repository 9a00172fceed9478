#pragma once

#include <vector>

#include "core/geom/affine.hpp"
#include "core/map/fragment.hpp"

namespace bev::map {

/// Brings lines of one local frame into world.
///
/// The frame is east, north and up at a point of the WGS84 ellipsoid. L5Kit takes its
/// height for 0 and its x for east, whatever altitude and bearing the file gives, and
/// so does this.
///
/// Units   Centimetres in, metres in world out.
/// Errors  Errc::corrupt_chunk for a latitude beyond a pole, for lines with unequal
///         numbers of x, y and z, and for a point farther away than the Earth is round.
/// Source  L5Kit's MapAPI, unpack_deltas_cm.
class LocalFrame {
 public:
  LocalFrame(const RawFrame& frame, const geom::Affine3& world_from_ecef);

  geom::Vec3 origin() const { return in_world({0, 0, 0}); }

  /// @param name  what the line is, for the message: "left_boundary"
  std::vector<geom::Vec3> line(const RawLine& line, const char* name) const;

 private:
  // One after the other, not as one product: ECEF has 6e6 in all its numbers, and this
  // is the order in which L5Kit rounds.
  geom::Vec3 in_world(const geom::Vec3& p) const {
    return world_from_ecef_ * (ecef_from_local_ * p);
  }

  geom::Affine3 ecef_from_local_, world_from_ecef_;
};

}  // namespace bev::map
