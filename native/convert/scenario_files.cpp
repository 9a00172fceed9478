#include "native/convert/scenario_files.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/base/error.hpp"
#include "core/convert/nuplan.hpp"
#include "core/convert/scenarionet.hpp"
#include "native/convert/interaction_scenarios.hpp"
#include "native/convert/nuplan_files.hpp"
#include "native/convert/nuscenes_files.hpp"
#include "native/files/file.hpp"
#include "native/files/system.hpp"
#include "native/source/workers.hpp"

namespace bev::native {
namespace {

namespace fs = std::filesystem;

// Also what core/pickle accepts.
constexpr std::uint64_t kMaxPickle = std::uint64_t{256} << 20U;

// Levels below a folder whose names tell its format, and names that are looked at.
constexpr int kMaxDepth = 3;
constexpr std::size_t kMaxNames = 100'000;

bool is_list_of_scenarios(std::string_view name) {
  return name == convert::kScenarionetSummary || name == convert::kScenarionetMapping;
}

bool is_scenario_file(ScenarioFormat format, std::string_view name) {
  switch (format) {
    case ScenarioFormat::waymo: return name.find(".tfrecord") != name.npos;
    case ScenarioFormat::scenarionet:
      return name.ends_with(".pkl") && !is_list_of_scenarios(name);
    case ScenarioFormat::argoverse2:
      return name.starts_with("scenario_") && name.ends_with(".parquet");
    case ScenarioFormat::nuplan: return name.ends_with(".db");
    case ScenarioFormat::interaction: return name.ends_with(".csv");
    case ScenarioFormat::nuscenes: break;  // see nuscenes_versions()
  }
  return false;
}

const char* file_names(ScenarioFormat format) {
  constexpr std::array kNames = {
      "TFRecord files (*.tfrecord*)",      "scenarios (*.pkl)",
      "scenarios (scenario_*.parquet)",    "logs (*.db)",
      "versions (sample_annotation.json)", "track files (*.csv)"};
  return kNames[static_cast<std::size_t>(format)];
}

/// The same of a file of this machine, whose content is looked at if its name says little.
bool is_local_scenario(ScenarioFormat format, const fs::path& path) {
  return is_scenario_file(format, path.filename().string()) &&
         (format != ScenarioFormat::interaction || is_track_file(path.string()));
}

/// Returns a format's files below a folder.
std::vector<std::string> scenario_files_below(ScenarioFormat format,
                                              const fs::path& folder) {
  std::vector<std::string> out;
  std::error_code error;
  fs::recursive_directory_iterator at(folder, error);
  while (!error && at != fs::recursive_directory_iterator()) {
    if (is_local_scenario(format, at->path()) && at->is_regular_file(error)) {
      out.push_back(at->path().string());
    }
    if (!error) at.increment(error);
  }
  if (error) fail_at(Errc::io, folder.string(), {error.message()});
  std::sort(out.begin(), out.end());
  return out;
}

void check_pickle_size(std::uint64_t size) {
  if (size <= kMaxPickle) return;
  fail(Errc::limit_exceeded,
       {"too large (found ", size, " bytes, expected at most ", kMaxPickle, ")"});
}

/// Returns a pickle's bytes; nullopt if there is no such file.
std::optional<std::vector<std::byte>> pickle_at(const std::string& path) {
  const auto file = File::open(path, path);
  if (!file) return std::nullopt;
  in_scenario_file(path, [&] { check_pickle_size(file->size()); });
  std::vector<std::byte> out(static_cast<std::size_t>(file->size()));
  out.resize(file->read_at(0, out));
  return out;
}

/// Returns the files that a folder of ScenarioNet lists; nullopt if it has no list.
std::optional<std::vector<std::string>> listed_in(const fs::path& folder) {
  const auto summary_path = (folder / convert::kScenarionetSummary).string();
  const auto mapping = pickle_at((folder / convert::kScenarionetMapping).string());
  std::optional<std::vector<std::byte>> summary;
  std::error_code error;
  const auto size = fs::file_size(summary_path, error);
  // 100,000 scenarios have a summary of some 800 MB, and a mapping of 10 MB.
  if (!error && !(mapping && size > kMaxPickle)) summary = pickle_at(summary_path);
  if (!summary && !mapping) return std::nullopt;
  const auto names = in_scenario_file(
      folder.string(), [&] { return convert::scenarionet_files(summary, mapping); });
  std::vector<std::string> out;
  for (const auto& name : names) out.push_back((folder / name).string());
  return out;
}

bool is_store(const fs::path& folder) {
  for (const auto* name :
       {".zgroup", ".zarray", ".zattrs", ".zmetadata", "zarr.json"}) {
    std::error_code error;
    if (fs::exists(folder / name, error)) return true;
  }
  return false;
}

std::string state_text(std::uint64_t size, std::int64_t modified) {
  return std::to_string(size) + " bytes, " + std::to_string(modified) + " ns";
}

/// Converts what was read of a file: a record with head and tail, or a pickle.
convert::Scenario import_bytes(ScenarioFormat format, std::span<const std::byte> bytes,
                               const ScenarioItem& item, const convert::Tables& tables,
                               const convert::ImportOptions& options) {
  if (format == ScenarioFormat::scenarionet) {
    return convert::import_scenarionet(bytes, tables, options);
  }
  const auto content = convert::record_content(bytes, item.range.offset);
  try {
    auto out = convert::import_waymo(
        {reinterpret_cast<const char*>(content.data()), content.size()}, tables,
        options);
    out.record = item.record;
    return out;
  } catch (const Error& error) {
    fail(error.code(), {"record ", item.record, ": ", error.what()});
  }
}

void add_items(std::vector<ScenarioItem>& items, std::size_t file,
               const std::vector<convert::RecordRange>& records) {
  for (std::size_t i = 0; i < records.size(); ++i) {
    items.push_back({file, i, records[i]});
  }
}

[[noreturn]] void fail_argoverse2(const std::string& path) {
  fail_at(Errc::unsupported, path,
          {"Argoverse 2 needs bevscope's Python package, which reads Parquet: "
           "bevscope.open()"});
}

}  // namespace

const char* name_of(ScenarioFormat format) noexcept {
  constexpr std::array kNames = {"waymo",  "scenarionet", "argoverse2",
                                 "nuplan", "nuscenes",    "interaction"};
  return kNames[static_cast<std::size_t>(format)];
}

convert::Tables tables_of(ScenarioFormat format) {
  switch (format) {
    case ScenarioFormat::scenarionet: return convert::scenarionet_tables();
    case ScenarioFormat::argoverse2: return convert::argoverse2_tables();
    case ScenarioFormat::nuplan: return convert::nuplan_tables();
    case ScenarioFormat::nuscenes: return convert::nuscenes_tables();
    case ScenarioFormat::interaction: return convert::interaction_tables();
    case ScenarioFormat::waymo: break;
  }
  return convert::waymo_tables();
}

std::vector<std::string> find_scenarios(ScenarioFormat format,
                                        const std::vector<std::string>& paths) {
  std::vector<std::string> out;
  for (const auto& path : paths) {
    std::error_code error;
    const auto status = fs::status(path, error);
    if (!fs::exists(status)) fail_at(Errc::not_found, path, {"not found"});
    std::optional<std::vector<std::string>> listed;
    if (format == ScenarioFormat::nuscenes) {
      listed = nuscenes_versions(path);
    } else if (!fs::is_directory(status)) {
      out.push_back(path);
      continue;
    }
    if (format == ScenarioFormat::scenarionet) listed = listed_in(path);
    const auto found = listed ? *std::move(listed) : scenario_files_below(format, path);
    if (found.empty()) {
      fail_at(Errc::not_found, path, {"no ", file_names(format), " found"});
    }
    out.insert(out.end(), found.begin(), found.end());
  }
  if (format == ScenarioFormat::interaction) remove_pedestrians(out);
  return out;
}

std::optional<ScenarioFormat> scenario_format(const std::string& path) {
  constexpr std::array kFormats = {ScenarioFormat::waymo, ScenarioFormat::scenarionet,
                                   ScenarioFormat::argoverse2, ScenarioFormat::nuplan,
                                   ScenarioFormat::interaction};
  std::error_code error;
  const auto status = fs::status(path, error);
  if (!is_store(path) && !nuscenes_versions(path).empty())
    return ScenarioFormat::nuscenes;
  if (fs::is_regular_file(status)) {
    const auto name = fs::path(path).filename().string();
    if (name.ends_with(".zip")) return std::nullopt;
    for (const auto format : kFormats) {
      if (is_local_scenario(format, path)) return format;
    }
    return std::nullopt;
  }
  if (!fs::is_directory(status) || is_store(path)) return std::nullopt;
  std::optional<ScenarioFormat> found;
  fs::recursive_directory_iterator at(
      path, fs::directory_options::skip_permission_denied, error);
  for (std::size_t count = 0; !error && at != fs::recursive_directory_iterator();
       at.increment(error)) {
    if (++count > kMaxNames) break;
    const auto name = at->path().filename().string();
    // A store below is not a part of scenarios, and may have any number of chunks.
    if (at.depth() >= kMaxDepth || (at->is_directory(error) && is_store(at->path()))) {
      at.disable_recursion_pending();
    }
    for (const auto format : kFormats) {
      if (found == format) continue;
      const bool is_of =
          is_local_scenario(format, at->path()) ||
          (format == ScenarioFormat::scenarionet && is_list_of_scenarios(name));
      if (!is_of) continue;
      if (found) {
        fail_at(Errc::invalid_argument, path,
                {"files of ", name_of(*found), " and of ", name_of(format),
                 "; open one of its folders or files"});
      }
      found = format;
    }
  }
  return found;
}

std::optional<ScenarioFormat> scenario_format_of_address(std::string_view address) {
  const auto path = address.substr(0, address.find_first_of("?#"));
  const auto name = path.substr(path.rfind('/') + 1);
  if (name.ends_with(".tfrecord") || name.find(".tfrecord-") != name.npos) {
    return ScenarioFormat::waymo;
  }
  for (const auto format : {ScenarioFormat::scenarionet, ScenarioFormat::nuplan,
                            ScenarioFormat::interaction}) {
    if (is_scenario_file(format, name)) return format;
  }
  return std::nullopt;
}

convert::ImportOptions import_options(std::size_t item, std::size_t count,
                                      bool with_map) {
  convert::ImportOptions out;
  out.with_map = with_map;
  if (with_map && count > 1) out.place = item;
  return out;
}

void read_scenarios(ScenarioFiles& files, std::span<const ScenarioItem> items,
                    const ScenarioReading& reading, const TakeScenario& take) {
  const auto jobs = std::max<std::size_t>(reading.jobs, 1);
  for (auto begin = reading.begin; begin < items.size(); begin += jobs) {
    std::vector<std::optional<convert::Scenario>> scenarios(
        std::min(jobs, items.size() - begin));
    on_threads(scenarios.size(), [&](std::size_t i) {
      scenarios[i] = files.read(
          items[begin + i], import_options(begin + i, items.size(), reading.with_map));
    });
    for (std::size_t i = 0; i < scenarios.size(); ++i) {
      in_scenario_file(files.names()[items[begin + i].file],
                       [&] { take(begin + i, *scenarios[i]); });
    }
  }
}

std::unique_ptr<ScenarioFiles> local_scenarios(ScenarioFormat format,
                                               std::vector<std::string> paths,
                                               convert::Tables tables,
                                               NuplanSettings settings) {
  if (format == ScenarioFormat::interaction) {
    return std::make_unique<InteractionScenarios>(std::move(paths), std::move(tables),
                                                  std::move(settings));
  }
  return std::make_unique<LocalScenarios>(format, std::move(paths), std::move(tables),
                                          std::move(settings));
}

LocalScenarios::LocalScenarios(ScenarioFormat format, std::vector<std::string> paths,
                               convert::Tables tables, NuplanSettings nuplan)
    : ScenarioFiles(format, std::move(paths)), tables_(std::move(tables)) {
  if (format == ScenarioFormat::argoverse2) {
    fail_argoverse2(names().empty() ? "" : names().front());
  }
  if (format == ScenarioFormat::nuplan) {
    nuplan_maps_ = nuplan.maps;
    logs_ = std::make_unique<NuplanFiles>(tables_, std::move(nuplan));
  } else if (format == ScenarioFormat::nuscenes) {
    versions_ =
        std::make_unique<NuscenesFiles>(tables_, names(), std::move(nuplan.maps));
  }
}

LocalScenarios::~LocalScenarios() = default;

std::vector<std::string> LocalScenarios::states() {
  std::vector<std::string> out;
  for (const auto& path : names()) {
    if (versions_) {
      out.push_back(versions_->state(path));
      continue;
    }
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) {
      fail_at(Errc::not_found, path, {"not found, or not a file"});
    }
    out.push_back(
        state_text(static_cast<std::uint64_t>(status.st_size), modified_ns(status)));
  }
  if (!nuplan_maps_.empty()) out.push_back(state_of_nuplan_maps(nuplan_maps_));
  return out;
}

