#include "native/source/read_options.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string_view>
#include <utility>

#include "core/scene/dataset.hpp"

namespace bev::native {
namespace {

/// Returns a chunk's array: "agents" for "agents/3" and for "agents/c/0/1".
std::string array_of(const std::string& chunk) {
  auto array = chunk;
  for (;;) {
    const auto slash = array.rfind('/');
    const auto name = array.substr(slash == array.npos ? 0 : slash + 1);
    const bool is_part =
        name == "c" || name.find_first_not_of("0123456789.") == name.npos;
    if (!is_part) return array;
    if (slash == array.npos) return "";
    array.resize(slash);
  }
}

/// Whether the absent chunk was an error, and its rows were left out.
bool is_refused(const Source& source, std::string_view chunk) {
  const auto& complete = scene::kCompleteArrays;
  const auto table = chunk.substr(0, chunk.find('/'));
  return !source.missing() &&
         std::find(complete.begin(), complete.end(), table) != complete.end();
}

}  // namespace

std::vector<cli::Option> with_read_options(std::vector<cli::Option> own) {
  own.push_back({"allow-missing", "",
                 "Read chunks that are not stored as fill values, with a\n"
                 "warning. Default: those of scenes, frames, agents and\n"
                 "traffic_light_faces are an error."});
  own.push_back({"forbidden-is-absent", "",
                 "Treat HTTP 403 as \"not found\": object stores return it for\n"
                 "missing keys when listing is denied."});
  own.push_back({"with-map", "",
                 "Of scenarios (.tfrecord, .pkl): convert the maps too, as\n"
                 "bevscope convert --map does; several scenarios are moved."});
  own.push_back({"maps", "DIR",
                 "In place of --with-map: of logs of nuPlan (.db) the folder of\n"
                 "CITY/*/map.gpkg, or one map; of nuScenes its folder maps."});
  return with_cache_options(std::move(own));
}

std::vector<cli::Option> with_cache_options(std::vector<cli::Option> own) {
  own.push_back({"cache", "DIR",
                 "Keep chunks that are read over HTTP in DIR, and read them\n"
                 "from there while the server reports them as unchanged.\n"
                 "Default: the environment variable BEVSCOPE_CACHE; without\n"
                 "it, or with \"\", nothing is kept. See bevscope cache."});
  own.push_back({"cache-limit", "SIZE",
                 "Maximum size of all files in DIR: bytes, or 500MB, 2GiB.\n"
                 "The least recently used are removed. Default: 1GiB."});
  return own;
}

CacheOptions cache_settings(const cli::Arguments& arguments) {
  CacheOptions settings;
  const char* const usual = std::getenv("BEVSCOPE_CACHE");
  settings.folder = arguments.value("cache").value_or(usual != nullptr ? usual : "");
  if (const auto limit = arguments.value("cache-limit")) {
    settings.limit = cli::byte_size(*limit, "--cache-limit");
    if (settings.folder.empty()) {
      throw cli::UsageError("--cache-limit requires --cache");
    }
  }
  settings.on_problem = [](const std::string& problem) {
    std::fprintf(stderr, "bevscope: warning: %s\n", problem.c_str());
  };
  return settings;
}

ReadOptions read_options(const cli::Arguments& arguments) {
  ReadOptions options;
  options.cache = cache_settings(arguments);
  options.allow_missing = arguments.has("allow-missing");
  options.http.forbidden_is_absent = arguments.has("forbidden-is-absent");
  options.scenarios.with_map = arguments.has("with-map");
  options.scenarios.maps = arguments.value("maps").value_or("");
  if (::isatty(STDERR_FILENO) == 1) {
    options.scenarios.on_progress = [](std::uint64_t done, std::uint64_t all) {
      std::fprintf(stderr, "\rbevscope: index: scenario %llu of %llu%s",
                   static_cast<unsigned long long>(done),
                   static_cast<unsigned long long>(all), done >= all ? "\n" : "");
    };
  }
  return options;
}

void warn_of_missing(const Source& source, const std::vector<std::string>& absent) {
  struct Found {
    std::size_t count = 0;
    std::string first;
  };
  std::map<std::string, Found> arrays;
  for (const auto& chunk : absent) {
    if (is_refused(source, chunk)) continue;
    auto& found = arrays[array_of(chunk)];
    if (found.count++ == 0) found.first = chunk;
  }
  for (const auto& [array, found] : arrays) {
    std::fprintf(stderr,
                 "bevscope: warning: %s: %zu chunk%s not stored, read as fill values "
                 "(%s%s)\n",
                 array.empty() ? "(the store)" : array.c_str(), found.count,
                 found.count == 1 ? " is" : "s are", found.first.c_str(),
                 found.count == 1 ? "" : ", ..");
  }
}

}  // namespace bev::native
