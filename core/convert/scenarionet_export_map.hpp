#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/map/semantic_map.hpp"
#include "core/pickle/write.hpp"
#include "core/scene/scene_records.hpp"

namespace bev::convert {

/// How far around the ego vehicle's path a map is exported.
inline constexpr double kExportedMapM = 200;

/// What moving a scenario for a common map has changed.
struct ExportFrame {
  double dx = 0, dy = 0;  ///< subtracted from positions
  std::string prefix;     ///< removed from ids

  std::string id(const std::string& of) const;
  geom::Vec3 back(const geom::Vec3& p) const { return {p.x - dx, p.y - dy, p.z}; }
};

/// Writes points as an array of float64: x, y and z.
void write_points(pickle::Writer& out, std::span<const geom::Vec3> points);

/// The part of a map that a scenario has.
class ExportedMap {
 public:
  ExportedMap(const map::SemanticMap& map, const scene::SceneRecords& records,
              ExportFrame frame);

  /// Writes the dict of map features: lanes with outline and links, their sides as
  /// lines, and crosswalks. Returns their number.
  std::size_t write_features(pickle::Writer& out) const;

  /// Writes the dict of lights by lane: of each step the colour of the lane's active
  /// face, None without rows of its faces. Returns their number.
  std::size_t write_lights(pickle::Writer& out) const;

  /// Returns the number of the scene's rows of faces that no exported lane has.
  std::uint64_t rows_without_lane() const;

 private:
  void write_lane(pickle::Writer& out, const map::Lane& lane) const;
  std::vector<const char*> states_of(const map::Lane& lane) const;

  const map::SemanticMap& map_;
  const scene::SceneRecords& records_;
  ExportFrame frame_;
  std::vector<const map::Lane*> lanes_;
  std::vector<const map::Crosswalk*> crosswalks_;
  std::map<std::string, std::vector<std::string>> entries_;  ///< lanes behind, by lane
};

}  // namespace bev::convert