std::vector<ScenarioItem> LocalScenarios::find() {
  std::vector<ScenarioItem> out;
  for (std::size_t i = 0; i < names().size(); ++i) {
    const auto& path = names()[i];
    if (logs_ || versions_) {
      const auto scenes = in_scenario_file(path, [&] {
        return logs_ ? logs_->scene_count(path) : versions_->scene_count(path);
      });
      for (std::size_t scene = 0; scene < scenes; ++scene)
        out.push_back({i, scene, {}});
      continue;
    }
    if (format() != ScenarioFormat::waymo) {
      out.push_back({i, 0, {}});
      continue;
    }
    const auto file = File::open(path, path);
    if (!file) fail_at(Errc::not_found, path, {"not found, or not a file"});
    in_scenario_file(path, [&] {
      add_items(out, i,
                convert::find_records(
                    file->size(), [&](std::uint64_t at, std::span<std::byte> bytes) {
                      return file->read_at(at, bytes);
                    }));
    });
  }
  return out;
}

convert::Scenario LocalScenarios::read(const ScenarioItem& item,
                                       const convert::ImportOptions& options) {
  const auto& path = names()[item.file];
  return in_scenario_file(path, [&] {
    const bool is_indexed = !expected().empty();
    if (versions_) {
      if (is_indexed && versions_->state(path) != expected()[item.file]) {
        fail(Errc::changed, {"changed while the data set was read; open it again"});
      }
      return versions_->read(path, static_cast<std::size_t>(item.record), options);
    }
    const auto file = File::open(path, path);
    if (!file) {
      fail(is_indexed ? Errc::changed : Errc::not_found, {"not found, or not a file"});
    }
    if (is_indexed &&
        state_text(file->size(), file->modified_ns()) != expected()[item.file]) {
      fail(Errc::changed, {"changed while the data set was read; open it again"});
    }
    if (logs_) {
      return logs_->read(path, static_cast<std::size_t>(item.record), options.with_map);
    }
    const bool is_whole = item.range.size == 0;
    if (is_whole) check_pickle_size(file->size());
    std::vector<std::byte> bytes(
        static_cast<std::size_t>(is_whole ? file->size() : item.range.size));
    bytes.resize(file->read_at(item.range.offset, bytes));
    auto out = import_bytes(format(), bytes, item, tables_, options);
    out.file = fs::path(path).filename().string();
    return out;
  });
}

