#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "core/convert/nuplan.hpp"
#include "core/convert/object_types.hpp"

namespace bev::native {

/// Returns the file of a city's map: `maps` itself, if it is a file, or the last by name
/// of MAPS/CITY/*/map.gpkg.
///
/// Throws  not_found if there is none; io if a folder cannot be read.
std::string find_nuplan_map(const std::string& maps, const std::string& city);

/// Logs of nuPlan that are converted, and their cities' maps, each read once.
///
/// Memory         The last logs, and the maps that were asked for.
/// Throws         As import_nuplan(), naming the file.
/// Thread safety  Functions may run at the same time; those of one log take turns.
class NuplanFiles {
 public:
  /// @param maps  folder of maps, or a file; empty: none
  NuplanFiles(convert::Tables tables, std::string maps, bool all_sweeps);
  ~NuplanFiles();
  NuplanFiles(const NuplanFiles&) = delete;
  NuplanFiles& operator=(const NuplanFiles&) = delete;

  std::size_t scene_count(const std::string& path);
  convert::Scenario read(const std::string& path, std::size_t scene);

 private:
  struct Open;

  std::shared_ptr<Open> log_of(const std::string& path);
  const convert::NuplanMap& map_of(const std::string& city, std::int64_t epsg);

  convert::Tables tables_;
  std::string maps_;
  bool all_sweeps_;
  std::mutex mutex_, map_mutex_;
  std::list<std::shared_ptr<Open>> open_;  // latest first
  std::map<std::string, std::unique_ptr<convert::NuplanMap>> city_maps_;
};

}  // namespace bev::native
