#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/convert/interaction.hpp"
#include "native/convert/scenario_files.hpp"

namespace bev::native {

/// Whether a file of this machine is a track file of INTERACTION, by its first line.
bool is_track_file(const std::string& path);

/// Removes the files of pedestrians that are read with a recording of the list.
void remove_pedestrians(std::vector<std::string>& tracks);

/// Track files of INTERACTION, a scenario per case or recording, and the maps of their
/// locations (interaction_map()), each read once. They are searched beside the tracks, and
/// in ../maps and ../../maps. With a place, scenarios of several locations are moved; see
/// InteractionOptions.
///
/// Memory  The maps, and one scenario.
/// Throws  As import_interaction() and import_lanelet2(), naming the file; not_found for
///         no map; changed; io; network.
class InteractionScenarios final : public ScenarioFiles {
 public:
  /// @param settings  maps: the folder of maps, or the map of all files
  InteractionScenarios(std::vector<std::string> paths, convert::Tables tables,
                       NuplanSettings settings);

  /// A file at a URL or S3 address. Its map is a file of this machine.
  ///
  /// @param folder  source of the file's folder
  InteractionScenarios(std::string address, std::unique_ptr<Source> folder,
                       NuplanSettings settings);

  std::vector<std::string> states() override;
  std::vector<ScenarioItem> find() override;
  convert::Scenario read(const ScenarioItem& item,
                         const convert::ImportOptions& options) override;

 private:
  std::string file_state(const std::string& path);
  std::string state(const std::string& path);
  std::uint64_t size(const std::string& path);
  std::optional<std::string> text(const std::string& path,
                                  const std::optional<ByteRange>& range);
  std::string map_of(const std::string& path) const;
  const std::map<std::string, std::string>& map_paths();
  const convert::SourceMap& read_map(const std::string& path);
  void set_location(const std::string& path, const convert::ImportOptions& wish,
                    convert::InteractionTracks& tracks,
                    convert::InteractionOptions& options);

  convert::Tables tables_;
  NuplanSettings settings_;
  std::unique_ptr<Source> source_;  // of an address
  std::mutex mutex_, map_mutex_;
  std::map<std::string, std::string> map_paths_;  // by paths of tracks
  std::map<std::string, std::unique_ptr<convert::SourceMap>> maps_;
};

}  // namespace bev::native
