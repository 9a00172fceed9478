#include "native/convert/interaction_scenarios.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <set>
#include <span>
#include <system_error>
#include <utility>

#include "core/base/error.hpp"
#include "core/convert/lanelet2.hpp"
#include "native/convert/map_text.hpp"
#include "native/files/file.hpp"
#include "native/files/system.hpp"

namespace bev::native {
namespace {

namespace fs = std::filesystem;

void check_tracks_size(std::uint64_t size) {
  if (size <= convert::kMaxRecordBytes) return;
  fail(Errc::limit_exceeded,
       {"too large (found ", size, " bytes of a scenario, expected at most ",
        convert::kMaxRecordBytes, ")"});
}

/// Returns the map of a file in a folder; "" for none.
std::string map_in(const fs::path& folder, const std::string& tracks) {
  std::vector<std::string> maps;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".osm") maps.push_back(entry.path().string());
  }
  std::sort(maps.begin(), maps.end());
  return convert::interaction_map(tracks, maps);
}

/// Returns size and time of modification; "absent" if there is no such file.
std::string local_state(const std::string& path) {
  struct stat status {};
  const bool is_file =
      !path.empty() && ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
  if (!is_file) return "absent";
  return std::to_string(status.st_size) + " bytes, " +
         std::to_string(modified_ns(status)) + " ns";
}

}  // namespace

bool is_track_file(const std::string& path) {
  const auto file = File::open(path, path);
  if (!file) return false;
  std::string head(convert::kMaxTrackLine, '\0');
  head.resize(file->read_at(0, std::as_writable_bytes(std::span(head))));
  return convert::is_interaction(head);
}

void remove_pedestrians(std::vector<std::string>& tracks) {
  std::set<std::string> read;
  for (const auto& path : tracks) read.insert(convert::interaction_pedestrians(path));
  std::erase_if(tracks, [&](const auto& path) { return read.contains(path); });
}

InteractionScenarios::InteractionScenarios(std::vector<std::string> paths,
                                           convert::Tables tables,
                                           NuplanSettings settings)
    : ScenarioFiles(ScenarioFormat::interaction, std::move(paths)),
      tables_(std::move(tables)),
      settings_(std::move(settings)) {}

InteractionScenarios::InteractionScenarios(std::string address,
                                           std::unique_ptr<Source> folder,
                                           NuplanSettings settings)
    : ScenarioFiles(ScenarioFormat::interaction, {std::move(address)}),
      tables_(convert::interaction_tables()),
      settings_(std::move(settings)),
      source_(std::move(folder)) {}

/// Returns the state of a file; "" if the server does not tell it.
std::string InteractionScenarios::file_state(const std::string& path) {
  if (!source_) return local_state(path);
  const std::lock_guard lock(mutex_);
  auto* const validated = dynamic_cast<ValidatedSource*>(source_.get());
  if (validated == nullptr) return {};
  const auto name = fs::path(path).filename().string();
  const auto found = validated->states(std::span(&name, 1)).front();
  if (!found || (found->etag.empty() && found->modified.empty())) return {};
  return found->etag + " " + found->modified + " " +
         std::to_string(found->length.value_or(0)) + " bytes";
}

/// Returns the states of a file, its pedestrians and its map.
std::string InteractionScenarios::state(const std::string& path) {
  auto out = file_state(path);
  if (out == "absent") fail_at(Errc::not_found, path, {"not found, or not a file"});
  if (out.empty()) return out;
  const auto pedestrians = convert::interaction_pedestrians(path);
  if (!pedestrians.empty()) out += "; " + file_state(pedestrians);
  return out + "; " + local_state(map_of(path));
}

std::vector<std::string> InteractionScenarios::states() {
  std::vector<std::string> out;
  for (const auto& path : names()) out.push_back(state(path));
  return out;
}

std::uint64_t InteractionScenarios::size(const std::string& path) {
  if (source_) {
    const std::lock_guard lock(mutex_);
    const auto found = source_->size(fs::path(path).filename().string());
    if (found) return *found;
  } else if (const auto file = File::open(path, path)) {
    return file->size();
  }
  fail(Errc::not_found, {"not found, or not a file"});
}

/// Reads a range of a file, or all of it; nullopt if there is no such file.
std::optional<std::string> InteractionScenarios::text(
    const std::string& path, const std::optional<ByteRange>& range) {
  if (source_) {
    const auto name = fs::path(path).filename().string();
    const std::lock_guard lock(mutex_);
    if (!range) check_tracks_size(source_->size(name).value_or(0));
    const auto found = source_->read(name, range);
    if (!found) return std::nullopt;
    return std::string(reinterpret_cast<const char*>(found->data()), found->size());
  }
  const auto file = File::open(path, path);
  if (!file) return std::nullopt;
  const auto begin = range ? range->begin : 0;
  const auto end = std::min(range ? range->end : file->size(), file->size());
  check_tracks_size(end - std::min(begin, end));
  std::string out(static_cast<std::size_t>(end - std::min(begin, end)), '\0');
  out.resize(file->read_at(begin, std::as_writable_bytes(std::span(out))));
  return out;
}

