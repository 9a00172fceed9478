#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "export.hpp"

namespace bev {

/// Strings, one after the other: row i is bytes[offsets[i], offsets[i + 1]), as in
/// Arrow's large_utf8.
struct TextValues {
  std::span<const std::int64_t> offsets;  ///< one more than rows
  std::string_view bytes;                 ///< UTF-8
};

/// A decoded column of a Parquet file, without null values.
struct TableColumn {
  /// Name in the file; columns are found by it.
  std::string name;
  /// One value per row.
  std::variant<std::span<const double>, std::span<const std::int64_t>, TextValues>
      values;
};

/// The files of an Argoverse 2 scenario.
struct Argoverse2Files {
  std::vector<TableColumn> columns;  ///< of scenario_ID.parquet, in any order
  std::string_view map_json;         ///< of log_map_archive_ID.json; empty for no map
  std::string file, sha256;          ///< for the attributes; may be empty
};

/// A recording that an importer read, to be written by ScenarioWriter.
///
/// Thread safety  Const functions may run at the same time.
class BEV_EXPORT Scenario {
 public:
  ~Scenario();
  Scenario(Scenario&&) noexcept;             ///< leaves the other unusable
  Scenario& operator=(Scenario&&) noexcept;  ///< leaves the other unusable

  const std::string& id() const noexcept;  ///< scenario_id
  /// "austin"; "waymo" for Waymo; of ScenarioNet the map, or the data set; of CommonRoad
  /// the start of the benchmark's id; of nuPlan and nuScenes the first 16 characters.
  const std::string& city() const noexcept;
  std::size_t frame_count() const noexcept;  ///< number of frames
  std::size_t agent_count() const noexcept;  ///< in all frames

  struct Impl;  ///< private to the library

  /// Created by importers.
  explicit Scenario(std::unique_ptr<Impl> impl) noexcept;

 private:
  friend class ScenarioWriter;
  std::unique_ptr<Impl> impl_;
};

/// Returns the names of the columns of scenario_ID.parquet that Argoverse2Importer reads.
///
/// @param required  whether of those that every scenario has, or of the others
BEV_EXPORT std::vector<std::string> argoverse2_columns(bool required);

/// Reads Argoverse 2 motion forecasting scenarios. docs/other-data.md describes the
/// conversion.
///
/// Lifetime       A scenario owns its memory.
/// Throws         The constructor throws invalid_argument for invalid tables; read()
///                throws not_found for absent columns and unknown cities,
///                invalid_metadata, naming column, lane or crossing, for invalid
///                values, limit_exceeded above a limit.
/// Thread safety  read() may run in several threads at the same time.
class BEV_EXPORT Argoverse2Importer {
 public:
  /// @param tables_json  labels and extents by object type, and origins by city, that
  ///                     replace the defaults; may be empty
  explicit Argoverse2Importer(std::string_view tables_json = {});
  ~Argoverse2Importer();
  Argoverse2Importer(Argoverse2Importer&&) noexcept;             ///< as Scenario
  Argoverse2Importer& operator=(Argoverse2Importer&&) noexcept;  ///< as Scenario

  /// Converts a scenario, which the writer then writes.
  Scenario read(const Argoverse2Files& files) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// A record of a TFRecord file: its bytes, with length and checksums.
struct RecordRange {
  std::uint64_t offset = 0;  ///< of the first byte in the file
  std::uint64_t size = 0;    ///< in bytes
};

/// Finds the records of a TFRecord file by reading their lengths.
///
/// @param read_at  fills a buffer with the file's bytes from an offset on, as many as
///                 there are, and returns their number
/// Throws  corrupt_chunk for a length with another checksum or beyond the end of the
///         file; limit_exceeded above 1,000,000 records, or 256 MiB of one; exceptions
///         of the function that reads.
BEV_EXPORT std::vector<RecordRange> find_records(
    std::uint64_t file_size,
    const std::function<std::size_t(std::uint64_t, std::span<std::byte>)>& read_at);

/// A scenario of the Waymo Open Motion data set.
struct WaymoRecord {
  std::span<const std::byte> bytes;  ///< with length and checksums
  RecordRange range;                 ///< in the file, for messages
  bool with_map = false;             ///< converts the map too
  /// Place in the map of several scenarios: the scenario is moved by whole metres, so
  /// that maps do not overlap, and ids begin with "PLACE:". At most 1,048,575. Absent:
  /// not moved.
  std::optional<std::uint64_t> place;
  std::string file;         ///< name, for the attributes; may be empty
  std::uint64_t index = 0;  ///< of the record in the file
};

/// Reads scenarios of the Waymo Open Motion data set. docs/other-data.md describes the
/// conversion.
///
/// Lifetime       A scenario owns its memory.
/// Throws         The constructor throws invalid_argument for invalid tables; read()
///                throws corrupt_chunk for another checksum and for bytes that are not
///                a scenario, invalid_metadata, naming track, step or feature, for
///                invalid values, limit_exceeded above a limit.
/// Thread safety  read() may run in several threads at the same time.
class BEV_EXPORT WaymoImporter {
 public:
  /// @param tables_json  labels and extents by object type, and widths of lanes, that
  ///                     replace the defaults; may be empty
  explicit WaymoImporter(std::string_view tables_json = {});
  ~WaymoImporter();
  WaymoImporter(WaymoImporter&&) noexcept;             ///< as Scenario
  WaymoImporter& operator=(WaymoImporter&&) noexcept;  ///< as Scenario

