#include "native/publish/site_sources.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <span>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/sha256.hpp"
#include "native/files/data_sets.hpp"
#include "native/files/write_file.hpp"
#include "native/s3/s3_address.hpp"

namespace bev::native {
namespace {

namespace fs = std::filesystem;

/// Scenarios by which an estimate is made.
constexpr std::size_t kSampleScenarios = 3;

/// Returns the name of a converted data set: that of the first path.
std::string name_of_converted(std::string_view format, const std::string& path) {
  auto folder = fs::path(path).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();
  auto stem = folder.filename().string();
  for (const auto* ending : {".tfrecord", ".pkl", ".parquet"}) {
    stem = stem.substr(0, stem.find(ending));
  }
  return stem.empty() || stem.front() == '.' ? std::string(format) : stem;
}

/// Returns what identifies a conversion: its files, with size and time of modification.
std::string identity_of_files(std::string_view format, bool with_maps,
                              const std::vector<std::string>& files) {
  auto text = std::string(format) + (with_maps ? ", map\n" : "\n");
  for (const auto& file : files) {
    text += fs::absolute(file).string() + " " + std::to_string(fs::file_size(file)) +
            " " + std::to_string(fs::last_write_time(file).time_since_epoch().count()) +
            "\n";
  }
  return sha256_hex(std::as_bytes(std::span(text))).substr(0, 16);
}

fs::path converted_folder(std::string site) {
  while (site.size() > 1 && site.ends_with('/')) site.pop_back();
  return site + ".converted";
}

std::vector<PublishSource> stores_in(const fs::path& folder) {
  std::vector<PublishSource> out;
  for (const auto& entry : fs::directory_iterator(folder)) {
    out.push_back({entry.path().string()});
  }
  std::sort(out.begin(), out.end(),
            [](const auto& one, const auto& other) { return one.path < other.path; });
  return out;
}

/// Calls `convert` with a data set to write below a folder, unless an interrupted call has
/// done so. Returns the data sets, which may be one per city.
std::vector<PublishSource> converted_once(
    const fs::path& folder, const std::string& name,
    const std::function<void(const std::string&)>& convert) {
  const auto stores = folder / "stores", done = folder / "done";
  if (fs::exists(done)) return stores_in(stores);
  fs::create_directories(stores);
  for (const auto& one : stores_in(stores)) {
    // Those of single cities are converted again; what is partial is continued.
    if (!one.path.ends_with(".partial")) fs::remove_all(one.path);
  }
  convert((stores / (name + ".zarr")).string());
  write_file(done, {}, done.string());
  return stores_in(stores);
}

}  // namespace

SiteSources::SiteSources(const std::vector<PublishSource>& sources,
                         const PublishOptions& options)
    : options_(options) {
  for (const auto& source : sources) add(source);
}

void SiteSources::add(const PublishSource& source) {
  const auto& path = source.path;
  if (is_remote(path) || path.ends_with(".zip")) {
    stores_.push_back(source);
    return;
  }
  std::error_code error;
  if (!fs::exists(path, error))
    fail_at(Errc::not_found, path, {"no such file or folder"});
  const bool is_folder = fs::is_directory(path, error);
  const auto found = is_folder ? find_data_sets(path) : std::vector<std::string>{};
  const bool is_plain = source.name.empty() && !source.map && !source.aerial;
  if (!is_plain && found.size() != 1) {
    fail_at(Errc::invalid_argument, path,
            {"a name, map or aerial image is of one data set of L5Kit (found ",
             found.size(), ")"});
  }
  for (const auto& one : found) {
    auto store = source;
    if (!one.empty()) store.path = (fs::path(path) / one).string();
    stores_.push_back(std::move(store));
  }
  if (!found.empty()) return;
  const auto format = scenario_format(path);
  if (!format) {
    fail_at(Errc::unsupported, path,
            {"not a data set (expected a zarr store of L5Kit, or files of scenarios of "
             "Argoverse 2, CommonRoad, INTERACTION, nuPlan, nuScenes, ScenarioNet or "
             "Waymo)"});
  }
  if (*format == ScenarioFormat::argoverse2 && !options_.convert_argoverse2) {
    fail_at(Errc::unsupported, path,
            {"Argoverse 2 scenarios are Parquet files, which need Python: "
             "python -m bevscope publish"});
  }
  scenarios_[*format].push_back(path);
}

ScenarioConversion SiteSources::conversion_of(ScenarioFormat format) const {
  ScenarioConversion out;
  out.format = format;
  out.tables = tables_of(format);
  out.files = find_scenarios(format, scenarios_.at(format));
  const bool has_own_map = format != ScenarioFormat::nuplan;
  out.with_map = has_own_map && options_.with_maps;
  out.mask = usual_mask(format);
  out.jobs = std::max(1U, std::thread::hardware_concurrency());
  return out;
}

std::vector<PublishSource> SiteSources::convert(const std::string& site) const {
  auto out = stores_;
  const auto add = [&](std::string_view format, const std::string& path,
                       const std::vector<std::string>& files,
                       const std::function<void(const std::string&)>& convert) {
    const auto folder =
        converted_folder(site) / identity_of_files(format, options_.with_maps, files);
    const auto made = converted_once(folder, name_of_converted(format, path), convert);
    out.insert(out.end(), made.begin(), made.end());
  };
  for (const auto& [format, paths] : scenarios_) {
    const auto conversion = conversion_of(format);
    const auto& own = paths;
    const bool is_argoverse2 = format == ScenarioFormat::argoverse2;
    add(name_of(format), paths.front(), conversion.files, [&](const auto& store) {
      if (is_argoverse2) return options_.convert_argoverse2(own, store);
      convert_scenarios(conversion, store, [&](std::uint64_t done, std::uint64_t all) {
        if (options_.progress) options_.progress("convert", done, all);
      });
    });
  }
  return out;
}

void SiteSources::remove_converted(const std::string& site) {
  std::error_code ignored;
  fs::remove_all(converted_folder(site), ignored);
}

std::vector<SampledSource> SiteSources::convert_first(const std::string& folder) const {
  std::vector<SampledSource> out;
  for (const auto& store : stores_) out.push_back({store});
  const auto add = [&](std::string_view format, std::uint64_t count,
                       const std::function<void(const std::string&)>& convert) {
    const auto own = fs::path(folder) / format;
    const auto first = std::min<std::uint64_t>(count, kSampleScenarios);
    const auto scale = static_cast<double>(count) / static_cast<double>(first);
    for (auto& store : converted_once(own, std::string(format), convert)) {
      out.push_back({std::move(store), scale});
    }
  };
  for (const auto& one : scenarios_) {
    auto conversion = conversion_of(one.first);
    const bool is_argoverse2 = one.first == ScenarioFormat::argoverse2;
    const auto count =
        is_argoverse2 ? conversion.files.size() : count_scenarios(conversion);
    conversion.first = kSampleScenarios;
    if (is_argoverse2) conversion.files.resize(std::min(count, kSampleScenarios));
    add(name_of(one.first), count, [&](const auto& store) {
      if (is_argoverse2) return options_.convert_argoverse2(conversion.files, store);
      convert_scenarios(conversion, store, {});
    });
  }
  return out;
}

}  // namespace bev::native
