#include "native/convert/scenario_conversion.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <system_error>
#include <utility>

#include "core/base/error.hpp"
#include "core/convert/scenario_writer.hpp"
#include "core/convert/scenarionet.hpp"
#include "core/convert/tfrecord.hpp"
#include "core/convert/waymo.hpp"
#include "native/convert/conversion_folder.hpp"
#include "native/files/file.hpp"
#include "native/source/workers.hpp"

namespace bev::native {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kMapPath = "semantic_map/semantic_map.pb";

// Also what core/pickle accepts.
constexpr std::uint64_t kMaxPickle = std::uint64_t{256} << 20U;

const char* name_of(ScenarioFormat format) {
  return format == ScenarioFormat::waymo ? "waymo" : "scenarionet";
}

bool is_scenario_file(ScenarioFormat format, std::string_view name) {
  if (format == ScenarioFormat::waymo) {
    return name.find(".tfrecord") != std::string_view::npos;
  }
  return name.ends_with(".pkl") && name != convert::kScenarionetSummary &&
         name != convert::kScenarionetMapping;
}

/// Returns a format's files below a folder.
std::vector<std::string> files_below(ScenarioFormat format, const fs::path& folder) {
  std::vector<std::string> out;
  std::error_code error;
  fs::recursive_directory_iterator at(folder, error);
  while (!error && at != fs::recursive_directory_iterator()) {
    const auto name = at->path().filename().string();
    if (is_scenario_file(format, name) && at->is_regular_file(error)) {
      out.push_back(at->path().string());
    }
    if (!error) at.increment(error);
  }
  if (error) fail_at(Errc::io, folder.string(), {error.message()});
  std::sort(out.begin(), out.end());
  return out;
}

/// Runs `work` and adds the file to its errors.
template <class Work>
auto in_file(const std::string& path, Work work) {
  try {
    return work();
  } catch (const Error& error) {
    const std::string_view problem = error.what();
    if (problem.starts_with(path)) throw;
    fail_at(error.code(), path, {problem});
  }
}

/// Returns a pickle's bytes; nullopt if there is no such file.
std::optional<std::vector<std::byte>> pickle_at(const std::string& path) {
  const auto file = File::open(path, path);
  if (!file) return std::nullopt;
  if (file->size() > kMaxPickle) {
    fail_at(Errc::limit_exceeded, path,
            {"too large (found ", file->size(), " bytes, expected at most ", kMaxPickle,
             ")"});
  }
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
  const auto names = in_file(
      folder.string(), [&] { return convert::scenarionet_files(summary, mapping); });
  std::vector<std::string> out;
  for (const auto& name : names) out.push_back((folder / name).string());
  return out;
}

/// A file and its records. A pickle has one; it is opened when it is read.
struct RecordFile {
  std::string path;
  std::optional<File> file;
  std::vector<convert::RecordRange> records;
};

RecordFile open_records(ScenarioFormat format, const std::string& path) {
  if (format == ScenarioFormat::scenarionet) return {path, std::nullopt, {{}}};
  auto file = File::open(path, path);
  if (!file) fail_at(Errc::not_found, path, {"not found, or not a file"});
  auto records = in_file(path, [&] {
    return convert::find_records(file->size(),
                                 [&](std::uint64_t at, std::span<std::byte> out) {
                                   return file->read_at(at, out);
                                 });
  });
  return {path, std::move(file), std::move(records)};
}

/// A record and its place among all.
struct Item {
  const RecordFile* source = nullptr;
  std::size_t record = 0;
};

convert::Scenario read_pickle(const std::string& path, const convert::Tables& tables,
                              const convert::ImportOptions& options) {
  return in_file(path, [&] {
    const auto bytes = pickle_at(path);
    if (!bytes) fail(Errc::not_found, {"not found, or not a file"});
    auto out = convert::import_scenarionet(*bytes, tables, options);
    out.file = fs::path(path).filename().string();
    return out;
  });
}

convert::Scenario read_scenario(const Item& item, const convert::Tables& tables,
                                const convert::ImportOptions& options) {
  if (!item.source->file) return read_pickle(item.source->path, tables, options);
  return in_file(item.source->path, [&] {
    const auto& range = item.source->records[item.record];
    std::vector<std::byte> bytes(static_cast<std::size_t>(range.size));
    bytes.resize(item.source->file->read_at(range.offset, bytes));
    const auto content = convert::record_content(bytes, range.offset);
    try {
      auto out = convert::import_waymo(
          {reinterpret_cast<const char*>(content.data()), content.size()}, tables,
          options);
      out.file = fs::path(item.source->path).filename().string();
      out.record = item.record;
      return out;
    } catch (const Error& error) {
      fail(error.code(), {"record ", item.record, ": ", error.what()});
    }
  });
}

/// Files, and their records in order.
struct Items {
  std::vector<RecordFile> files;
  std::vector<Item> all;
};

Items open_items(const ScenarioConversion& conversion) {
  Items out;
  out.files.reserve(conversion.files.size());  // items point to them
  for (const auto& path : conversion.files) {
    out.files.push_back(open_records(conversion.format, path));
    for (std::size_t i = 0; i < out.files.back().records.size(); ++i) {
      out.all.push_back({&out.files.back(), i});
    }
  }
  if (out.all.empty()) fail(Errc::not_found, {"no scenarios found"});
  return out;
}

convert::ScenarioWriterOptions layout_of_scenario_conversion(
    const ScenarioConversion& conversion) {
  convert::ScenarioWriterOptions out;
  out.source = name_of(conversion.format);
  out.mask = conversion.mask;
  return out;
}

/// Calls `take(index, scenario)` for all items from `begin` on, in order.
template <class Take>
void read_all(const ScenarioConversion& conversion, const std::vector<Item>& items,
              std::size_t begin, Take take) {
  const auto jobs = std::max<std::size_t>(conversion.jobs, 1);
  for (; begin < items.size(); begin += jobs) {
    std::vector<std::optional<convert::Scenario>> scenarios(
        std::min(jobs, items.size() - begin));
    on_threads(scenarios.size(), [&](std::size_t i) {
      convert::ImportOptions options;
      options.with_map = conversion.with_map;
      if (conversion.with_map && items.size() > 1) options.place = begin + i;
      scenarios[i] = read_scenario(items[begin + i], conversion.tables, options);
    });
    for (std::size_t i = 0; i < scenarios.size(); ++i) {
      in_file(items[begin + i].source->path, [&] { take(begin + i, *scenarios[i]); });
    }
  }
}

const char* mask_name(const std::optional<convert::MaskRule>& mask) {
  using convert::Role;
  if (!mask) return "none";
  if (mask->least == Role::focal) return "focal";
  return mask->least == Role::scored ? "scored" : "all";
}

/// Returns settings and sources as python/bevscope/convert.py has them.
json identity_of(const ScenarioConversion& conversion, const Items& items) {
  json sources = json::array();
  for (const auto& file : items.files) {
    const auto path = fs::absolute(file.path).lexically_normal().string();
    sources.push_back({path, file.records.size()});
  }
  return {{"settings",
           {{"mask", mask_name(conversion.mask)},
            {"map", conversion.with_map},
            {"tables", conversion.tables_json}}},
          {"sources", std::move(sources)}};
}

}  // namespace