  /// Checks and converts a record, which the writer then writes.
  Scenario read(const WaymoRecord& record) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// A file of ScenarioNet or MetaDrive.
struct ScenarionetPickle {
  std::span<const std::byte> bytes;    ///< a pickle, of which nothing is called
  bool with_map = false;               ///< converts the map too
  std::optional<std::uint64_t> place;  ///< as WaymoRecord
  std::string file;                    ///< name, for the attributes; may be empty
};

/// Returns the paths of scenarios in a folder of ScenarioNet: of the files that
/// dataset_summary.pkl lists, in the folders that dataset_mapping.pkl names. Either may
/// be absent.
///
/// Throws  unsupported, corrupt_chunk or invalid_metadata for what is not such a file,
///         and for paths outside the folder; limit_exceeded above 256 MiB.
BEV_EXPORT std::vector<std::string> scenarionet_files(
    std::optional<std::span<const std::byte>> summary,
    std::optional<std::span<const std::byte>> mapping);

/// Returns the files of a format, "commonroad", "interaction", "nuplan", "scenarionet" or
/// "waymo", among files and folders, in this order; those below a folder by path. Of a
/// folder of ScenarioNet with a list, the files that this lists. Of "nuscenes" the folders
/// of versions. Needs the CMake target bevscope::native.
///
/// Throws  invalid_argument for another format; not_found for a path that does not exist
///         and a folder without such files; io if a folder cannot be read; errors of
///         scenarionet_files().
BEV_EXPORT std::vector<std::string> find_scenarios(
    std::string_view format, const std::vector<std::string>& paths);

/// Reads scenarios of ScenarioNet. docs/other-data.md describes the conversion.
///
/// Lifetime       A scenario owns its memory.
/// Throws         The constructor throws invalid_argument for invalid tables; read()
///                throws unsupported, naming it, for a class or function in the pickle,
///                corrupt_chunk for bytes that are not a pickle, invalid_metadata,
///                naming track or feature, for invalid values, limit_exceeded above a
///                limit.
/// Thread safety  read() may run in several threads at the same time.
class BEV_EXPORT ScenarionetImporter {
 public:
  /// @param tables_json  as WaymoImporter
  explicit ScenarionetImporter(std::string_view tables_json = {});
  ~ScenarionetImporter();
  ScenarionetImporter(ScenarionetImporter&&) noexcept;             ///< as Scenario
  ScenarionetImporter& operator=(ScenarionetImporter&&) noexcept;  ///< as Scenario

  /// Converts a file, which the writer then writes.
  Scenario read(const ScenarionetPickle& pickle) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// A scenario of CommonRoad.
struct CommonroadFile {
  std::string_view xml;                ///< all of the file
  bool with_map = false;               ///< converts the map too
  std::optional<std::uint64_t> place;  ///< as WaymoRecord
  std::string file;                    ///< name, for the attributes; may be empty
  /// Id of the obstacle that is the ego vehicle. Empty: it stands still, at the start of
  /// the first planning problem.
  std::string ego;
};

/// Reads scenarios of CommonRoad. docs/other-data.md describes the conversion.
///
/// Lifetime       A scenario owns its memory.
/// Throws         The constructor throws invalid_argument for invalid tables; read()
///                throws corrupt_chunk for text that is not XML, invalid_metadata,
///                naming the element, for invalid values, unsupported for another root
///                or version, not_found for an ego vehicle that the file lacks,
///                limit_exceeded above a limit.
/// Thread safety  read() may run in several threads at the same time.
class BEV_EXPORT CommonroadImporter {
 public:
  /// @param tables_json  labels and extents by type of obstacle that replace the
  ///                     defaults; may be empty
  explicit CommonroadImporter(std::string_view tables_json = {});
  ~CommonroadImporter();
  CommonroadImporter(CommonroadImporter&&) noexcept;             ///< as Scenario
  CommonroadImporter& operator=(CommonroadImporter&&) noexcept;  ///< as Scenario

