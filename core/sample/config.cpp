#include "core/sample/config.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/json_tree.hpp"
#include "core/base/nearest_name.hpp"

namespace bev::sample {
namespace {

using Json = nlohmann::json;

std::string shown(const Json& value) {
  // The value may be of any size, so a message shows at most its beginning.
  constexpr std::size_t kLongest = 60;
  auto text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
  return text;
}

[[noreturn]] void refuse(std::string_view path, const Json& found,
                         std::string_view expected) {
  fail(Errc::invalid_argument, {"config: ", path, ": invalid value (found ",
                                shown(found), ", expected ", expected, ")"});
}

bool is_finite_number(const Json& value) {
  return value.is_number() && std::isfinite(value.get<double>());
}

std::optional<std::uint32_t> whole(const Json& value, std::uint32_t min,
                                   std::uint32_t max) {
  if (!value.is_number_integer()) return std::nullopt;
  if (!value.is_number_unsigned() && value.get<std::int64_t>() < 0) return std::nullopt;
  const auto number = value.get<std::uint64_t>();
  if (number < min || number > max) return std::nullopt;
  return static_cast<std::uint32_t>(number);
}

std::string range(std::uint32_t min, std::uint32_t max) {
  return joined({min, " to ", max});
}

/// The options of the section `bevscope`.
constexpr std::array<std::string_view, 4> kCorrections{
    "aerial_padding", "aerial_sub_pixel", "frames_per_step", "velocities_at_gaps"};

void check_corrections(const Json& config) {
  const auto section = config.find("bevscope");
  if (section == config.end() || section->is_null()) return;
  if (!section->is_object()) refuse("bevscope", *section, "an object");
  for (const auto& [name, value] : section->items()) {
    if (std::find(kCorrections.begin(), kCorrections.end(), name) !=
        kCorrections.end()) {
      continue;
    }
    std::string list;
    for (const auto known : kCorrections) {
      list += (list.empty() ? "" : ", ") + std::string(known);
    }
    const auto nearest = nearest_name(name, kCorrections);
    fail(Errc::not_found, {"config: bevscope: unknown option (found ", shown(name),
                           nearest.empty() ? "" : ", nearest ", nearest,
                           ", expected one of ", list, ")"});
  }
}

}  // namespace

Config Config::parse(std::string_view json) {
  bool too_deep = false;
  auto tree = parse_json_tree(json, too_deep);
  if (too_deep) {
    fail(Errc::invalid_argument,
         {"config: nested deeper than ", kMaxJsonDepth, " levels"});
  }
  if (!tree) fail(Errc::invalid_argument, {"config: not JSON"});
  if (!tree->is_object()) {
    fail(Errc::invalid_argument, {"config: invalid value (found ", shown(*tree),
                                  ", expected an object of sections)"});
  }
  check_corrections(*tree);
  return Config(*std::move(tree));
}

Config::Config(Json tree) : tree_(std::make_shared<const Json>(std::move(tree))) {}

const Json* Config::find(std::string_view path) const {
  const Json* here = tree_.get();
  while (!path.empty()) {
    const auto dot = path.find('.');
    const auto key = path.substr(0, dot);
    path = dot == std::string_view::npos ? std::string_view{} : path.substr(dot + 1);
    if (!here->is_object()) return nullptr;
    const auto found = here->find(std::string(key));
    if (found == here->end() || found->is_null()) return nullptr;
    here = &*found;
  }
  return here;
}

const Json& Config::at(std::string_view path, std::string_view expected) const {
  const auto* value = find(path);
  if (value == nullptr) {
    fail(Errc::missing_key,
         {"config: ", path, ": not found (expected ", expected, ")"});
  }
  return *value;
}

bool Config::has(std::string_view path) const {
  return find(path) != nullptr;
}

bool Config::flag(std::string_view path) const {
  const auto& value = at(path, "true or false");
  if (!value.is_boolean()) refuse(path, value, "true or false");
  return value.get<bool>();
}

double Config::number(std::string_view path) const {
  const auto& value = at(path, "a number");
  if (!is_finite_number(value)) refuse(path, value, "a number");
  return value.get<double>();
}

std::string Config::text(std::string_view path) const {
  const auto& value = at(path, "a string");
  if (!value.is_string()) refuse(path, value, "a string");
  return value.get<std::string>();
}

std::uint32_t Config::count(std::string_view path, std::uint32_t max) const {
  const auto expected = "an integer, " + range(0, max);
  const auto& value = at(path, expected);
  const auto number = whole(value, 0, max);
  if (!number) refuse(path, value, expected);
  return *number;
}

std::array<double, 2> Config::number_pair(std::string_view path) const {
  constexpr std::string_view kExpected = "two numbers";
  const auto& value = at(path, kExpected);
  if (!value.is_array() || value.size() != 2 || !is_finite_number(value[0]) ||
      !is_finite_number(value[1])) {
    refuse(path, value, kExpected);
  }
  return {value[0].get<double>(), value[1].get<double>()};
}

std::array<std::uint32_t, 2> Config::size_pair(std::string_view path,
                                               std::uint32_t max) const {
  const auto expected = "two integers, " + range(1, max);
  const auto& value = at(path, expected);
  if (!value.is_array() || value.size() != 2) refuse(path, value, expected);
  const auto first = whole(value[0], 1, max);
  const auto second = whole(value[1], 1, max);
  if (!first || !second) refuse(path, value, expected);
  return {*first, *second};
}

std::string Config::json() const {
  return tree_->dump(-1, ' ', true, Json::error_handler_t::replace);
}

DataKeys data_keys(const Config& config, bool vectorized) {
  const auto type = vectorized ? "" : config.text("raster_params.map_type");
  const bool has_map = vectorized || type == "py_semantic" || type == "semantic_debug";
  const bool has_image = type == "py_satellite" || type == "satellite_debug";
  DataKeys keys;
  if (has_map) keys.semantic_map = config.text("raster_params.semantic_map_key");
  if (has_image) keys.aerial_image = config.text("raster_params.satellite_map_key");
  if (has_map || has_image) keys.meta = config.text("raster_params.dataset_meta_key");
  return keys;
}

}  // namespace bev::sample
