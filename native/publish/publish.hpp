#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "native/publish/site_description.hpp"
#include "native/source/source.hpp"

namespace bev::native {

/// A data set to publish, or scenarios; see SiteSources.
struct PublishSource {
  std::string path;                     ///< see open_source(); or a folder or file
  std::string name = {};                ///< in the site; default: that of the path
  std::optional<std::string> map = {};  ///< semantic_map.pb; default: the one beside it
  std::optional<std::string> aerial = {};  ///< default: that of the map's folder
};

/// Called with the step of work, and with how much of it is done.
using PublishProgress =
    std::function<void(const std::string& step, std::uint64_t done, std::uint64_t all)>;

/// Converts Argoverse 2 scenarios, for hosts that read Parquet, to the data set `output`, or
/// to one per city, OUTPUT-CITY. `sources` are files and folders.
using ConvertArgoverse2 = std::function<void(const std::vector<std::string>& sources,
                                             const std::string& output)>;

struct PublishOptions {
  std::string app;                            ///< folder of the viewer
  SiteAbout about = {};                       ///< what the pages say of the data
  bool zip = false;                           ///< each data set is one object
  bool keep = false;                          ///< folders of older versions are kept
  bool with_maps = true;                      ///< maps of scenarios are converted
  ConvertArgoverse2 convert_argoverse2 = {};  ///< without: such scenarios are refused
  std::optional<std::string> picture =
      {};  ///< PNG, JPEG or WebP, instead of a drawn one
  std::vector<std::string> predictions = {};  ///< files, for the only data set
  std::vector<std::string> rollouts = {};     ///< files, for the only data set
  ReadOptions read = {};
  PublishProgress progress = {};
};

/// What publish() wrote.
struct Published {
  SiteDescription site;
  std::uint64_t objects = 0;  ///< files of the site
  std::uint64_t bytes = 0;    ///< of these files
  std::uint64_t kept = 0;     ///< data sets that had not changed
  std::vector<std::string> notices =
      {};  ///< what is not in the site: "statistics: ..."
};

/// Writes a static site of data sets and scenarios: data in the layout for viewing, maps, facts, the
/// viewer, a start page, and descriptions of the data (README.md, croissant.json).
/// Every moment has the old site or the new one; see SiteFolder. A data set with the same
/// bytes as in the site is not written again. Equal inputs give equal bytes.
///
/// Throws  not_found for a source, a map, a result or a viewer that does not exist;
///         invalid_argument for two data sets with one name, and results of several data
///         sets; changed if a source changes meanwhile; as SiteSources, copy_dataset(),
///         index_facts() and SiteFolder; exceptions of `progress`. The site is then the
///         old one.
Published publish(const std::vector<PublishSource>& sources, const std::string& site,
                  const PublishOptions& options);

/// What publish() would write; sizes are those of the first scenes, for all scenes.
struct PublishEstimate {
  std::uint64_t scenes = 0;
  std::uint64_t objects = 0;      ///< files of the site
  std::uint64_t bytes = 0;        ///< of these files
  std::uint64_t largest = 0;      ///< object, in bytes
  std::uint64_t page_bytes = 0;   ///< that the start page loads, uncompressed
  std::uint64_t frame_bytes = 0;  ///< that a frame of a scene loads, at most
};

/// Estimates the site. Copies the first scenes of each data set, and converts the first
/// scenarios of each format, to a temporary folder.
///
/// Throws  as publish()
PublishEstimate estimate_site(const std::vector<PublishSource>& sources,
                              const PublishOptions& options);

}  // namespace bev::native
