#include "native/convert/nuscenes_files.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/base/error.hpp"
#include "native/files/file.hpp"
#include "native/files/system.hpp"

namespace bev::native {
namespace {

namespace fs = std::filesystem;
using convert::nuscenes::Version;

constexpr const char* kVersionMark = "sample_annotation.json";
constexpr std::size_t kTableStep = std::size_t{1} << 20U;
constexpr std::uint64_t kMaxExpansion = std::uint64_t{256} << 20U;

std::string table_path(const fs::path& version, const char* table) {
  return (version / (std::string(table) + ".json")).string();
}

std::string prediction_path(const fs::path& maps) {
  return (maps / "prediction" / (std::string(Version::kPrediction) + ".json")).string();
}

/// Passes a file to a version, step by step.
void pass_table(Version& out, const char* table, const std::string& path) {
  const auto file = File::open(path, path);
  if (!file) fail_at(Errc::not_found, path, {"not found"});
  std::string buffer(kTableStep, '\0');
  try {
    out.begin(table);
    for (std::uint64_t at = 0; at < file->size();) {
      const auto count = file->read_at(at, std::as_writable_bytes(std::span(buffer)));
      if (count == 0) break;
      out.push(std::string_view(buffer).substr(0, count));
      at += count;
    }
    out.end();
  } catch (const Error& error) {
    if (std::string_view(error.what()).starts_with(path)) throw;
    fail_at(error.code(), fs::path(path).parent_path().string(), {error.what()});
  }
}

std::string text_of_expansion(const std::string& path) {
  const auto file = File::open(path, path);
  if (!file) fail_at(Errc::not_found, path, {"no map"});
  if (file->size() > kMaxExpansion) {
    fail_at(Errc::limit_exceeded, path,
            {"too large (found ", file->size(), " bytes, expected at most ",
             kMaxExpansion, ")"});
  }
  std::string out(static_cast<std::size_t>(file->size()), '\0');
  out.resize(file->read_at(0, std::as_writable_bytes(std::span(out))));
  return out;
}

}  // namespace

std::vector<std::string> nuscenes_versions(const std::string& path) {
  std::error_code error;
  const fs::path at(path);
  if (at.filename() == kVersionMark && fs::is_regular_file(at, error)) {
    return {at.has_parent_path() ? at.parent_path().string() : "."};
  }
  if (fs::is_regular_file(at / kVersionMark, error)) return {path};
  std::vector<std::string> out;
  for (const auto& entry : fs::directory_iterator(at, error)) {
    std::error_code absent;
    if (fs::is_regular_file(entry.path() / kVersionMark, absent)) {
      out.push_back(entry.path().string());
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

NuscenesFiles::NuscenesFiles(convert::Tables tables, std::vector<std::string> versions,
                             std::string maps)
    : tables_(std::move(tables)), names_(std::move(versions)), maps_(std::move(maps)) {}

std::string NuscenesFiles::maps_of(const std::string& version) const {
  if (!maps_.empty()) return maps_;
  return (fs::absolute(version).lexically_normal() / "../maps")
      .lexically_normal()
      .string();
}

std::string NuscenesFiles::state(const std::string& version) const {
  const fs::path maps = maps_of(version);
  std::vector<std::string> paths;
  for (const auto* table : Version::files())
    paths.push_back(table_path(version, table));
  const auto needed = paths.size();
  paths.push_back(prediction_path(maps));
  for (const auto& [city, frame] : tables_.cities) {
    paths.push_back((maps / "expansion" / (city + ".json")).string());
  }
  std::string out;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    struct stat status {};
    if (::stat(paths[i].c_str(), &status) == 0) {
      out += std::to_string(status.st_size) + " bytes, " +
             std::to_string(modified_ns(status)) + " ns; ";
    } else if (i < needed) {
      fail_at(Errc::not_found, paths[i], {"not found"});
    } else {
      out += "absent; ";
    }
  }
  return out;
}

const Version& NuscenesFiles::tables_of(const std::string& version) {
  const std::lock_guard lock(mutex_);
  auto& out = versions_[version];
  if (!out) {
    auto read = std::make_unique<Version>();
    for (const auto* table : Version::files()) {
      pass_table(*read, table, table_path(version, table));
    }
    const auto list = prediction_path(maps_of(version));
    std::error_code error;
    if (fs::is_regular_file(list, error)) {
      pass_table(*read, Version::kPrediction, list);
    }
    out = std::move(read);
  }
  return *out;
}

const convert::NuscenesMap& NuscenesFiles::map_of(const std::string& maps,
                                                  const std::string& location) {
  const auto path = (fs::path(maps) / "expansion" / (location + ".json")).string();
  const std::lock_guard lock(map_mutex_);
  auto& out = city_maps_[path];
  if (!out) {
    const auto text = text_of_expansion(path);
    try {
      out = std::make_unique<convert::NuscenesMap>(text, tables_);
    } catch (const Error& error) {
      fail_at(error.code(), path, {error.what()});
    }
  }
  return *out;
}

/// Returns the locations of all scenes, by name.
std::vector<std::string> NuscenesFiles::locations() {
  std::set<std::string> out;
  for (const auto& name : names_) {
    const auto& version = tables_of(name);
    for (const auto& scene : version.scenes()) {
      out.insert(version.logs()[scene.log].location);
    }
  }
  return {out.begin(), out.end()};
}

std::size_t NuscenesFiles::scene_count(const std::string& version) {
  return tables_of(version).scenes().size();
}

convert::Scenario NuscenesFiles::read(const std::string& version, std::size_t scene,
                                      const convert::ImportOptions& options) {
  const auto& tables = tables_of(version);
  if (scene >= tables.scenes().size()) {
    fail_index({"scene "}, scene, tables.scenes().size());
  }
  const auto& location = tables.logs()[tables.scenes()[scene].log].location;
  convert::NuscenesOptions how;
  // Names of cities are names of files.
  const bool is_known = tables_.cities.find(location) != tables_.cities.end();
  if (options.with_map && !is_known) {
    fail(Errc::not_found, {"the tables lack city ", location});
  }
  if (options.with_map) how.map = &map_of(maps_of(version), location);
  if (options.place) {
    const auto all = locations();
    const auto at = std::find(all.begin(), all.end(), location) - all.begin();
    if (all.size() > 1) how.place = static_cast<std::uint64_t>(at);
  }
  auto out = convert::import_nuscenes(tables, scene, tables_, how);
  out.file = fs::path(version).filename().string();
  out.record = scene;
  return out;
}

}  // namespace bev::native
