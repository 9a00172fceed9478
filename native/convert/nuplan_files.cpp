#include "native/convert/nuplan_files.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/base/error.hpp"
#include "native/files/sqlite_file.hpp"

namespace bev::native {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxOpen = 4;

}  // namespace

struct NuplanFiles::Open {
  explicit Open(const std::string& name) : path(name), file(name), log(file.pages()) {
    log.open();
  }

  std::string path;
  std::mutex mutex;
  SqliteFile file;
  convert::nuplan::Log log;
};

std::string find_nuplan_map(const std::string& maps, const std::string& city) {
  std::error_code error;
  if (fs::is_regular_file(maps, error)) return maps;
  const auto folder = fs::path(maps) / city;
  std::string found;
  if (fs::is_directory(folder, error)) {
    for (const auto& entry : fs::directory_iterator(folder, error)) {
      const auto path = entry.path() / "map.gpkg";
      std::error_code absent;
      if (fs::is_regular_file(path, absent)) found = std::max(found, path.string());
    }
    if (error) fail_at(Errc::io, folder.string(), {error.message()});
  }
  if (found.empty()) {
    fail_at(Errc::not_found, folder.string(), {"no map (expected */map.gpkg in it)"});
  }
  return found;
}

NuplanFiles::NuplanFiles(convert::Tables tables, std::string maps, bool all_sweeps)
    : tables_(std::move(tables)), maps_(std::move(maps)), all_sweeps_(all_sweeps) {}

NuplanFiles::~NuplanFiles() = default;

std::shared_ptr<NuplanFiles::Open> NuplanFiles::log_of(const std::string& path) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(open_.begin(), open_.end(),
                                  [&](const auto& one) { return one->path == path; });
  if (found != open_.end()) {
    open_.splice(open_.begin(), open_, found);
  } else {
    open_.push_front(std::make_shared<Open>(path));
    if (open_.size() > kMaxOpen) open_.pop_back();
  }
  return open_.front();
}

const convert::NuplanMap& NuplanFiles::map_of(const std::string& city,
                                              std::int64_t epsg) {
  const std::lock_guard lock(map_mutex_);
  auto& map = city_maps_[city];
  if (!map) {
    const auto path = find_nuplan_map(maps_, city);
    try {
      SqliteFile file(path);
      const sqlite::Database database(file.pages());
      map = std::make_unique<convert::NuplanMap>(database, epsg, tables_);
    } catch (const Error& error) {
      if (std::string_view(error.what()).starts_with(path)) throw;
      fail_at(error.code(), path, {error.what()});
    }
  }
  return *map;
}

std::size_t NuplanFiles::scene_count(const std::string& path) {
  return log_of(path)->log.scenes().size();
}

convert::Scenario NuplanFiles::read(const std::string& path, std::size_t scene) {
  const auto open = log_of(path);
  const std::lock_guard lock(open->mutex);
  convert::NuplanOptions options;
  options.all_sweeps = all_sweeps_;
  if (!maps_.empty()) {
    options.map = &map_of(open->log.location(), open->log.epsg());
  }
  auto out = convert::import_nuplan(open->log, scene, tables_, options);
  out.file = fs::path(path).filename().string();
  out.record = scene;
  return out;
}

}  // namespace bev::native
