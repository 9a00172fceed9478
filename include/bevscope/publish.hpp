#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "export.hpp"

// Needs the CMake target bevscope::native (BEV_NATIVE), as native.hpp does.

namespace bev {

/// Data sets to publish: one of L5Kit, a folder of them, or scenarios: files, or a folder of
/// them, of CommonRoad, INTERACTION, nuPlan, nuScenes, ScenarioNet or Waymo, and with
/// SiteOptions::convert_argoverse2 also of Argoverse 2. Name, map and aerial image are of one
/// data set of L5Kit.
struct SiteSource {
  std::string path;       ///< a folder, a .zip, a URL, a file of scenarios
  std::string name = {};  ///< in the site; by default that of the path
  std::optional<std::string> map = {};  ///< semantic_map.pb; by default the one beside
  std::optional<std::string> aerial = {};  ///< by default that of the map's folder
};

/// What publish() writes. Texts that are not given are left out of the pages.
struct SiteOptions {
  std::string app;                        ///< folder of the viewer
  std::optional<std::string> title = {};  ///< by default the names of the data sets
  std::optional<std::string> description = {};  ///< what is in the data
  std::optional<std::string> licence = {};      ///< its name, or its URL
  std::optional<std::string> author = {};       ///< who made the data
  std::optional<std::string> url = {};          ///< where the site will be
  std::optional<std::string> citation = {};     ///< how to cite the data
  std::optional<std::string> picture = {};      ///< file, for previews of links
  std::vector<std::string> predictions = {};    ///< files, for the only data set
  std::vector<std::string> rollouts = {};       ///< files, for the only data set
  bool zip = false;                             ///< each data set is one object
  bool keep = false;                            ///< folders of older versions are kept
  bool with_maps = true;                        ///< converts the maps of scenarios, too
  /// Converts Argoverse 2 scenarios, which are Parquet files: files and folders to the data
  /// set `output`, or to one per city, OUTPUT-CITY.zarr. Without it, they are refused.
  std::function<void(const std::vector<std::string>& sources,
                     const std::string& output)>
      convert_argoverse2 = {};
  /// Called with the step of work, and how much of it is done; an exception ends the call.
  std::function<void(const std::string& step, std::uint64_t done, std::uint64_t all)>
      progress = {};
};

/// What publish() wrote.
struct SiteReport {
  std::uint64_t scenes = 0;               ///< of all data sets
  std::uint64_t objects = 0;              ///< files of the site
  std::uint64_t bytes = 0;                ///< of these files
  std::uint64_t unchanged = 0;            ///< data sets that were not written again
  std::vector<std::string> notices = {};  ///< what is not in the site, with the reason
};

/// Writes a static site of data sets: data in the layout for viewing, maps, facts, the
/// viewer, a start page, README.md and croissant.json. If the process is killed, the
/// folder is the old site or the new one; equal inputs give equal bytes.
///
/// Throws     not_found for a source, map, result or viewer that does not exist;
///            unsupported for a source without data; invalid_argument for a folder that
///            has something else, and for results of several data sets; changed if a source
///            changes meanwhile; io if writing fails; errors of reading; exceptions of
///            `progress`.
/// Reference  docs/publish.md
BEV_EXPORT SiteReport publish(const std::vector<SiteSource>& sources,
                              const std::string& site, const SiteOptions& options);

/// About what publish() would write.
struct SiteEstimate {
  std::uint64_t scenes = 0;       ///< of all data sets
  std::uint64_t objects = 0;      ///< files of the site
  std::uint64_t bytes = 0;        ///< of these files
  std::uint64_t largest = 0;      ///< object, in bytes
  std::uint64_t page_bytes = 0;   ///< that the start page loads, uncompressed
  std::uint64_t frame_bytes = 0;  ///< that a frame of a scene loads
};

/// Estimates a site by the first scenes of its data, which are written to a temporary
/// folder.
///
/// Throws  as publish()
BEV_EXPORT SiteEstimate estimate_site(const std::vector<SiteSource>& sources,
                                      const SiteOptions& options);

}  // namespace bev
