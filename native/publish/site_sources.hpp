#pragma once

#include <map>
#include <string>
#include <vector>

#include "native/convert/scenario_conversion.hpp"
#include "native/publish/publish.hpp"

namespace bev::native {

/// The first scenarios of a format as an L5Kit data set.
struct SampledSource {
  PublishSource source;
  double scale = 1;  ///< all scenarios by those in the data set
};

/// What is to be published: L5Kit data sets, and scenarios that are converted first, those of
/// a format together.
///
/// Throws  not_found for a path that does not exist; unsupported for one that has no data,
///         and for Argoverse 2 scenarios that this host cannot convert; invalid_argument
///         for a name, map or aerial image of something other than one data set; errors
///         of conversions
class SiteSources {
 public:
  /// Tells data sets from scenarios; a folder may contain several of either.
  ///
  /// Lifetime  of `options`: outlive this object
  SiteSources(const std::vector<PublishSource>& sources, const PublishOptions& options);

  /// Returns all data sets. Scenarios are converted beside the site, in SITE.converted: an
  /// interrupted conversion continues, and a complete one is used again, while files,
  /// their sizes and times are the same.
  std::vector<PublishSource> convert(const std::string& site) const;

  /// Removes what convert() wrote.
  static void remove_converted(const std::string& site);

  /// Returns all data sets, with the first scenarios of each format converted to `folder`.
  std::vector<SampledSource> convert_first(const std::string& folder) const;

 private:
  void add(const PublishSource& source);
  ScenarioConversion conversion_of(ScenarioFormat format) const;

  const PublishOptions& options_;
  std::vector<PublishSource> stores_;
  std::map<ScenarioFormat, std::vector<std::string>> scenarios_;  // files and folders
};

}  // namespace bev::native
