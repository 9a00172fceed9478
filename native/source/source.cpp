#include "native/source/source.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "core/base/error.hpp"
#include "core/scene/dataset.hpp"
#include "core/store/catalogue.hpp"
#include "core/zarr/json_view.hpp"
#include "core/zarr/metadata.hpp"
#include "native/convert/scenario_source.hpp"
#include "native/s3/s3_address.hpp"
#include "native/s3/s3_source.hpp"
#include "native/source/cache_source.hpp"
#include "native/source/directory_source.hpp"
#include "native/source/http_source.hpp"
#include "native/source/nodes.hpp"
#include "native/source/zip_source.hpp"

namespace bev::native {
namespace {

namespace fs = std::filesystem;

/// A parsed URL: "https://host/a/b.zip" and "?signed".
struct Address {
  std::string path;
  std::string query;
};

Address address_of(const std::string& url) {
  const auto end =
      is_s3(url) ? url.size() : std::min(url.find_first_of("?#"), url.size());
  Address found{url.substr(0, end), url.substr(end)};
  while (found.path.ends_with('/')) found.path.pop_back();
  return found;
}

/// Splits a path at its last slash.
std::pair<std::string, std::string> split_last(const std::string& path) {
  const auto slash = path.rfind('/');
  return {path.substr(0, slash), path.substr(slash + 1)};
}

std::unique_ptr<Source> open_url(const std::string& dataset,
                                 const ReadOptions& options) {
  const auto [path, query] = address_of(dataset);
  if (!path.ends_with(".zip")) return open_http_source(dataset, options);
  const auto [folder, name] = split_last(path);
  return std::make_unique<ZipSource>(open_http_source(folder + query, options), name);
}

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

/// For a folder around an array: a zarr.json there means a group.
bool is_group(const fs::path& folder) {
  return is_file(folder / ".zgroup") || is_file(folder / "zarr.json");
}

std::string array_names(Source& group) {
  const auto objects = group.list("");
  if (!objects) return "its path";
  std::string names;
  for (const auto& path : array_paths(group, *objects)) {
    names += names.empty() ? "" : ", ";
    names += path;
  }
  return names.empty() ? "none" : names;
}

[[noreturn]] void throw_no_array(const std::string& path) {
  fail_at(Errc::not_found, path, {"array not found (no .zarray, no zarr.json)"});
}

/// Checks that `array` exists in the store; the error lists the existing arrays.
ArrayAddress checked(ArrayAddress found, Source& store, const std::string& path) {
  const auto node = node_at(store, found.array);
  if (node == Node::array) return found;
  if (node == Node::none) throw_no_array(path);
  fail_at(Errc::not_found, path,
          {"a group (expected an array in it: ", array_names(store), ")"});
}

ArrayAddress find_in_file(const std::string& file, const std::string& array,
                          const std::string& path, const ReadOptions& options) {
  const auto store = open_source(file, options);
  return checked({file, array}, *store, path);
}

/// Whether a group is at the URL. URLs above a store are outside the data set: a start
/// page, a refusal or a failure there means that there is no group.
bool is_group_at(const std::string& url, ReadOptions options) {
  options.http.retries = 0;
  try {
    const auto source = open_http_source(url, options);
    if (node_at(*source, "") != Node::group) return false;
    const auto bytes = source->read(".zgroup", std::nullopt);
    if (!bytes) return true;  // a zarr.json, which node_at() has checked
    const std::string text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    return zarr::parse_json(text, ".zgroup").is_object();
  } catch (const Error&) {
    return false;
  }
}

/// Finds the topmost group around the array, requesting each parent.
ArrayAddress find_at_url(const std::string& url, const ReadOptions& options) {
  const auto [path, query] = address_of(url);
  const ReadOptions uncached{.http = options.http};
  for (auto slash = path.find('/', path.find("//") + 2); slash != path.npos;
       slash = path.find('/', slash + 1)) {
    if (!scenario_format_of_address(path.substr(0, slash))) continue;
    return find_in_file(path.substr(0, slash) + query, path.substr(slash + 1), url,
                        options);
  }
  const auto zip = path.find(".zip/");
  if (zip != path.npos) {
    return find_in_file(path.substr(0, zip + 4) + query, path.substr(zip + 5), url,
                        options);
  }
  if (path.ends_with(".zip")) return find_in_file(url, "", url, options);
  const auto array = open_http_source(url, uncached);
  checked({url, ""}, *array, url);
  auto root = path;
  const auto host = path.find('/', path.find("//") + 2);
  for (;;) {
    const auto above = split_last(root).first;
    if (host == path.npos || above.size() <= host) break;
    if (!is_group_at(above + query, uncached)) break;
    root = above;
  }
  if (root == path) return {url, ""};
  return {root + query, path.substr(root.size() + 1)};
}

/// Returns the nearest folder above `path` that exists.
std::optional<fs::path> folder_around(fs::path path) {
  std::error_code error;
  while (path.has_relative_path() && !fs::is_directory(path, error)) {
    path = path.parent_path();
  }
  return path.has_relative_path() ? std::optional(path) : std::nullopt;
}

/// Returns the file that `path` is or lies in, if any.
std::optional<fs::path> file_around(fs::path path) {
  for (; path.has_relative_path(); path = path.parent_path()) {
    if (is_file(path)) return path;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::vector<std::byte>> Source::read(
    const std::string& key, const std::optional<ByteRange>& range) {
  const ReadRequest request{key, range};
  std::optional<std::vector<std::byte>> found;
  read_all(std::span(&request, 1),
           [&](const auto&, auto bytes) { found = std::move(bytes); });
  return found;
}

namespace {

void check_address(const std::string& address) {
  if (address.empty()) {
    fail(Errc::invalid_argument, {"address: empty (expected a path or URL)"});
  }
  if (address.starts_with("file:")) {
    fail(Errc::invalid_argument,
         {address,
          ": a file's URL (expected its path, or an http, https, s3, gs or hf URL)"});
  }
}

}  // namespace

std::unique_ptr<Source> open_store(const std::string& dataset,
                                   const ReadOptions& options) {
  if (is_remote(dataset)) return open_url(dataset, options);
  if (!is_file(dataset)) return std::make_unique<DirectorySource>(dataset);
  const auto path = fs::absolute(dataset);
  if (path.extension() == ".parquet") {
    fail_at(Errc::unsupported, dataset,
            {"Parquet needs bevscope's Python or JavaScript package (expected a zarr "
             "store)"});
  }
  auto holder = std::make_unique<DirectorySource>(path.parent_path().string());
  return std::make_unique<ZipSource>(std::move(holder), path.filename().string());
}

std::unique_ptr<Source> open_source(const std::string& given,
                                    const ReadOptions& options) {
  check_address(given);
  const auto dataset = without_host_scheme(given);
  auto source = open_scenarios(dataset, options);
  const auto& scenarios = options.scenarios;
  if (!source && !scenarios.ego.empty()) {
    fail_at(Errc::invalid_argument, dataset,
            {"ego: only of scenarios of CommonRoad and INTERACTION"});
  }
  if (!source && (scenarios.with_map || !scenarios.maps.empty())) {
    fail_at(Errc::invalid_argument, dataset,
            {"only scenarios have a map to convert (expected a .tfrecord, .pkl or "
             ".db file, a folder of such files, or a version of nuScenes)"});
  }
  if (!source) source = open_store(dataset, options);
  if (options.allow_missing) source->allow_missing();
  return source;
}

std::unique_ptr<Source> open_http_source(const std::string& url,
                                         const ReadOptions& options) {
  std::unique_ptr<ValidatedSource> source;
  if (is_s3(url)) {
    source =
        std::make_unique<S3Source>(S3Address::parse(url), s3_settings(), options.http);
  } else {
    source = std::make_unique<HttpSource>(url, options.http);
  }
  if (options.cache.folder.empty()) return source;
  return std::make_unique<CacheSource>(std::move(source), options.cache);
}

ArrayAddress find_array(const std::string& given, const ReadOptions& options) {
  check_address(given);
  const auto path = without_host_scheme(given);
  if (is_remote(path)) return find_at_url(path, options);
  auto array = fs::absolute(path).lexically_normal();
  if (!array.has_filename()) array = array.parent_path();  // a trailing slash
  if (const auto zip = file_around(array)) {
    const auto inner = array.lexically_relative(*zip).generic_string();
    return find_in_file(zip->string(), inner == "." ? "" : inner, path, options);
  }
  std::error_code error;
  if (!fs::is_directory(array, error)) {
    const auto folder = folder_around(array);
    if (!folder || !scenario_format(folder->string())) throw_no_array(path);
    return find_in_file(folder->string(),
                        array.lexically_relative(*folder).generic_string(), path,
                        options);
  }
  DirectorySource place(array.string());
  checked({path, ""}, place, path);
  auto root = array;
  while (root.has_relative_path() && is_group(root.parent_path())) {
    root = root.parent_path();
  }
  if (root == array) return {array.string(), ""};
  return {root.string(), array.lexically_relative(root).generic_string()};
}

}  // namespace bev::native
