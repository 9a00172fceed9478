#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/convert/nuscenes.hpp"
#include "core/convert/object_types.hpp"
#include "core/convert/waymo.hpp"

namespace bev::native {

/// Returns the folders of versions of nuScenes at a path: the folder itself, or those in
/// it; of a file sample_annotation.json its folder. Other folders are not searched.
std::vector<std::string> nuscenes_versions(const std::string& path);

/// Versions of nuScenes that are converted, and the maps of their locations, each read
/// once: VERSION/../maps/expansion/LOCATION.json. What the prediction challenge asks for
/// is read from VERSION/../maps/prediction/prediction_scenes.json, if that exists.
///
/// Memory         The versions' tables, see nuscenes::Version, and the maps.
/// Throws         As import_nuscenes(), naming the file; not_found for an absent one; io.
/// Thread safety  Functions may run at the same time.
class NuscenesFiles {
 public:
  /// @param versions  folders of all versions
  /// @param maps      the folder `maps`; empty: beside each version
  NuscenesFiles(convert::Tables tables, std::vector<std::string> versions,
                std::string maps);

  /// Returns sizes and times of modification of a version's files.
  std::string state(const std::string& version) const;

  std::size_t scene_count(const std::string& version);

  /// With a place, scenes of several locations are moved, so that their maps do not
  /// overlap.
  convert::Scenario read(const std::string& version, std::size_t scene,
                         const convert::ImportOptions& options);

 private:
  std::string maps_of(const std::string& version) const;
  const convert::nuscenes::Version& tables_of(const std::string& version);
  const convert::NuscenesMap& map_of(const std::string& maps,
                                     const std::string& location);
  std::vector<std::string> locations();

  convert::Tables tables_;
  std::vector<std::string> names_;
  std::string maps_;
  std::mutex mutex_, map_mutex_;
  std::map<std::string, std::unique_ptr<convert::nuscenes::Version>> versions_;
  std::map<std::string, std::unique_ptr<convert::NuscenesMap>> city_maps_;
};

}  // namespace bev::native