  /// Converts a file, which the writer then writes.
  Scenario read(const CommonroadFile& file) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Fills a buffer with a file's bytes from an offset on, as many as there are, and returns
/// their number.
using ReadBytes = std::function<std::size_t(std::uint64_t, std::span<std::byte>)>;

/// A file that is read by ranges.
struct RangedFile {
  std::uint64_t size = 0;  ///< in bytes
  ReadBytes read_at;       ///< outlives what was opened with it
};

/// The map of a city of nuPlan: a GeoPackage, in the zone of a log.
///
/// Thread safety  Const functions may run at the same time.
class BEV_EXPORT NuplanMap {
 public:
  /// @param epsg         of the log, as NuplanLog::epsg()
  /// @param tables_json  widths of lanes that replace the defaults; may be empty
  /// Throws  not_found, naming it, for an absent layer; corrupt_chunk, unsupported or
  ///         limit_exceeded for a file that is not such a map; exceptions of the file's
  ///         function.
  NuplanMap(const RangedFile& file, std::int64_t epsg,
            std::string_view tables_json = {});
  ~NuplanMap();
  NuplanMap(NuplanMap&&) noexcept;             ///< as Scenario
  NuplanMap& operator=(NuplanMap&&) noexcept;  ///< as Scenario

 private:
  friend class NuplanLog;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// A log of nuPlan: a SQLite file, of which scenes are read by ranges. docs/other-data.md
/// describes the conversion.
///
/// Memory         8 MiB, some 200 bytes per sweep and 100 per track; 8 bytes per box, if
///                the file has no order by time and no index.
/// Throws         The constructor throws invalid_argument for invalid tables, not_found,
///                naming it, for an absent table; corrupt_chunk, invalid_metadata,
///                unsupported or limit_exceeded for a file that is not such a log; read()
///                also throws these; both exceptions of the file's function.
/// Thread safety  A log belongs to one thread.
class BEV_EXPORT NuplanLog {
 public:
  /// @param tables_json  labels and extents by category, and origins by city, that replace
  ///                     the defaults; may be empty
  /// @param all_sweeps   a frame per sweep of the lidar, 20 Hz; else 10 Hz
  explicit NuplanLog(const RangedFile& file, std::string_view tables_json = {},
                     bool all_sweeps = false);
  ~NuplanLog();
  NuplanLog(NuplanLog&&) noexcept;             ///< as Scenario
  NuplanLog& operator=(NuplanLog&&) noexcept;  ///< as Scenario

  const std::string& city() const noexcept;  ///< "us-nv-las-vegas-strip"
  std::int64_t epsg();                       ///< zone of its positions; 0 if unknown

  /// Names of the scenes, by time.
  std::vector<std::string> scenes() const;

  /// Converts a scene, which the writer then writes.
  ///
  /// @param map   of the city; null: without map
  /// @param file  name, for the attributes; may be empty
  Scenario read(std::size_t scene, const NuplanMap* map = nullptr,
                std::string file = {});

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Versions of nuScenes: folders of tables on this machine, and their maps. Each is read
/// once, when it is needed. Needs the CMake target bevscope::native. docs/other-data.md
/// describes the conversion.
///
/// Memory         Some 250 bytes per key frame, 150 per instance and 48 per box, and the
///                maps.
/// Throws         The constructor throws invalid_argument for invalid tables; the others
///                not_found, naming it, for an absent file or an unknown location;
///                invalid_metadata, naming file, record and field, for other values than
///                the schema's; limit_exceeded above a limit; out_of_range; io.
/// Thread safety  Functions may run at the same time.
class BEV_EXPORT NuscenesVersions {
 public:
  /// @param folders      as find_scenarios("nuscenes", ...) returns them
  /// @param maps         folder of expansion/LOCATION.json; empty: maps, beside a version
  /// @param tables_json  labels and extents by category, origins by location, and widths
  ///                     of lanes, that replace the defaults; may be empty
  explicit NuscenesVersions(std::vector<std::string> folders, std::string maps = {},
                            std::string_view tables_json = {});
  ~NuscenesVersions();
  NuscenesVersions(NuscenesVersions&&) noexcept;             ///< as Scenario
  NuscenesVersions& operator=(NuscenesVersions&&) noexcept;  ///< as Scenario

