#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/convert/object_types.hpp"
#include "core/convert/scenario.hpp"
#include "core/convert/tfrecord.hpp"

namespace bev::convert {

/// Maximum bytes of a line of a track file, and rows of a scenario; a recording of 20
/// minutes has some 400,000.
inline constexpr std::size_t kMaxTrackLine = 4'096;
inline constexpr std::size_t kMaxTrackRows = 2'000'000;

/// Distance between the places of locations; each reaches kInteractionReachM.
inline constexpr double kInteractionPlaceM = 100'000;
inline constexpr double kInteractionReachM = 45'000;

/// Returns whether a file that begins so is a track file of INTERACTION, by the names of
/// its columns.
///
/// @param head  kMaxTrackLine bytes, or the whole file
bool is_interaction(std::string_view head);

/// The scenarios of a track file.
struct InteractionCases {
  std::string header;              ///< first line
  std::vector<RecordRange> cases;  ///< rows of each case_id; without one, of all
};

/// Finds the scenarios of a track file by reading its lines.
///
/// Throws  unsupported for another file; invalid_metadata, with the line, for a case whose
///         rows are apart; limit_exceeded for a line above kMaxTrackLine, and above
///         kMaxRecords; exceptions of `read_at`.
InteractionCases find_cases(std::uint64_t file_size, const ReadAt& read_at);

/// Returns the name of a track file's location by its path: of a recording
/// (LOCATION/vehicle_tracks_000.csv) its folder, of others what is before the last "_" of
/// their name.
std::string interaction_location(std::string_view tracks);

/// Returns the file of a recording's pedestrians: of "a/vehicle_tracks_000.csv"
/// "a/pedestrian_tracks_000.csv"; "" of other files.
std::string interaction_pedestrians(std::string_view tracks);

/// Returns the path of a track file's map: of a recording LOCATION.osm, of others the
/// longest name with which theirs begins; "" if there is none.
std::string interaction_map(std::string_view tracks, std::span<const std::string> maps);

/// A scenario of INTERACTION: a recording, or a case of a file of the challenge.
struct InteractionTracks {
  std::string_view header, rows;
  std::string_view
      pedestrians;       ///< the recording's other file, with header; may be empty
  std::string name;      ///< of the file, without ".csv"
  std::string location;  ///< name of the map
};

struct InteractionOptions {
  const SourceMap* map = nullptr;  ///< of import_lanelet2() with the origin 0, 0
  std::string ego;  ///< id of the track that is the ego vehicle; "": a fixed pose
  /// Number of the location among several that have one map: moves all positions east, so
  /// that locations do not overlap. Absent: not moved.
  std::optional<std::uint64_t> place;
};

/// Converts a scenario. Frames are 100 ms apart, from the first to the last row; world is
/// the map's.
///
/// The data have no ego vehicle. Without `ego` it is a fixed pose at the centroid of all
/// states, in the direction of x (counted). Tracks keep the order of their first rows;
/// those of pedestrians follow. Where there is no psi_rad, the heading is the
/// velocity's, above 0.3 m/s, otherwise the last one. Extents are the rows', heights and
/// absent ones the tables'.
///
/// Throws     not_found for an absent column and for no track `ego`; invalid_metadata,
///            naming row and column, for values that are not finite or above 1e7, other
///            times than steps of 100 ms, a track's second row of one time, and unknown or
///            changing types; limit_exceeded above a limit, and for positions beyond a
///            place.
/// Reference  interaction-dataset, python/utils/dataset_reader.py.
Scenario import_interaction(const InteractionTracks& tracks, const Tables& tables,
                            const InteractionOptions& options = {});

}  // namespace bev::convert
