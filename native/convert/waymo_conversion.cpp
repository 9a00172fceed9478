#include "native/convert/waymo_conversion.hpp"

#include <algorithm>
#include <filesystem>
#include <span>
#include <system_error>
#include <utility>

#include "core/base/error.hpp"
#include "core/convert/scenario_writer.hpp"
#include "core/convert/tfrecord.hpp"
#include "core/convert/waymo.hpp"
#include "native/files/file.hpp"
#include "native/source/workers.hpp"

namespace bev::native {
namespace {

namespace fs = std::filesystem;

/// Returns the TFRecord files below a folder.
std::vector<std::string> files_below(const fs::path& folder) {
  std::vector<std::string> out;
  std::error_code error;
  fs::recursive_directory_iterator at(folder, error);
  while (!error && at != fs::recursive_directory_iterator()) {
    const auto name = at->path().filename().string();
    if (name.find(".tfrecord") != std::string::npos && at->is_regular_file(error)) {
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

/// A file and its records.
struct RecordFile {
  std::string path;
  File file;
  std::vector<convert::RecordRange> records;
};

RecordFile open_records(const std::string& path) {
  auto file = File::open(path, path);
  if (!file) fail_at(Errc::not_found, path, {"not found, or not a file"});
  auto records = in_file(path, [&] {
    return convert::find_records(file->size(),
                                 [&](std::uint64_t at, std::span<std::byte> out) {
                                   return file->read_at(at, out);
                                 });
  });
  return {path, std::move(*file), std::move(records)};
}

/// A record and its place among all.
struct Item {
  const RecordFile* source = nullptr;
  std::size_t record = 0;
};

convert::Scenario read_scenario(const Item& item, const convert::Tables& tables,
                                const convert::WaymoOptions& options) {
  return in_file(item.source->path, [&] {
    const auto& range = item.source->records[item.record];
    std::vector<std::byte> bytes(static_cast<std::size_t>(range.size));
    bytes.resize(item.source->file.read_at(range.offset, bytes));
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

}  // namespace

std::vector<std::string> find_tfrecords(const std::vector<std::string>& paths) {
  std::vector<std::string> out;
  for (const auto& path : paths) {
    std::error_code error;
    const auto status = fs::status(path, error);
    if (!fs::exists(status)) fail_at(Errc::not_found, path, {"not found"});
    if (!fs::is_directory(status)) {
      out.push_back(path);
      continue;
    }
    const auto found = files_below(path);
    if (found.empty()) {
      fail_at(Errc::not_found, path, {"no TFRecord files (*.tfrecord*) found"});
    }
    out.insert(out.end(), found.begin(), found.end());
  }
  return out;
}

std::string convert_waymo(const WaymoConversion& conversion, Sink& sink,
                          const ConvertProgress& progress) {
  std::vector<RecordFile> files;
  files.reserve(conversion.files.size());  // items point to them
  std::vector<Item> items;
  for (const auto& path : conversion.files) {
    files.push_back(open_records(path));
    for (std::size_t i = 0; i < files.back().records.size(); ++i) {
      items.push_back({&files.back(), i});
    }
  }
  if (items.empty()) fail(Errc::not_found, {"no scenarios found"});
  convert::ScenarioWriterOptions layout;
  layout.source = "waymo";
  layout.mask = conversion.mask;
  convert::ScenarioWriter writer(sink, layout);
  const auto jobs = std::max<std::size_t>(conversion.jobs, 1);
  for (std::size_t begin = 0; begin < items.size(); begin += jobs) {
    std::vector<std::optional<convert::Scenario>> scenarios(
        std::min(jobs, items.size() - begin));
    on_threads(scenarios.size(), [&](std::size_t i) {
      convert::WaymoOptions options;
      options.with_map = conversion.with_map;
      if (conversion.with_map && items.size() > 1) options.place = begin + i;
      scenarios[i] = read_scenario(items[begin + i], conversion.tables, options);
    });
    for (std::size_t i = 0; i < scenarios.size(); ++i) {
      in_file(items[begin + i].source->path, [&] { writer.add(*scenarios[i]); });
      if (progress) progress(begin + i + 1, items.size());
    }
  }
  return writer.close();
}

}  // namespace bev::native