  /// Returns the number of scenes of a folder.
  std::size_t scene_count(std::size_t folder);

  /// Converts a scene, which the writer then writes. With maps, scenes of several
  /// locations are moved by whole kilometres, so that maps do not overlap.
  Scenario read(std::size_t folder, std::size_t scene, bool with_map = false);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Track files of INTERACTION on this machine, and the maps of their locations. Each map is
/// read once, when it is needed. Needs the CMake target bevscope::native.
/// docs/other-data.md describes the conversion.
///
/// Memory         Some 30 bytes per scenario, and the maps.
/// Throws         The constructor throws invalid_argument for invalid tables; it and the
///                others throw not_found, naming it, for an absent file or map, and a
///                scenario without the track `ego`; invalid_metadata, naming row and
///                column, for invalid values; limit_exceeded above a limit; out_of_range;
///                io.
/// Thread safety  Functions may run at the same time.
class BEV_EXPORT InteractionFiles {
 public:
  /// @param files        as find_scenarios("interaction", ...) returns them
  /// @param maps         folder of LOCATION.osm, or the map of all files; empty: beside the
  ///                     tracks, in ../maps or ../../maps
  /// @param ego          id of the track that is the ego vehicle; empty: a fixed pose
  /// @param tables_json  labels and extents by type that replace the defaults; may be empty
  explicit InteractionFiles(std::vector<std::string> files, std::string maps = {},
                            std::string ego = {}, std::string_view tables_json = {});
  ~InteractionFiles();
  InteractionFiles(InteractionFiles&&) noexcept;             ///< as Scenario
  InteractionFiles& operator=(InteractionFiles&&) noexcept;  ///< as Scenario

  /// Returns the number of scenarios of a file: cases, or a recording.
  std::size_t scene_count(std::size_t file) const;

  /// Converts a scenario, which the writer then writes. With maps of several locations,
  /// scenarios are moved by whole kilometres, so that maps do not overlap.
  Scenario read(std::size_t file, std::size_t scene, bool with_map = false);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Writes scenarios as one data set: a scene each.
///
///     bev::ScenarioWriter writer(write, "scored");
///     for (const auto& files : all) writer.add(importer.read(files));
///     const std::string report = writer.close();
///
/// Memory         One chunk per array, some 500 bytes per scenario, and of maps: the
///                distinct lanes of a city (Argoverse 2); the encoded maps, unless
///                a function appends them (Waymo's scenarios with a place).
/// Throws         invalid_argument for an unknown mask or source, maps of two cities, or
///                scenarios with and without a map; limit_exceeded for a map that would
///                be too large to read; corrupt_chunk for an invalid state;
///                exceptions of the functions that store.
/// Thread safety  A writer belongs to one thread.
class BEV_EXPORT ScenarioWriter {
 public:
  /// Stores an object under its key ("agents/3"), replacing the previous one.
  using Write = std::function<void(std::string_view, std::span<const std::byte>)>;
  /// Appends bytes to the object "semantic_map/semantic_map.pb".
  using AppendMap = std::function<void(std::span<const std::byte>)>;

  /// @param mask  agents that agents_mask/0.5 selects: "focal", "scored" (with the
  ///              focal track) or "all", at any distance from the ego vehicle; or
  ///              "none" for no mask
  /// @param source  format of the scenarios, for the attributes: "argoverse2",
  ///                "commonroad", "interaction", "nuplan", "nuscenes", "scenarionet",
  ///                "waymo"
  /// @param append_map  stores the map piece by piece; absent: `write` stores it as a
  ///                    whole at the end. After restore(), all pieces come again.
  explicit ScenarioWriter(Write write, std::string_view mask = "scored",
                          std::string_view source = "argoverse2",
                          AppendMap append_map = {});
  ~ScenarioWriter();
  ScenarioWriter(ScenarioWriter&&) noexcept;             ///< as Scenario
  ScenarioWriter& operator=(ScenarioWriter&&) noexcept;  ///< as Scenario

  /// Appends a scene; an error appends nothing.
  void add(const Scenario& scenario);

  /// Adds only the map: after restore(), of every scenario that the state contains.
  void add_map(const Scenario& scenario);

  /// Returns everything but the maps, as bytes.
  std::string state() const;

  /// Continues after the scenarios that a state contains, in the same store.
  void restore(std::string_view state);

  std::uint64_t scene_count() const noexcept;  ///< scenarios added so far

  /// Writes the rest, and returns the report as JSON.
  std::string close();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace bev
