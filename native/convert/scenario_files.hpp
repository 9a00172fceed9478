#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/convert/object_types.hpp"
#include "core/convert/scenario.hpp"
#include "core/convert/scenario_records.hpp"
#include "core/convert/tfrecord.hpp"
#include "core/convert/waymo.hpp"
#include "native/convert/nuplan_files.hpp"
#include "native/source/validated_source.hpp"

namespace bev::native {

/// Formats of scenarios, each in files.
enum class ScenarioFormat {
  waymo,        ///< TFRecord files: names with ".tfrecord"
  scenarionet,  ///< pickles: names that end in ".pkl"
  argoverse2,   ///< folders with scenario_ID.parquet; found, but not read here
  nuplan,       ///< SQLite files of a log each, a scene per scenario: ".db"
  nuscenes,     ///< folders of a version each: with sample_annotation.json
  commonroad,   ///< XML files: names that end in ".xml"
  interaction,  ///< track files, a scene per case: ".csv", known by their columns
};

/// Returns a format's name in options and attributes: "waymo".
const char* name_of(ScenarioFormat format) noexcept;

/// Returns the tables of a format's importer.
convert::Tables tables_of(ScenarioFormat format);

/// Returns the rule of the mask that a conversion stores by default: all agents of formats
/// without tracks to predict, and of nuScenes, whose list of them is not in all versions.
convert::MaskRule usual_mask(ScenarioFormat format);

/// Returns a format's files among files and folders, in this order; those below a folder
/// by path. Of a folder with dataset_summary.pkl or dataset_mapping.pkl, the files that
/// these list.
///
/// Throws  not_found for a path that does not exist and a folder without such files; io
///         if a folder cannot be read; errors of scenarionet_files().
std::vector<std::string> find_scenarios(ScenarioFormat format,
                                        const std::vector<std::string>& paths);

/// Returns the format of what is at a local path: of a file by its name, of a folder
/// that is not a store by the names below it, up to three levels deep. Of CSV and XML
/// files the start is read. nullopt for everything else.
///
/// Throws  invalid_argument for a folder with files of several formats.
std::optional<ScenarioFormat> scenario_format(const std::string& path);

/// The same for the URL or S3 address of a file, by its name only.
std::optional<ScenarioFormat> scenario_format_of_address(std::string_view address);

/// Throws limit_exceeded for the size of a file that is too large to be read as a whole.
void check_file_size(std::uint64_t size);

/// A scenario: a record of a file, or a file.
struct ScenarioItem {
  std::size_t file = 0;
  std::uint64_t record = 0;
  convert::RecordRange range;  ///< of the record; empty for files without records
};

/// The files of scenarios, which are read one by one.
///
/// Thread safety  read() may run in several threads at the same time.
class ScenarioFiles {
 public:
  ScenarioFiles(ScenarioFormat format, std::vector<std::string> names)
      : format_(format), names_(std::move(names)) {}
  virtual ~ScenarioFiles() = default;
  ScenarioFiles(const ScenarioFiles&) = delete;
  ScenarioFiles& operator=(const ScenarioFiles&) = delete;

  ScenarioFormat format() const noexcept { return format_; }

  /// Paths or addresses, for messages and to distinguish the files.
  const std::vector<std::string>& names() const noexcept { return names_; }

  /// Returns each file's state, a text: size and time of modification, or what the server
  /// says of its version; "": the server says nothing. After them, that of the maps of
  /// nuPlan.
  ///
  /// Throws  not_found for a file that does not exist.
  virtual std::vector<std::string> states() = 0;

  /// Lets read() refuse files in other states. Without this call it accepts any.
  void expect(std::vector<std::string> states) { states_ = std::move(states); }

  /// Finds the scenarios of all files, in order.
  virtual std::vector<ScenarioItem> find() = 0;

  /// Reads a scenario.
  ///
  /// Throws  changed for a file in another state; the importer's errors, with file and
  ///         record as prefix.
  virtual convert::Scenario read(const ScenarioItem& item,
                                 const convert::ImportOptions& options) = 0;

 protected:
  /// Expected states; empty: any.
  const std::vector<std::string>& expected() const noexcept { return states_; }

 private:
  ScenarioFormat format_;
  std::vector<std::string> names_;
  std::vector<std::string> states_;
};

class NuscenesFiles;

/// Files of this machine.
///
/// Throws  io if a file cannot be read.
class LocalScenarios final : public ScenarioFiles {
 public:
  LocalScenarios(ScenarioFormat format, std::vector<std::string> paths,
                 convert::Tables tables, NuplanSettings nuplan = {});
  ~LocalScenarios() override;

  std::vector<std::string> states() override;
  std::vector<ScenarioItem> find() override;
  convert::Scenario read(const ScenarioItem& item,
                         const convert::ImportOptions& options) override;

 private:
  convert::Tables tables_;
  std::string nuplan_maps_;
  std::unique_ptr<NuplanFiles> logs_;        // of nuPlan
  std::unique_ptr<NuscenesFiles> versions_;  // of nuScenes
};

/// One file at an http(s) URL or S3 address, of which ranges are read.
///
/// Throws  changed if the file changes; network; as HttpSource.
class RemoteScenarios final : public ScenarioFiles {
 public:
  /// @param source  of the file's folder
  /// @param name    of the file there
  RemoteScenarios(ScenarioFormat format, std::string address,
                  std::unique_ptr<Source> source, std::string name,
                  NuplanSettings nuplan = {});

  std::vector<std::string> states() override;
  std::vector<ScenarioItem> find() override;
  convert::Scenario read(const ScenarioItem& item,
                         const convert::ImportOptions& options) override;

 private:
  std::vector<std::byte> bytes_of(const std::optional<ByteRange>& range);
  std::uint64_t size_of_file();
  std::shared_ptr<sqlite::Pages> open_pages();

  std::mutex mutex_;
  std::unique_ptr<Source> source_;
  std::string name_;
  convert::Tables tables_;
  std::string nuplan_maps_;
  std::unique_ptr<NuplanFiles> logs_;  // of nuPlan
};

/// Returns the files of this machine.
std::unique_ptr<ScenarioFiles> local_scenarios(ScenarioFormat format,
                                               std::vector<std::string> paths,
                                               convert::Tables tables,
                                               NuplanSettings settings);

/// Which scenarios are read, and how.
struct ScenarioReading {
  std::size_t begin = 0;  ///< of the items
  bool with_map =
      false;             ///< several scenarios then get a place each; see ImportOptions
  std::size_t jobs = 1;  ///< scenarios that are converted at the same time
  std::string ego = {};  ///< see ImportOptions
};

using TakeScenario = std::function<void(std::size_t item, const convert::Scenario&)>;

/// Reads scenarios concurrently and passes them on in order.
///
/// Memory  `jobs` scenarios.
/// Throws  errors of the files; those of `take`, with the file as prefix.
void read_scenarios(ScenarioFiles& files, std::span<const ScenarioItem> items,
                    const ScenarioReading& reading, const TakeScenario& take);

/// Returns how an item is converted, of `count`.
convert::ImportOptions import_options(std::size_t item, std::size_t count,
                                      bool with_map);

/// Runs `work` and adds the file to its errors.
template <class Work>
auto in_scenario_file(const std::string& path, Work work) {
  try {
    return work();
  } catch (const Error& error) {
    const std::string_view problem = error.what();
    if (problem.starts_with(path)) throw;
    fail_at(error.code(), path, {problem});
  }
}

}  // namespace bev::native
