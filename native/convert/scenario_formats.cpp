#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/base/error.hpp"
#include "core/convert/nuplan.hpp"
#include "core/convert/scenarionet.hpp"
#include "native/convert/interaction_scenarios.hpp"
#include "native/convert/nuscenes_files.hpp"
#include "native/convert/scenario_files.hpp"
#include "native/files/file.hpp"

// How files of each format are known, and found.

namespace bev::native {
namespace {

namespace fs = std::filesystem;

// Of a file that is read as a whole; also what core/pickle accepts.
constexpr std::uint64_t kMaxWholeFile = std::uint64_t{256} << 20U;

constexpr std::size_t kXmlStart = 4096;

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
    case ScenarioFormat::commonroad: return name.ends_with(".xml");
    case ScenarioFormat::interaction: return name.ends_with(".csv");
    case ScenarioFormat::nuscenes: break;  // see nuscenes_versions()
  }
  return false;
}

const char* file_names(ScenarioFormat format) {
  constexpr std::array kNames = {"TFRecord files (*.tfrecord*)",
                                 "scenarios (*.pkl)",
                                 "scenarios (scenario_*.parquet)",
                                 "logs (*.db)",
                                 "versions (sample_annotation.json)",
                                 "scenarios (*.xml with <commonRoad>)",
                                 "track files (*.csv)"};
  return kNames[static_cast<std::size_t>(format)];
}

/// The same of a file of this machine, whose content is looked at if its name says little.
bool is_local_scenario(ScenarioFormat format, const fs::path& path) {
  if (!is_scenario_file(format, path.filename().string())) return false;
  if (format == ScenarioFormat::interaction) return is_track_file(path.string());
  if (format != ScenarioFormat::commonroad) return true;
  try {
    const auto file = File::open(path.string(), path.string());
    std::string start(kXmlStart, '\0');
    start.resize(file ? file->read_at(0, std::as_writable_bytes(std::span(start))) : 0);
    return start.find("<commonRoad") != start.npos;
  } catch (const Error&) {
    return false;  // a file that cannot be read is no reason not to open others
  }
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

/// Returns a pickle's bytes; nullopt if there is no such file.
std::optional<std::vector<std::byte>> pickle_at(const std::string& path) {
  const auto file = File::open(path, path);
  if (!file) return std::nullopt;
  in_scenario_file(path, [&] { check_file_size(file->size()); });
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
  if (!error && !(mapping && size > kMaxWholeFile)) summary = pickle_at(summary_path);
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

}  // namespace

void check_file_size(std::uint64_t size) {
  if (size <= kMaxWholeFile) return;
  fail(Errc::limit_exceeded,
       {"too large (found ", size, " bytes, expected at most ", kMaxWholeFile, ")"});
}

const char* name_of(ScenarioFormat format) noexcept {
  constexpr std::array kNames = {"waymo",    "scenarionet", "argoverse2", "nuplan",
                                 "nuscenes", "commonroad",  "interaction"};
  return kNames[static_cast<std::size_t>(format)];
}

convert::Tables tables_of(ScenarioFormat format) {
  switch (format) {
    case ScenarioFormat::scenarionet: return convert::scenarionet_tables();
    case ScenarioFormat::argoverse2: return convert::argoverse2_tables();
    case ScenarioFormat::nuplan: return convert::nuplan_tables();
    case ScenarioFormat::nuscenes: return convert::nuscenes_tables();
    case ScenarioFormat::commonroad: return convert::commonroad_tables();
    case ScenarioFormat::interaction: return convert::interaction_tables();
    case ScenarioFormat::waymo: break;
  }
  return convert::waymo_tables();
}

convert::MaskRule usual_mask(ScenarioFormat format) {
  const bool has_all =
      format == ScenarioFormat::nuplan || format == ScenarioFormat::nuscenes ||
      format == ScenarioFormat::commonroad || format == ScenarioFormat::interaction;
  return has_all ? convert::MaskRule{convert::Role::fragment} : convert::MaskRule{};
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
  constexpr std::array kFormats = {
      ScenarioFormat::waymo,  ScenarioFormat::scenarionet, ScenarioFormat::argoverse2,
      ScenarioFormat::nuplan, ScenarioFormat::commonroad,  ScenarioFormat::interaction};
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
                            ScenarioFormat::commonroad, ScenarioFormat::interaction}) {
    if (is_scenario_file(format, name)) return format;
  }
  return std::nullopt;
}

}  // namespace bev::native