RemoteScenarios::RemoteScenarios(ScenarioFormat format, std::string address,
                                 std::unique_ptr<Source> source, std::string name,
                                 NuplanSettings nuplan)
    : ScenarioFiles(format, {std::move(address)}),
      source_(std::move(source)),
      name_(std::move(name)),
      tables_(tables_of(format)) {
  if (format != ScenarioFormat::nuplan) return;
  nuplan_maps_ = nuplan.maps;
  logs_ = std::make_unique<NuplanFiles>(
      tables_, std::move(nuplan), [this](const std::string&) { return open_pages(); });
}

std::vector<std::string> RemoteScenarios::states() {
  const std::lock_guard lock(mutex_);
  auto* const validated = dynamic_cast<ValidatedSource*>(source_.get());
  if (validated == nullptr) return {""};
  const auto found = validated->states(std::span(&name_, 1)).front();
  if (!found || (found->etag.empty() && found->modified.empty())) return {""};
  std::vector<std::string> out = {found->etag + " " + found->modified};
  if (found->length) out[0] += " " + std::to_string(*found->length) + " bytes";
  if (!nuplan_maps_.empty()) out.push_back(state_of_nuplan_maps(nuplan_maps_));
  return out;
}

std::uint64_t RemoteScenarios::size_of_file() {
  const std::lock_guard lock(mutex_);
  const auto size = source_->size(name_);
  if (!size) fail(Errc::not_found, {"not found"});
  return *size;
}

