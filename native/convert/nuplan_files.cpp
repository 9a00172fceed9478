#include "native/convert/nuplan_files.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "native/files/file.hpp"
#include "native/files/sqlite_file.hpp"

namespace bev::native {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxOpen = 4;

std::shared_ptr<sqlite::Pages> open_local_sqlite(const std::string& path) {
  const auto file = std::make_shared<SqliteFile>(path);
  return {file, &file->pages()};
}

}  // namespace

struct NuplanFiles::Open {
  Open(const std::string& name, std::shared_ptr<sqlite::Pages> opened)
      : path(name), pages(std::move(opened)), log(*pages) {
    log.open();
  }

  std::string path;
  std::mutex mutex;
  std::shared_ptr<sqlite::Pages> pages;
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

std::string state_of_nuplan_maps(const std::string& maps) {
  std::vector<std::string> states;
  const auto add = [&](const fs::path& path) {
    const auto file = File::open(path.string(), path.string());
    if (!file) return;
    states.push_back(joined({path.string(), " ", file->size(), " ",
                             static_cast<std::uint64_t>(file->modified_ns())}));
  };
  std::error_code error;
  if (fs::is_regular_file(maps, error)) {
    add(maps);
  } else {
    for (fs::recursive_directory_iterator at(maps, error), end; !error && at != end;
         at.increment(error)) {
      if (at->path().filename() == "map.gpkg") add(at->path());
      if (at.depth() >= 2) at.disable_recursion_pending();
    }
  }
  if (states.empty()) {
    fail_at(Errc::not_found, maps, {"no maps (expected CITY/*/map.gpkg in it)"});
  }
  std::sort(states.begin(), states.end());
  std::string out;
  for (const auto& state : states) out += state + "\n";
  return out;
}

NuplanFiles::NuplanFiles(convert::Tables tables, NuplanSettings settings,
                         OpenSqlite open)
    : tables_(std::move(tables)),
      settings_(std::move(settings)),
      open_file_(open ? std::move(open) : open_local_sqlite) {}

NuplanFiles::~NuplanFiles() = default;

std::shared_ptr<NuplanFiles::Open> NuplanFiles::log_of(const std::string& path) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(open_.begin(), open_.end(),
                                  [&](const auto& one) { return one->path == path; });
  if (found != open_.end()) {
    open_.splice(open_.begin(), open_, found);
  } else {
    open_.push_front(std::make_shared<Open>(path, open_file_(path)));
    if (open_.size() > kMaxOpen) open_.pop_back();
  }
  return open_.front();
}

const convert::NuplanMap& NuplanFiles::map_of(const std::string& city,
                                              std::int64_t epsg) {
  const std::lock_guard lock(map_mutex_);
  auto& map = city_maps_[city];
  if (!map) {
    const auto path = find_nuplan_map(settings_.maps, city);
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

convert::Scenario NuplanFiles::read(const std::string& path, std::size_t scene,
                                    bool with_map) {
  const auto open = log_of(path);
  const std::lock_guard lock(open->mutex);
  convert::NuplanOptions options;
  options.all_sweeps = settings_.all_sweeps;
  if (with_map && !settings_.maps.empty()) {
    options.map = &map_of(open->log.location(), open->log.epsg());
  }
  auto out = convert::import_nuplan(open->log, scene, tables_, options);
  out.file = fs::path(path).filename().string();
  out.record = scene;
  return out;
}

}  // namespace bev::native
