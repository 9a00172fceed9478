#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/sink.hpp"
#include "core/convert/argoverse2.hpp"
#include "core/convert/columns.hpp"
#include "core/convert/commonroad.hpp"
#include "core/convert/interaction.hpp"
#include "core/convert/lanelet2.hpp"
#include "core/convert/nuplan.hpp"
#include "core/convert/nuscenes.hpp"
#include "core/convert/nuscenes_splits.hpp"
#include "core/convert/scenario_writer.hpp"
#include "core/convert/scenarionet.hpp"
#include "core/convert/tfrecord.hpp"
#include "core/convert/waymo.hpp"
#include "core/ops/log_file.hpp"
#include "core/ops/operation.hpp"
#include "core/ops/simulation_files.hpp"
#include "core/ops/tables.hpp"
#include "core/simulation/scenario.hpp"

// Scenarios of other data sets, written as a data set in memory.

namespace bev::ops {

namespace {

std::string_view text_of(const RawBytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Collects the objects of a data set.
class MemorySink : public Sink {
 public:
  void put(std::string_view key, std::span<const std::byte> bytes) override {
    objects_[std::string(key)].assign(bytes.begin(), bytes.end());
  }

  const auto& objects() const noexcept { return objects_; }

 private:
  std::map<std::string, std::vector<std::byte>> objects_;
};

/// A scenario, and the columns of the table that is being passed.
struct Converter {
  std::string file;
  std::string source{};
  convert::Tables tables = convert::argoverse2_tables();
  convert::Scenario scenario{};
  MemorySink sink{};
  std::deque<std::vector<double>> numbers{};
  std::deque<std::vector<std::int64_t>> integers{};
  std::deque<RawBytes> texts{};
  std::vector<convert::Column> columns{};
};

/// A version of nuScenes, whose tables are passed one after the other, and the maps of its
/// locations that were passed.
struct TablesVersion {
  convert::Tables tables = convert::nuscenes_tables();
  convert::nuscenes::Version version{};
  std::map<std::string, convert::NuscenesMap, std::less<>> maps{};

  const std::string& location(const convert::nuscenes::Scene& scene) const {
    return version.logs()[scene.log].location;
  }
};

}  // namespace

template <>
inline constexpr const char* kObjectName<Converter> = "Converter";
template <>
inline constexpr const char* kObjectName<LogFile> = "LogFile";
template <>
inline constexpr const char* kObjectName<TablesVersion> = "TablesVersion";

namespace {

std::unique_ptr<Converter> converter(std::string file) {
  return std::make_unique<Converter>(Converter{std::move(file)});
}

/// Adds a column: numbers; integers; or text, row i of which is the bytes from integer i
/// to i + 1.
void add_column(Converter& to, std::string name,
                std::optional<std::vector<double>> numbers,
                std::optional<std::vector<std::int64_t>> integers,
                std::optional<RawBytes> text) {
  if (numbers) {
    to.numbers.push_back(*std::move(numbers));
    to.columns.push_back({std::move(name), std::span<const double>(to.numbers.back())});
    return;
  }
  if (!integers) fail(Errc::invalid_argument, {"column ", name, ": no values"});
  to.integers.push_back(*std::move(integers));
  const std::span<const std::int64_t> ints(to.integers.back());
  if (!text) {
    to.columns.push_back({std::move(name), ints});
    return;
  }
  to.texts.push_back(*std::move(text));
  const auto all = text_of(to.texts.back());
  to.columns.push_back(
      {std::move(name), convert::TextColumn{ints, {all.data(), all.size()}}});
}

std::vector<std::string> argoverse2_columns(bool required) {
  const auto names = convert::argoverse2_columns(required);
  return {names.begin(), names.end()};
}

void read_argoverse2(Converter& converter) {
  converter.scenario = convert::import_argoverse2(
      convert::Table(std::move(converter.columns)), converter.tables);
  converter.source = "argoverse2";
}

void read_argoverse2_map(Converter& converter, const RawBytes& json) {
  converter.scenario.map = convert::parse_argoverse2_map(
      text_of(json), converter.scenario.host, converter.tables);
}

double record_size(const RawBytes& head, Index offset) {
  return static_cast<double>(convert::record_size(head, offset));
}

void read_waymo(Converter& converter, const RawBytes& record, Index offset,
                Index index) {
  const auto content = convert::record_content(record, offset);
  converter.scenario = convert::import_waymo(
      {reinterpret_cast<const char*>(content.data()), content.size()},
      convert::waymo_tables(), {});
  converter.scenario.record = index;
  converter.source = "waymo";
}

void read_scenarionet(Converter& converter, const RawBytes& pickle) {
  converter.scenario =
      convert::import_scenarionet(pickle, convert::scenarionet_tables(), {});
  converter.source = "scenarionet";
}

void read_commonroad(Converter& converter, const RawBytes& xml,
                     std::optional<std::string> ego) {
  convert::ImportOptions options;
  options.ego = std::move(ego).value_or("");
  converter.scenario =
      convert::import_commonroad(text_of(xml), convert::commonroad_tables(), options);
  converter.source = "commonroad";
}

std::vector<std::string> scenarionet_files(std::optional<RawBytes> summary,
                                           std::optional<RawBytes> mapping) {
  return convert::scenarionet_files(summary, mapping);
}

/// Reads the simulation of the files. `id` is that of scenes, which have none.
void read_simulation(Converter& converter, SimulationFiles& files, std::string id) {
  auto found = files.reader.finish();
  if (found.scenario.empty()) found.scenario = std::move(id);
  converter.scenario = simulation::scenario_of(found, convert::nuplan_tables());
  converter.source = "nuplan simulation";
}

std::unique_ptr<LogFile> log_file(std::string name, Index size) {
  return std::make_unique<LogFile>(std::move(name), size);
}

void log_supply(LogFile& log, std::string file, Index offset, RawBytes bytes) {
  if (file != kLogFile && (file != kMapFile || !log.map)) {
    fail(Errc::invalid_argument, {"log: no file ", file});
  }
  auto& to = file == kMapFile ? log.map->file : log.file;
  to.held.push_back({static_cast<std::uint64_t>(offset), std::move(bytes)});
}

std::vector<store::Request> log_missing(LogFile& log) {
  return log.run([&] {
    log.log->open();
    log.scanned.clear();
    for (const auto& [table, finding] : log.log->findings()) {
      if (finding == convert::nuplan::Finding::scan) log.scanned.push_back(table);
    }
  });
}

std::vector<std::string> log_scenes(LogFile& log) {
  std::vector<std::string> out;
  for (auto& scene : convert::nuplan_scenes(*log.log)) {
    out.push_back(std::move(scene.name));
  }
  return out;
}

/// Returns begin and end of each scene, in nanoseconds.
std::vector<std::int64_t> log_times(LogFile& log) {
  std::vector<std::int64_t> out;
  for (const auto& scene : convert::nuplan_scenes(*log.log)) {
    out.push_back(scene.start_ns);
    out.push_back(scene.end_ns);
  }
  return out;
}

std::vector<std::string> log_scanned(LogFile& log) {
  return log.scanned;
}

/// Reads the tags of the scenes.
std::vector<store::Request> log_missing_tags(LogFile& log) {
  return log.run([&] {
    log.log->open();
    log.tags = convert::nuplan_tags(*log.log);
  });
}

/// Returns lists of texts as JSON.
std::string json_of(const std::vector<std::vector<std::string>>& lists) {
  return nlohmann::json(lists).dump(-1, ' ', true,
                                    nlohmann::json::error_handler_t::replace);
}

std::string log_tags(LogFile& log) {
  return json_of(log.tags);
}

void log_map(LogFile& log, Index size) {
  log.map = std::make_unique<LogMap>(size);
}

std::vector<store::Request> read_nuplan(Converter& converter, LogFile& log,
                                        Index scene) {
  return log.run([&] {
    log.log->open();
    convert::NuplanOptions options;
    if (log.map) options.map = &log.map->read(log.log->epsg());
    converter.scenario = convert::import_nuplan(
        *log.log, static_cast<std::size_t>(scene), convert::nuplan_tables(), options);
    converter.scenario.record = scene;
    converter.source = "nuplan";
  });
}

/// Returns the names of the files of a version, and of the list of the prediction
/// challenge, in the order in which they are passed.
std::vector<std::string> version_files() {
  const auto files = convert::nuscenes::Version::files();
  std::vector<std::string> out(files.begin(), files.end());
  out.emplace_back(convert::nuscenes::Version::kPrediction);
  return out;
}

std::unique_ptr<TablesVersion> tables_version() {
  return std::make_unique<TablesVersion>();
}

void version_begin(TablesVersion& version, const std::string& file) {
  version.version.begin(file);
}

void version_push(TablesVersion& version, const RawBytes& text) {
  version.version.push(text_of(text));
}

void version_end(TablesVersion& version) {
  version.version.end();
}

std::vector<std::string> version_scenes(TablesVersion& version) {
  std::vector<std::string> out;
  for (const auto& scene : version.version.scenes()) out.push_back(scene.name);
  return out;
}

/// Returns the location of each scene; "" for one without an origin, which has no map.
std::vector<std::string> version_locations(TablesVersion& version) {
  std::vector<std::string> out;
  for (const auto& scene : version.version.scenes()) {
    const auto& location = version.location(scene);
    out.push_back(version.tables.cities.contains(location) ? location : "");
  }
  return out;
}

/// Returns the tags of each scene as JSON.
std::string version_tags(TablesVersion& version) {
  std::vector<std::vector<std::string>> out;
  for (const auto& scene : version.version.scenes()) {
    out.push_back(convert::nuscenes_tags(scene.name));
  }
  return json_of(out);
}

void version_map(TablesVersion& version, const std::string& location,
                 const RawBytes& json) {
  version.maps.insert_or_assign(location,
                                convert::NuscenesMap(text_of(json), version.tables));
}

void read_nuscenes(Converter& converter, TablesVersion& version, Index scene) {
  const auto index = static_cast<std::size_t>(scene);
  const auto& scenes = version.version.scenes();
  convert::NuscenesOptions options;
  if (index < scenes.size()) {
    const auto map = version.maps.find(version.location(scenes[index]));
    if (map != version.maps.end()) options.map = &map->second;
  }
  converter.scenario =
      convert::import_nuscenes(version.version, index, version.tables, options);
  converter.scenario.record = scene;
  converter.source = "nuscenes";
}

/// Returns begin and end of the rows of each scenario.
std::vector<double> interaction_cases(const RawBytes& text) {
  const auto found =
      convert::find_cases(text.size(), [&](std::uint64_t at, std::span<std::byte> out) {
        const auto from = std::span(text).subspan(static_cast<std::size_t>(at));
        const auto count = std::min(from.size(), out.size());
        std::copy_n(from.begin(), count, out.begin());
        return count;
      });
  std::vector<double> out;
  for (const auto& one : found.cases) {
    out.push_back(static_cast<double>(one.offset));
    out.push_back(static_cast<double>(one.offset + one.size));
  }
  return out;
}

/// Returns location, file of pedestrians and map of a track file; "" for none.
std::vector<std::string> interaction_names(const std::string& path,
                                           const std::vector<std::string>& maps) {
  return {convert::interaction_location(path), convert::interaction_pedestrians(path),
          convert::interaction_map(path, maps)};
}

void read_interaction(Converter& converter, const std::string& path,
                      const RawBytes& head, const RawBytes& rows,
                      const std::optional<RawBytes>& pedestrians,
                      const std::optional<RawBytes>& map,
                      std::optional<std::string> ego) {
  convert::InteractionTracks tracks;
  const auto text = text_of(head);
  tracks.header = text.substr(0, text.find_first_of("\r\n"));
  tracks.rows = text_of(rows);
  if (pedestrians) tracks.pedestrians = text_of(*pedestrians);
  const auto name = path.substr(path.rfind('/') + 1);
  tracks.name = name.substr(0, name.rfind('.'));
  tracks.location = convert::interaction_location(path);
  convert::InteractionOptions options;
  options.ego = std::move(ego).value_or("");
  std::optional<convert::SourceMap> source;
  if (map) source = convert::import_lanelet2(text_of(*map), geom::Geodetic{0, 0, 0});
  if (source) options.map = &*source;
  converter.scenario =
      convert::import_interaction(tracks, convert::interaction_tables(), options);
  converter.source = "interaction";
}

/// Completes the data set. Returns the report as JSON.
std::string finish_conversion(Converter& converter) {
  converter.scenario.file = converter.file;
  convert::ScenarioWriterOptions options;
  options.source = converter.source;
  // As of a conversion: CommonRoad and INTERACTION have no tracks to predict, and
  // nuScenes' list of them is not in all versions.
  constexpr std::array kAll = {"commonroad", "interaction", "nuscenes"};
  if (std::find(kAll.begin(), kAll.end(), converter.source) != kAll.end()) {
    options.mask = convert::MaskRule{convert::Role::fragment};
  }
  options.layout.codec = "none";  // the only one in wasm
  convert::ScenarioWriter writer(converter.sink, options);
  writer.add(converter.scenario);
  return writer.close();
}

Outcome converted_objects(Converter& converter) {
  std::vector<ResultArray> arrays;
  for (const auto& [key, bytes] : converter.sink.objects()) {
    arrays.push_back({key, "|u1", {bytes.size()}, bytes});
  }
  return Outcome(arrays);
}

constexpr std::array kConvertOperations{
    operation<&converter, "file">("converter", "",
                                  "converts a scenario; the file's name is kept"),
    operation<&argoverse2_columns, "required">(
        "argoverse2_columns", "",
        "columns of an Argoverse 2 scenario: those that all have, or the others"),
    operation<&add_column, "converter", "name", "numbers", "integers", "text">(
        "add_column", "", "passes a column; text begins at the integers"),
    operation<&read_argoverse2, "converter">("read_argoverse2", "",
                                             "reads the columns that were passed"),
    operation<&read_argoverse2_map, "converter", "json">(
        "read_argoverse2_map", "", "reads the scenario's map, after its columns"),
    operation<&record_size, "head", "offset">(
        "record_size", "", "size of a TFRecord from its first 12 bytes"),
    operation<&read_waymo, "converter", "record", "offset", "index">(
        "read_waymo", "", "reads a record of Waymo, with its head and checksums"),
    operation<&read_scenarionet, "converter", "pickle">(
        "read_scenarionet", "", "reads a scenario of ScenarioNet"),
    operation<&read_commonroad, "converter", "xml", "ego">(
        "read_commonroad", "",
        "reads a scenario of CommonRoad; the obstacle `ego` is the ego vehicle"),
    operation<&scenarionet_files, "summary", "mapping">(
        "scenarionet_files", "",
        "paths of the scenarios in a folder of ScenarioNet, by its lists"),
    operation<&read_simulation, "converter", "files", "id">(
        "read_simulation", "", "reads the simulation; the id is for scenes"),
    operation<&log_file, "name", "size">("log_file", "", "a log of nuPlan"),
    operation<&log_missing, "log">(
        "log_missing", "",
        "the next ranges of what tells its scenes; none: it is open"),
    operation<&log_supply, "log", "file", "offset", "bytes">(
        "log_supply", "",
        "supplies a range; its key is the file. All are supplied before the next run"),
    operation<&log_scenes, "log">("log_scenes", "", "names of the scenes, by time"),
    operation<&log_times, "log">("log_times", "",
                                 "begin and end of each scene, nanoseconds"),
    operation<&log_scanned, "log">(
        "log_scanned", "",
        "tables that are read whole, because rows have neither index nor order"),
    operation<&log_missing_tags, "log">(
        "log_missing_tags", "",
        "the next ranges of the tags of its scenes; none: they are read"),
    operation<&log_tags, "log">("log_tags", "", "JSON: the tags of each scene"),
    operation<&log_map, "log", "size">("log_map", "", "adds the map of the log's city"),
    operation<&read_nuplan, "converter", "log", "scene">(
        "read_nuplan", "",
        "reads a scene; returns the next ranges that it needs, none if it is read"),
    operation<&version_files>("version_files", "",
                              "names of the files of a version of nuScenes, in order"),
    operation<&tables_version>("tables_version", "", "a version of nuScenes"),
    operation<&version_begin, "version", "file">("version_begin", "", "begins a file"),
    operation<&version_push, "version", "text">("version_push", "",
                                                "passes the next part of its text"),
    operation<&version_end, "version">("version_end", "", "ends the file"),
    operation<&version_scenes, "version">("version_scenes", "", "names of the scenes"),
    operation<&version_locations, "version">(
        "version_locations", "",
        "location of each scene; \"\" if it cannot have a map"),
    operation<&version_tags, "version">("version_tags", "",
                                        "JSON: the tags of each scene"),
    operation<&version_map, "version", "location", "json">(
        "version_map", "", "passes the map of a location"),
    operation<&read_nuscenes, "converter", "version", "scene">("read_nuscenes", "",
                                                               "reads a scene"),
    operation<&interaction_cases, "text">(
        "interaction_cases", "",
        "begin and end of the rows of each scenario in a track file of INTERACTION"),
    operation<&interaction_names, "path", "maps">(
        "interaction_names", "",
        "location, pedestrians and map of a track file, by names; \"\" for none"),
    operation<&read_interaction, "converter", "path", "head", "rows", "pedestrians",
              "map", "ego">("read_interaction", "",
                            "reads a scenario, with the file's first line; the track "
                            "`ego` is the ego vehicle"),
    operation<&finish_conversion, "converter">(
        "finish_conversion", "", "completes the data set; returns the report, JSON"),
    operation<&converted_objects, "converter">("converted_objects", "*",
                                               "the data set's objects by key"),
};

}  // namespace

std::span<const Operation> convert_operations() {
  return kConvertOperations;
}

}  // namespace bev::ops