/// Opens the file as one of SQLite, of which ranges are read.
std::shared_ptr<sqlite::Pages> RemoteScenarios::open_pages() {
  return std::make_shared<sqlite::Pages>(
      [this](std::uint64_t at, std::span<std::byte> out) {
        const auto found = bytes_of(ByteRange{at, at + out.size()});
        const auto count = std::min(found.size(), out.size());
        std::copy_n(found.begin(), count, out.begin());
        return count;
      },
      size_of_file());
}

std::vector<std::byte> RemoteScenarios::bytes_of(
    const std::optional<ByteRange>& range) {
  const std::lock_guard lock(mutex_);
  auto found = source_->read(name_, range);
  if (!found) fail(Errc::not_found, {"not found"});
  return *std::move(found);
}

std::vector<ScenarioItem> RemoteScenarios::find() {
  if (format() == ScenarioFormat::scenarionet) return {{0, 0, {}}};
  return in_scenario_file(names().front(), [&] {
    std::vector<ScenarioItem> out;
    if (logs_) {
      out.resize(logs_->scene_count(names().front()));
      for (std::size_t i = 0; i < out.size(); ++i) out[i].record = i;
      return out;
    }
    const auto size = size_of_file();
    add_items(
        out, 0,
        convert::find_records(size, [&](std::uint64_t at, std::span<std::byte> bytes) {
          const auto found = bytes_of(ByteRange{at, at + bytes.size()});
          const auto count = std::min(found.size(), bytes.size());
          std::copy_n(found.begin(), count, bytes.begin());
          return count;
        }));
    return out;
  });
}

convert::Scenario RemoteScenarios::read(const ScenarioItem& item,
                                        const convert::ImportOptions& options) {
  return in_scenario_file(names().front(), [&] {
    if (logs_) {
      auto out = logs_->read(names().front(), static_cast<std::size_t>(item.record),
                             options.with_map);
      out.file = name_;
      return out;
    }
    std::optional<ByteRange> range;
    if (item.range.size > 0) {
      range = ByteRange{item.range.offset, item.range.offset + item.range.size};
    } else {
      const std::lock_guard lock(mutex_);
      check_pickle_size(source_->size(name_).value_or(0));
    }
    auto out = import_bytes(format(), bytes_of(range), item, tables_, options);
    out.file = name_;
    return out;
  });
}

}  // namespace bev::native