std::vector<std::string> find_scenarios(ScenarioFormat format,
                                        const std::vector<std::string>& paths) {
  std::vector<std::string> out;
  for (const auto& path : paths) {
    std::error_code error;
    const auto status = fs::status(path, error);
    if (!fs::exists(status)) fail_at(Errc::not_found, path, {"not found"});
    if (!fs::is_directory(status)) {
      out.push_back(path);
      continue;
    }
    std::optional<std::vector<std::string>> listed;
    if (format == ScenarioFormat::scenarionet) listed = listed_in(path);
    const auto found = listed ? *std::move(listed) : files_below(format, path);
    if (found.empty()) {
      fail_at(Errc::not_found, path,
              {format == ScenarioFormat::waymo ? "no TFRecord files (*.tfrecord*) found"
                                               : "no scenarios (*.pkl) found"});
    }
    out.insert(out.end(), found.begin(), found.end());
  }
  return out;
}

std::string convert_scenarios(const ScenarioConversion& conversion, Sink& sink,
                              const ConvertProgress& progress) {
  const auto items = open_items(conversion);
  convert::ScenarioWriter writer(sink, layout_of_scenario_conversion(conversion));
  read_all(conversion, items.all, 0, [&](std::size_t index, const auto& scenario) {
    writer.add(scenario);
    if (progress) progress(index + 1, items.all.size());
  });
  return writer.close();
}

std::string convert_scenarios(const ScenarioConversion& conversion,
                              const std::string& folder,
                              const ConvertProgress& progress) {
  const auto items = open_items(conversion);
  ConversionFolder target(folder, identity_of(conversion, items));
  if (target.report().empty()) {
    auto layout = layout_of_scenario_conversion(conversion);
    layout.append_map = [&](auto bytes) { target.append(kMapPath, bytes); };
    convert::ScenarioWriter writer(target, layout);
    if (target.done() > 0) writer.restore(target.state());
    if (conversion.with_map) target.put(kMapPath, {});
    const auto begin = static_cast<std::size_t>(target.done());
    // Maps are not part of a checkpoint.
    read_all(conversion, items.all, conversion.with_map ? 0 : begin,
             [&](std::size_t index, const auto& scenario) {
               if (index < begin) return writer.add_map(scenario);
               writer.add(scenario);
               if (progress) progress(index + 1, items.all.size());
               if ((index + 1) % conversion.checkpoint == 0) {
                 target.save(index + 1, writer.state());
               }
             });
    target.save_report(items.all.size(), writer.close());
  }
  const std::string report = target.report();
  target.commit();
  return report;
}

}  // namespace bev::native
