#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "core/convert/nuplan.hpp"
#include "core/convert/object_types.hpp"
#include "core/sqlite/pages.hpp"

namespace bev::native {

/// How logs of nuPlan are read.
struct NuplanSettings {
  /// Folder of maps, or a file; "" without map. Of nuScenes the folder of maps; "" beside
  /// each version. Of INTERACTION either; "" beside the tracks.
  std::string maps;
  bool all_sweeps = false;  ///< see NuplanOptions
  /// Of CommonRoad: see ImportOptions. Of INTERACTION: see InteractionOptions.
  std::string ego{};
};

/// Returns the file of a city's map: `maps` itself, if it is a file, or the last by name
/// of MAPS/CITY/*/map.gpkg.
///
/// Throws  not_found if there is none; io if a folder cannot be read.
std::string find_nuplan_map(const std::string& maps, const std::string& city);

/// Opens a SQLite file by its name. The result keeps the file open.
using OpenSqlite = std::function<std::shared_ptr<sqlite::Pages>(const std::string&)>;

/// Returns a text that differs when the maps do: names, sizes and times of modification.
///
/// Throws  not_found without maps
std::string state_of_nuplan_maps(const std::string& maps);

/// Logs of nuPlan that are converted, and their cities' maps, each read once.
///
/// Memory         The last logs, and the maps that were asked for.
/// Throws         As import_nuplan(), naming the file.
/// Thread safety  Functions may run at the same time; those of one log take turns.
class NuplanFiles {
 public:
  /// @param open  logs; by default files of this machine
  NuplanFiles(convert::Tables tables, NuplanSettings settings, OpenSqlite open = {});
  ~NuplanFiles();
  NuplanFiles(const NuplanFiles&) = delete;
  NuplanFiles& operator=(const NuplanFiles&) = delete;

  std::size_t scene_count(const std::string& path);

  /// @param with_map  if there are maps
  convert::Scenario read(const std::string& path, std::size_t scene, bool with_map);

 private:
  struct Open;

  std::shared_ptr<Open> log_of(const std::string& path);
  const convert::NuplanMap& map_of(const std::string& city, std::int64_t epsg);

  convert::Tables tables_;
  NuplanSettings settings_;
  OpenSqlite open_file_;
  std::mutex mutex_, map_mutex_;
  std::list<std::shared_ptr<Open>> open_;  // latest first
  std::map<std::string, std::unique_ptr<convert::NuplanMap>> city_maps_;
};

}  // namespace bev::native
