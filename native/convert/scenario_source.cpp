#include "native/convert/scenario_source.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>
#include <thread>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/sha256.hpp"
#include "native/convert/interaction_scenarios.hpp"
#include "native/files/file.hpp"
#include "native/files/new_folder.hpp"
#include "native/files/sinks.hpp"
#include "native/files/write_file.hpp"
#include "native/s3/s3_address.hpp"
#include "native/source/workers.hpp"

namespace bev::native {
namespace {

namespace fs = std::filesystem;
using convert::ScenarioChunks;
using nlohmann::json;

// Of what importers and the writer make of a file: an index of another version is
// written anew.
constexpr int kIndexVersion = 4;
constexpr const char* kIndexKey = ".bevscope/scenarios.json";
constexpr const char* kIndexedMap = "semantic_map/semantic_map.pb";
constexpr std::uint64_t kMaxIndexBytes = std::uint64_t{1} << 30U;
constexpr std::size_t kMaxScenarios = 4'000'000;
constexpr auto kWait = std::chrono::milliseconds(50);

std::string index_hash(const json& value) {
  const auto text = value.dump(-1, ' ', true, json::error_handler_t::replace);
  return sha256_hex(std::as_bytes(std::span(text))).substr(0, 32);
}

/// Returns the folder of all indices; "" without one.
std::string usual_index_folder() {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/')
    return std::string(cache) + "/bevscope/scenarios";
  const char* const home = std::getenv("HOME");
  if (home == nullptr || *home != '/') return "";
  return std::string(home) + "/.cache/bevscope/scenarios";
}

bool can_write(const std::string& folder) {
  if (folder.empty()) return false;
  std::error_code error;
  fs::create_directories(folder, error);
  return ::access(folder.c_str(), W_OK | X_OK) == 0;
}

std::string make_temporary_folder() {
  auto path = (fs::temp_directory_path() / "bevscope-scenarios-XXXXXX").string();
  if (::mkdtemp(path.data()) == nullptr) fail_write(path, errno);
  return path;
}

std::string text_of_index(const std::vector<ScenarioItem>& items,
                          const std::vector<convert::SceneRows>& rows) {
  json out = {{"version", kIndexVersion}};
  for (const auto* name :
       {"file", "record", "offset", "size", "frames", "agents", "faces"}) {
    out[name] = json::array();
  }
  for (std::size_t i = 0; i < items.size(); ++i) {
    out["file"].push_back(items[i].file);
    out["record"].push_back(items[i].record);
    out["offset"].push_back(items[i].range.offset);
    out["size"].push_back(items[i].range.size);
    out["frames"].push_back(rows[i].frames);
    out["agents"].push_back(rows[i].agents);
    out["faces"].push_back(rows[i].faces);
  }
  out["digest"] = index_hash(out);
  return out.dump();
}

/// Returns a column of the index; empty if it is not one.
std::vector<std::uint64_t> index_column(const json& index, const char* name) {
  std::vector<std::uint64_t> out;
  const auto found = index.find(name);
  if (found == index.end() || !found->is_array() || found->size() > kMaxScenarios) {
    return out;
  }
  for (const auto& value : *found) {
    if (!value.is_number_unsigned()) return {};
    out.push_back(value.get<std::uint64_t>());
  }
  return out;
}

struct IndexedScenarios {
  std::vector<ScenarioItem> items;
  std::vector<convert::SceneRows> rows;
};

/// Parses an index; nullopt for one that is damaged or of another version.
std::optional<IndexedScenarios> parse_index(std::string_view text,
                                            std::size_t file_count) {
  auto index = json::parse(text, nullptr, false);
  if (!index.is_object() || !index.contains("digest")) return std::nullopt;
  const json digest = std::move(index["digest"]);
  index.erase("digest");
  if (digest != index_hash(index) || index["version"] != kIndexVersion)
    return std::nullopt;
  const auto file = index_column(index, "file"), record = index_column(index, "record"),
             offset = index_column(index, "offset"), size = index_column(index, "size"),
             frames = index_column(index, "frames"),
             agents = index_column(index, "agents"),
             faces = index_column(index, "faces");
  const auto count = file.size();
  for (const auto* column : {&record, &offset, &size, &frames, &agents, &faces}) {
    if (column->size() != count) return std::nullopt;
  }
  if (count == 0) return std::nullopt;
  IndexedScenarios out;
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_valid =
        file[i] < file_count && size[i] <= convert::kMaxRecordBytes + 16 &&
        std::max({frames[i], agents[i], faces[i]}) <= ScenarioChunks::kMaxRows / count;
    if (!is_valid) return std::nullopt;
    out.items.push_back(
        {static_cast<std::size_t>(file[i]), record[i], {offset[i], size[i]}});
    out.rows.push_back({frames[i], agents[i], faces[i]});
  }
  return out;
}

std::optional<std::string> index_text_at(const std::string& folder) {
  const auto path = (fs::path(folder) / kIndexKey).string();
  const auto file = File::open(path, path);
  if (!file || file->size() > kMaxIndexBytes) return std::nullopt;
  std::string out(static_cast<std::size_t>(file->size()), '\0');
  out.resize(file->read_at(0, std::as_writable_bytes(std::span(out))));
  return out;
}

/// Converts all scenarios and writes what the index keeps of them into a folder.
void write_index(ScenarioFiles& files, const std::vector<ScenarioItem>& items,
                 const ScenarioOptions& options, const fs::path& folder) {
  DirectorySink sink(folder);
  convert::ScenarioWriterOptions layout;
  layout.source = name_of(files.format());
  layout.mask = usual_mask(files.format());
  std::optional<NewFile> map;
  if (options.with_map) {
    sink.put(kIndexedMap, {});
    map.emplace((folder / kIndexedMap).string());
    layout.append_map = [&](auto bytes) { map->write(bytes); };
  }
  convert::ScenarioIndexer indexer(sink, layout);
  const ScenarioReading reading{0, options.with_map,
                                std::max(1U, std::thread::hardware_concurrency()),
                                options.ego};
  read_scenarios(files, items, reading, [&](std::size_t index, const auto& scenario) {
    indexer.add(scenario);
    if (options.on_progress) options.on_progress(index + 1, items.size());
  });
  const auto rows = indexer.close();
  if (map) map->commit();
  const auto text = text_of_index(items, rows);
  sink.put(kIndexKey, std::as_bytes(std::span(text)));
}

/// Removes the indices of earlier states of the same files.
void remove_outdated(const fs::path& current) {
  std::error_code error;
  std::vector<fs::path> outdated;
  for (const auto& entry : fs::directory_iterator(current.parent_path(), error)) {
    const auto name = entry.path().filename().string();
    if (entry.path() != current && !name.ends_with(".partial")) {
      outdated.push_back(entry.path());
    }
  }
  for (const auto& path : outdated) fs::remove_all(path, error);
}

}  // namespace

