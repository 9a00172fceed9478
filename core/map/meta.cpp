#include "core/map/meta.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/error.hpp"
#include "core/base/json_tree.hpp"

namespace bev::map {
namespace {

using geom::Affine3;
using nlohmann::json;

[[noreturn]] void invalid(Message what) {
  fail(Errc::invalid_metadata, {"meta.json: ", joined(what)});
}

// Far above values of frames on Earth, and small enough that no product overflows.
bool is_sane(double number) {
  return std::abs(number) <= 1e15;
}

double number(const json& value, const std::string& name) {
  if (!value.is_number()) {
    invalid({name, ": not a number (found ", value.type_name(), ")"});
  }
  const auto out = value.get<double>();
  if (!is_sane(out)) invalid({name, ": number is too large"});
  return out;
}

Affine3::Row row(const json& value, const std::string& name) {
  Affine3::Row out{};
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = number(value[i], name);
  return out;
}

Affine3 matrix(const json& value, const std::string& name) {
  const auto is_row = [](const json& row) { return row.is_array() && row.size() == 4; };
  if (!value.is_array() || value.size() != 4 ||
      !std::all_of(value.begin(), value.end(), is_row)) {
    invalid({name, ": must be 4 rows of 4 numbers"});
  }
  if (row(value[3], name) != Affine3::Row{0, 0, 0, 1}) {
    invalid({name, ": last row must be 0 0 0 1"});
  }
  return {{row(value[0], name), row(value[1], name), row(value[2], name)}};
}

Affine3 undone(const Affine3& map, const std::string& name) {
  const std::string problem = name + ": matrix has no inverse";
  Affine3 out;
  try {
    out = geom::inverse(map);
  } catch (const Error&) {
    invalid({problem});
  }
  for (const auto& row : out.rows) {
    if (!std::all_of(row.begin(), row.end(), is_sane)) invalid({problem});
  }
  return out;
}

}  // namespace

Meta parse_meta(std::string_view text) {
  bool too_deep = false;
  const auto tree = parse_json_tree(text, too_deep);
  if (!tree) invalid({too_deep ? "nested too deeply" : "not JSON"});
  const json& root = *tree;
  if (!root.is_object() || !root.contains("world_to_ecef")) {
    invalid({"world_to_ecef not found"});
  }
  Meta meta;
  meta.ecef_from_world = matrix(root["world_to_ecef"], "world_to_ecef");
  meta.world_from_ecef = undone(meta.ecef_from_world, "world_to_ecef");
  if (root.contains("ecef_to_aerial")) {
    meta.aerial_from_ecef = matrix(root["ecef_to_aerial"], "ecef_to_aerial");
  }
  return meta;
}

}  // namespace bev::map