std::vector<ScenarioItem> InteractionScenarios::find() {
  std::vector<ScenarioItem> out;
  for (std::size_t i = 0; i < names().size(); ++i) {
    const auto& path = names()[i];
    in_scenario_file(path, [&] {
      const auto found = convert::find_cases(
          size(path), [&](std::uint64_t at, std::span<std::byte> bytes) {
            if (bytes.empty()) return std::size_t{0};
            const auto read = text(path, ByteRange{at, at + bytes.size()});
            if (!read) fail(Errc::not_found, {"not found, or not a file"});
            const auto count = std::min(read->size(), bytes.size());
            std::memcpy(bytes.data(), read->data(), count);
            return count;
          });
      for (std::size_t k = 0; k < found.cases.size(); ++k) {
        check_tracks_size(found.cases[k].size);
        out.push_back({i, k, found.cases[k]});
      }
    });
  }
  return out;
}

std::string InteractionScenarios::map_of(const std::string& path) const {
  std::error_code error;
  if (!settings_.maps.empty()) {
    if (!fs::is_directory(settings_.maps, error)) return settings_.maps;
    return map_in(settings_.maps, path);
  }
  if (source_) return {};
  const auto at = fs::absolute(path, error).lexically_normal();
  for (const char* folder : {".", "../maps", "../../maps"}) {
    auto found = map_in((at.parent_path() / folder).lexically_normal(), at.string());
    if (!found.empty()) return found;
  }
  return {};
}

/// Returns the maps of all files, which are searched once.
const std::map<std::string, std::string>& InteractionScenarios::map_paths() {
  const std::lock_guard lock(map_mutex_);
  if (map_paths_.empty()) {
    for (const auto& path : names()) map_paths_[path] = map_of(path);
  }
  return map_paths_;
}

const convert::SourceMap& InteractionScenarios::read_map(const std::string& path) {
  const std::lock_guard lock(map_mutex_);
  auto& out = maps_[path];
  if (!out) {
    const auto xml = read_map_text(path);
    try {
      out = std::make_unique<convert::SourceMap>(
          convert::import_lanelet2(xml, geom::Geodetic{0, 0, 0}));
    } catch (const Error& error) {
      fail_at(error.code(), path, {error.what()});
    }
  }
  return *out;
}

/// Sets the map, if it is wished, and where its location is among several.
void InteractionScenarios::set_location(const std::string& path,
                                        const convert::ImportOptions& wish,
                                        convert::InteractionTracks& tracks,
                                        convert::InteractionOptions& options) {
  const auto& paths = map_paths();
  const auto& map = paths.at(path);
  if (map.empty()) {
    fail(Errc::not_found, {"no map of ", tracks.location, " (expected ",
                           tracks.location, ".osm in ../maps, or the option maps)"});
  }
  if (wish.with_map) options.map = &read_map(map);
  tracks.location = fs::path(map).stem().string();
  std::set<std::string> all;
  for (const auto& [unused, one] : paths) all.insert(one);
  if (!wish.place || all.size() < 2) return;
  options.place = static_cast<std::uint64_t>(std::distance(all.begin(), all.find(map)));
}

convert::Scenario InteractionScenarios::read(const ScenarioItem& item,
                                             const convert::ImportOptions& options) {
  const auto& path = names()[item.file];
  return in_scenario_file(path, [&] {
    if (!source_ && !expected().empty() && state(path) != expected()[item.file]) {
      fail(Errc::changed, {"changed while the data set was read; open it again"});
    }
    const auto head =
        text(path, ByteRange{0, std::min<std::uint64_t>(item.range.offset,
                                                        convert::kMaxTrackLine + 2)});
    const auto rows =
        text(path, ByteRange{item.range.offset, item.range.offset + item.range.size});
    if (!head || !rows) fail(Errc::not_found, {"not found, or not a file"});
    const auto beside = convert::interaction_pedestrians(path);
    const auto pedestrians = beside.empty() ? std::nullopt : text(beside, std::nullopt);
    convert::InteractionTracks tracks;
    tracks.header = std::string_view(*head).substr(0, head->find_first_of("\r\n"));
    tracks.rows = *rows;
    if (pedestrians) tracks.pedestrians = *pedestrians;
    tracks.name = fs::path(path).stem().string();
    tracks.location = convert::interaction_location(path);
    convert::InteractionOptions how;
    how.ego = settings_.ego;
    if (options.with_map || options.place) set_location(path, options, tracks, how);
    auto out = convert::import_interaction(tracks, tables_, how);
    out.file = fs::path(path).filename().string();
    out.record = item.record;
    return out;
  });
}

}  // namespace bev::native