ScenarioSource::ScenarioSource(std::unique_ptr<ScenarioFiles> files,
                               const ScenarioOptions& options)
    : files_(std::move(files)), with_map_(options.with_map), ego_(options.ego) {
  states_ = files_->states();
  files_->expect(states_);
  mark_ = index_hash(states_);
  const bool is_known = std::none_of(states_.begin(), states_.end(),
                                     [](const auto& state) { return state.empty(); });
  const auto indices =
      options.index_folder.empty() ? usual_index_folder() : options.index_folder;
  is_temporary_ = !is_known || !can_write(indices);
  if (is_temporary_) {
    folder_ = make_temporary_folder();
  } else {
    json what = {kIndexVersion, name_of(files_->format()), with_map_, files_->names()};
    if (!options.maps.empty()) what.push_back(options.maps);
    if (!ego_.empty()) what.push_back(json::object({{"ego", ego_}}));
    folder_ = (fs::path(indices) / index_hash(what) / mark_).string();
  }
  try {
    if (!load(folder_)) build(folder_, options);
    index_ = std::make_unique<DirectorySource>(folder_);
    auto listed = index_->list("").value_or(std::vector<Listed>());
    for (auto& one : listed) kept_.insert(std::move(one.key));
  } catch (...) {
    std::error_code ignored;
    if (is_temporary_) {
      fs::remove_all(folder_, ignored);
    } else {
      fs::remove(fs::path(folder_).parent_path(), ignored);  // if it is empty
    }
    throw;
  }
}

ScenarioSource::~ScenarioSource() {
  std::error_code ignored;
  if (is_temporary_) fs::remove_all(folder_, ignored);
}

bool ScenarioSource::load(const std::string& folder) {
  const auto text = index_text_at(folder);
  if (!text) return false;
  auto found = parse_index(*text, files_->names().size());
  if (!found) return false;
  items_ = std::move(found->items);
  chunks_.emplace(std::move(found->rows), usual_mask(files_->format()));
  return true;
}

