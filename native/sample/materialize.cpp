#include "native/sample/materialize.hpp"

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/sample/config.hpp"
#include "core/save/documents.hpp"
#include "native/config/data_root.hpp"
#include "native/files/write_file.hpp"
#include "native/sample/index_list.hpp"
#include "native/save/commit_parts.hpp"
#include "native/save/data_saver.hpp"
#include "native/save/list_datasets.hpp"

namespace bev::native {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::uint64_t kSamplesPerFlush = 64;

json state_of_file(const fs::path& path) {
  return {fs::file_size(path), fs::last_write_time(path).time_since_epoch().count()};
}

/// Returns sizes and modification times: of a file, or of all files in a folder but the
/// statistics, which samples do not depend on.
json state_of(const std::string& path) {
  std::error_code error;
  const auto status = fs::status(path, error);
  if (!fs::exists(status)) {
    fail_at(Errc::unsupported, path,
            {"the files of samples to store must be on this machine"});
  }
  try {
    if (!fs::is_directory(status)) return state_of_file(path);
    json files = json::object();
    for (const auto& entry : fs::recursive_directory_iterator(path)) {
      const auto key = entry.path().lexically_relative(path).string();
      if (!entry.is_regular_file() || key.starts_with(".bevscope/")) continue;
      files[key] = state_of_file(entry.path());
    }
    return {{"files", save::fingerprint_of(files.dump())}, {"count", files.size()}};
  } catch (const fs::filesystem_error& failed) {
    fail_at(Errc::io, path, {"read failed: ", failed.code().message()});
  }
}

json states_of_assets(const SampleRequest& request) {
  json out = json::object();
  const auto keys = sample::data_keys(sample::Config::parse(request.options.config),
                                      request.options.vectorized);
  if (!keys.meta) return out;
  const DataRoot root(request.root);
  for (const auto& key : {keys.meta, keys.semantic_map, keys.aerial_image}) {
    if (key) out[*key] = state_of(root.require(*key));
  }
  return out;
}

std::string path_of(const MaterializeRequest& request, const std::string& query) {
  const auto name = "samples-" + save::fingerprint_of(query) + ".zarr";
  return (fs::path(request.folder) / name).string();
}

/// Returns the stored samples; nullopt if there are none.
///
/// Throws  invalid_argument if something else is at the path
std::optional<Materialized> stored_at(const std::string& path,
                                      const std::string& query) {
  if (!fs::exists(path)) return std::nullopt;
  const auto found = list_datasets(path);
  if (found.size() == 1 && found.front().config.additional() == json::parse(query)) {
    return Materialized{path, found.front().rows, true};
  }
  fail_at(Errc::invalid_argument, path, {"not the samples of this query"});
}

save::DataConfig config_of(const std::string& query,
                           std::span<const ResultArray> arrays) {
  json attributes = json::array();
  for (const auto& array : arrays) {
    if (array.dtype == "utf8") {
      fail_at(Errc::internal, array.name, {"unsupported dtype utf8"});
    }
    attributes.push_back(
        {{"name", array.name}, {"dtype", array.dtype}, {"shape", json(array.shape)}});
    if (array.shape.empty()) attributes.back()["shape"] = json::array();
  }
  const json config = {
      {"name", "samples"},
      {"additional", json::parse(query)},
      {"attributes", std::move(attributes)},
      {"compressor",
       {{"id", "blosc"}, {"cname", "lz4"}, {"clevel", 5}, {"shuffle", 1}}}};
  return save::DataConfig::parse(config.dump());
}

void save_sample(DataSaver& saver, std::span<const ResultArray> arrays) {
  std::vector<save::BatchArray> batch;
  for (const auto& array : arrays) {
    std::vector<std::uint64_t> shape{1};
    shape.insert(shape.end(), array.shape.begin(), array.shape.end());
    batch.push_back({array.name, array.dtype, std::move(shape), array.bytes});
  }
  saver.save(batch);
}

}  // namespace

std::string query_of(const MaterializeRequest& request) {
  const auto& samples = request.samples;
  const json query = {{"version", BEV_VERSION},
                      {"dataset", state_of(samples.dataset)},
                      {"assets", states_of_assets(samples)},
                      {"mask", samples.mask ? state_of(*samples.mask) : json()},
                      {"config", json::parse(samples.options.config)},
                      {"kind", static_cast<int>(samples.options.kind)},
                      {"vectorized", samples.options.vectorized},
                      {"eval", samples.options.eval},
                      {"minima", {samples.minima.history, samples.minima.future}},
                      {"allow_missing", samples.reading.allow_missing},
                      {"index", request.index}};
  return query.dump();
}

Materialized materialize(const MaterializeRequest& request,
                         const SelectionProgress& selection,
                         const MaterializeProgress& progress) {
  const auto query = query_of(request);
  const auto path = path_of(request, query);
  if (auto stored = stored_at(path, query)) return *std::move(stored);
  SampleMaker maker(request.samples, selection);
  const auto items = parse_indices(request.index, maker.size());
  if (items.empty()) fail(Errc::invalid_argument, {"materialize: no samples"});
  DataSaver saver(path, config_of(query, maker.make(items.front())));
  for (auto i = saver.batches(); i < items.size(); ++i) {
    save_sample(saver, maker.make(items[static_cast<std::size_t>(i)]));
    if ((i + 1) % kSamplesPerFlush == 0) saver.flush();
    progress(i + 1, items.size());
  }
  maker.finish();
  if (query_of(request) != query) {
    saver.abort();
    fail_at(Errc::changed, request.samples.dataset,
            {"the data set, a map or the mask has changed while samples were stored"});
  }
  saver.commit();
  return {path, items.size(), false};
}

bool remove_materialized(const MaterializeRequest& request) {
  const auto query = query_of(request);
  const auto path = path_of(request, query);
  const bool has_parts = discard_parts(path);
  if (!stored_at(path, query)) return has_parts;
  // Readers see all of it or nothing.
  const auto removed = path + ".partial";
  std::error_code error;
  fs::remove_all(removed, error);
  if (!error) fs::rename(path, removed, error);
  if (!error) fs::remove_all(removed, error);
  if (error) fail_write(path, error.value());
  return true;
}

}  // namespace bev::native
