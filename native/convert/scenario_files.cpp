#include "native/convert/scenario_files.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/base/error.hpp"
#include "core/convert/commonroad.hpp"
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

std::string state_text(std::uint64_t size, std::int64_t modified) {
  return std::to_string(size) + " bytes, " + std::to_string(modified) + " ns";
}

/// Converts what was read of a file: a record with head and tail, or all of it.
convert::Scenario import_bytes(ScenarioFormat format, std::span<const std::byte> bytes,
                               const ScenarioItem& item, const convert::Tables& tables,
                               const convert::ImportOptions& options) {
  if (format == ScenarioFormat::scenarionet) {
    return convert::import_scenarionet(bytes, tables, options);
  }
  if (format == ScenarioFormat::commonroad) {
    return convert::import_commonroad(
        {reinterpret_cast<const char*>(bytes.data()), bytes.size()}, tables, options);
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
      auto options = import_options(begin + i, items.size(), reading.with_map);
      options.ego = reading.ego;
      scenarios[i] = files.read(items[begin + i], options);
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
    if (is_whole) check_file_size(file->size());
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
  if (format() == ScenarioFormat::scenarionet ||
      format() == ScenarioFormat::commonroad) {
    return {{0, 0, {}}};
  }
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
      check_file_size(source_->size(name_).value_or(0));
    }
    auto out = import_bytes(format(), bytes_of(range), item, tables_, options);
    out.file = name_;
    return out;
  });
}

}  // namespace bev::native