/// Writes the index, or waits for another process that is writing it.
void ScenarioSource::build(const std::string& folder, const ScenarioOptions& options) {
  std::optional<NewFolder> target;
  while (!target) {
    try {
      target.emplace(folder, NewFolder::everything());
    } catch (const Error& error) {
      if (error.code() != Errc::invalid_argument) throw;
      std::this_thread::sleep_for(kWait);
    }
    if (load(folder)) return;
  }
  const auto items = files_->find();
  if (items.empty()) fail(Errc::not_found, {"no scenarios found"});
  write_index(*files_, items, options, target->path());
  if (files_->states() != states_) {
    fail_at(Errc::changed, files_->names().front(),
            {"changed while the data set was read; open it again"});
  }
  target->commit();
  target.reset();
  if (!is_temporary_) remove_outdated(folder);
  if (!load(folder)) fail_at(Errc::io, folder, {"the index cannot be read back"});
}

ScenarioSource::Rows ScenarioSource::cached(std::size_t scenario) {
  const auto found = places_.find(scenario);
  if (found == places_.end()) return nullptr;
  cache_.splice(cache_.begin(), cache_, found->second);
  return found->second->rows;
}

void ScenarioSource::keep(std::size_t scenario, Rows rows) {
  cached_bytes_ += rows->size_bytes();
  cache_.push_front({scenario, std::move(rows)});
  places_[scenario] = cache_.begin();
  while (cached_bytes_ > kCacheBytes && cache_.size() > 1) {
    cached_bytes_ -= cache_.back().rows->size_bytes();
    places_.erase(cache_.back().scenario);
    cache_.pop_back();
  }
}

/// Makes a chunk, of which one scenario per thread is converted at a time.
std::vector<std::byte> ScenarioSource::make(const ScenarioChunks::Chunk& chunk) {
  const auto jobs = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::pair<std::size_t, Rows>> window;
  const auto convert_from = [&](std::size_t first) {
    window.clear();
    for (auto i = first; i < chunk.last && window.size() < jobs; ++i) {
      if (!chunks_->has_rows(chunk, i) || places_.contains(i)) continue;
      window.emplace_back(i, nullptr);
    }
    on_threads(window.size(), [&](std::size_t k) {
      const auto i = window[k].first;
      const auto place = import_options(i, items_.size(), with_map_).place;
      const auto scenario = files_->read(items_[i], {false, place, ego_});
      window[k].second = std::make_shared<const convert::ChunkRows>(
          in_scenario_file(files_->names()[items_[i].file], [&] {
            return convert::chunk_rows(scenario, usual_mask(files_->format()),
                                       chunks_->rows()[i]);
          }));
    });
    for (auto& [i, rows] : window) keep(i, rows);
  };
  Rows current;
  return chunks_->encode(chunk, [&](std::size_t i) -> const convert::ChunkRows& {
    current = cached(i);
    if (!current) {
      convert_from(i);
      current = window.front().second;
    }
    return *current;
  });
}

/// Reads an object of the index. One that is gone is not absent: the index was removed.
std::optional<std::vector<std::byte>> ScenarioSource::indexed(
    const std::string& key, const std::optional<ByteRange>& range) {
  auto found = index_->read(key, range);
  if (found || !kept_.contains(key)) return found;
  fail_at(Errc::changed, files_->names().front(),
          {"the index was removed while the data set was read; open it again"});
}

std::optional<std::vector<std::byte>> ScenarioSource::object(const std::string& key) {
  if (!ScenarioChunks::is_made(key)) return indexed(key, std::nullopt);
  const auto chunk = chunks_->find(key);
  if (!chunk) return std::nullopt;
  return make(*chunk);
}

void ScenarioSource::read_all(std::span<const ReadRequest> requests,
                              const OnAnswer& take) {
  for (const auto& request : requests) {
    std::optional<std::vector<std::byte>> bytes;
    {
      const std::lock_guard lock(mutex_);
      if (request.range && !ScenarioChunks::is_made(request.key)) {
        bytes = indexed(request.key, request.range);
      } else {
        bytes = object(request.key);
      }
    }
    if (bytes && request.range && ScenarioChunks::is_made(request.key)) {
      const auto end = std::min<std::uint64_t>(request.range->end, bytes->size());
      const auto begin = std::min<std::uint64_t>(request.range->begin, end);
      bytes =
          std::vector<std::byte>(bytes->begin() + static_cast<std::ptrdiff_t>(begin),
                                 bytes->begin() + static_cast<std::ptrdiff_t>(end));
    }
    take(request, std::move(bytes));
  }
}

std::optional<std::vector<Listed>> ScenarioSource::list(const std::string& prefix) {
  const std::lock_guard lock(mutex_);
  auto out = index_->list("").value_or(std::vector<Listed>());
  for (auto& key : chunks_->keys()) out.push_back({std::move(key), 0});
  std::erase_if(out, [&](const auto& one) { return !one.key.starts_with(prefix); });
  std::sort(out.begin(), out.end(),
            [](const Listed& a, const Listed& b) { return a.key < b.key; });
  return out;
}

