#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/base/error.hpp"
#include "core/convert/scenarionet.hpp"
#include "core/convert/scenarionet_pickle.hpp"
#include "core/pickle/numpy.hpp"
#include "core/pickle/read.hpp"

namespace bev::convert {
namespace {

using pickle::Value;

// What scenarios name besides NumPy's arrays: number_summary is a defaultdict(int), and
// protocols below 4 call set.
constexpr std::array<std::string_view, 6> kGlobals{
    "__builtin__.long", "collections.defaultdict", "builtins.int", "__builtin__.int",
    "builtins.set",     "__builtin__.set"};

/// Throws for a path that leaves its folder.
void check_inside(std::string_view path) {
  bool is_outside = path.empty() || path.front() == '/' ||
                    path.find('\\') != std::string_view::npos ||
                    path.find('\0') != std::string_view::npos;
  for (std::size_t at = 0; at <= path.size();) {
    const auto end = std::min(path.find('/', at), path.size());
    is_outside |= path.substr(at, end - at) == "..";
    at = end + 1;
  }
  if (is_outside) {
    fail(Errc::invalid_metadata,
         {"scenario file: outside the folder (found \"", path, "\")"});
  }
}

}  // namespace

pickle::Pickle read_scenarionet_pickle(std::span<const std::byte> bytes) {
  std::vector<std::string_view> globals(kGlobals.begin(), kGlobals.end());
  const auto arrays = pickle::numpy_globals();
  globals.insert(globals.end(), arrays.begin(), arrays.end());
  pickle::Limits limits;
  limits.max_expanded = 1U << 28U;
  return pickle::read(bytes, kScenarionetWhere, {.globals = globals}, limits);
}

std::vector<std::string> scenarionet_files(
    std::optional<std::span<const std::byte>> summary,
    std::optional<std::span<const std::byte>> mapping) {
  std::unordered_map<std::string, std::string> folders;
  std::vector<std::string> names;
  const auto for_each = [](std::span<const std::byte> bytes, auto use) {
    const auto read = read_scenarionet_pickle(bytes);
    if (!read.root().is(pickle::Kind::dict)) {
      fail(Errc::invalid_metadata, {"scenarios: not a dict of files"});
    }
    const auto items = read.root().items();
    for (auto item = items.begin(); item != items.end(); ++item) {
      const auto name = (*item).text();
      if (!name) fail(Errc::invalid_metadata, {"scenarios: not the name of a file"});
      ++item;
      use(std::string(*name), *item);
    }
  };
  if (mapping) {
    for_each(*mapping, [&](std::string name, Value folder) {
      if (!summary) names.push_back(name);
      const auto path = folder.text();
      if (!path) fail(Errc::invalid_metadata, {"scenarios: not the name of a folder"});
      folders[std::move(name)] = *path;
    });
  }
  if (summary) {
    for_each(*summary, [&](std::string name, Value) { names.push_back(name); });
  }
  std::vector<std::string> out;
  for (const auto& name : names) {
    const auto folder = folders.find(name);
    const bool is_here = folder == folders.end() || folder->second.empty();
    out.push_back(is_here ? name : folder->second + "/" + name);
    check_inside(out.back());
  }
  return out;
}

}  // namespace bev::convert