std::optional<std::uint64_t> ScenarioSource::size(const std::string& key) {
  const std::lock_guard lock(mutex_);
  if (!ScenarioChunks::is_made(key)) return index_->size(key);
  const auto found = object(key);
  return found ? std::optional<std::uint64_t>(found->size()) : std::nullopt;
}

std::string ScenarioSource::version(const std::string& key) {
  const std::lock_guard lock(mutex_);
  if (!ScenarioChunks::is_made(key)) return index_->version(key);
  return chunks_->find(key) ? "scenarios " + mark_ : "absent";
}

std::optional<std::string> ScenarioSource::beside() const {
  return is_temporary_ ? "" : folder_;
}

void ScenarioSource::check_unchanged() {
  const std::lock_guard lock(mutex_);
  index_->check_unchanged();
  if (files_->states() == states_) return;
  fail_at(Errc::changed, files_->names().front(),
          {"changed while the data set was read; open it again"});
}

namespace {

/// Checks the options of maps, which logs of nuPlan have in other files, and of the ego
/// vehicle, which some data sets lack.
ScenarioOptions checked_options(const std::string& dataset, ScenarioFormat format,
                                ScenarioOptions options) {
  const bool is_nuplan = format == ScenarioFormat::nuplan;
  if (is_nuplan && options.with_map && options.maps.empty()) {
    fail_at(Errc::invalid_argument, dataset,
            {"maps of nuPlan are other files (expected the folder of CITY/*/map.gpkg, "
             "or a file, as option maps)"});
  }
  const bool is_interaction = format == ScenarioFormat::interaction;
  if (!options.ego.empty() && !is_interaction && format != ScenarioFormat::commonroad) {
    fail_at(Errc::invalid_argument, dataset,
            {"ego: only of scenarios of CommonRoad and INTERACTION"});
  }
  const bool has_maps =
      is_nuplan || is_interaction || format == ScenarioFormat::nuscenes;
  if (!has_maps && !options.maps.empty()) {
    fail_at(Errc::invalid_argument, dataset,
            {"maps: only INTERACTION, nuPlan and nuScenes have a folder of maps"});
  }
  if (options.maps.empty()) return options;
  std::error_code error;
  if (is_nuplan) {
    static_cast<void>(state_of_nuplan_maps(options.maps));
  } else if (is_interaction ? !fs::exists(options.maps, error)
                            : !fs::is_directory(options.maps, error)) {
    fail_at(Errc::not_found, options.maps, {"not a folder of maps"});
  }
  options.maps = fs::absolute(options.maps).lexically_normal().string();
  options.with_map = true;
  return options;
}

}  // namespace

std::unique_ptr<Source> open_scenarios(const std::string& address,
                                       const ReadOptions& options) {
  const auto dataset = without_host_scheme(address);
  std::unique_ptr<ScenarioFiles> files;
  ScenarioOptions scenarios = options.scenarios;
  if (is_remote(dataset)) {
    const auto format = scenario_format_of_address(dataset);
    if (!format) return nullptr;
    scenarios = checked_options(dataset, *format, std::move(scenarios));
    const auto end = is_s3(dataset)
                         ? dataset.size()
                         : std::min(dataset.find_first_of("?#"), dataset.size());
    const auto slash = dataset.rfind('/', end);
    const ReadOptions reading{.http = options.http};
    auto folder =
        open_http_source(dataset.substr(0, slash) + dataset.substr(end), reading);
    if (*format == ScenarioFormat::interaction) {
      files = std::make_unique<InteractionScenarios>(
          dataset.substr(0, end), std::move(folder),
          NuplanSettings{scenarios.maps, false, scenarios.ego});
    } else {
      files = std::make_unique<RemoteScenarios>(
          *format, dataset.substr(0, end), std::move(folder),
          dataset.substr(slash + 1, end - slash - 1),
          NuplanSettings{scenarios.maps, false, scenarios.ego});
    }
  } else {
    const auto format = scenario_format(dataset);
    if (!format) return nullptr;
    scenarios = checked_options(dataset, *format, std::move(scenarios));
    auto paths = find_scenarios(*format, {dataset});
    for (auto& path : paths) path = fs::absolute(path).lexically_normal().string();
    files = local_scenarios(*format, std::move(paths), tables_of(*format),
                            NuplanSettings{scenarios.maps, false, scenarios.ego});
  }
  return std::make_unique<ScenarioSource>(std::move(files), scenarios);
}

}  // namespace bev::native
