#include "core/map/map_parts.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/error.hpp"
#include "core/base/json_tree.hpp"

namespace bev::map {
namespace {

using nlohmann::json;

constexpr double kFarthestCornerM = 1e15;

[[noreturn]] void invalid_parts(Message what) {
  fail(Errc::invalid_metadata, {"meta.json: map_parts: ", joined(what)});
}

const json& list_of_parts(const json& parts, const char* name) {
  const auto found = parts.is_object() ? parts.find(name) : parts.end();
  if (!parts.is_object() || found == parts.end() || !found->is_array()) {
    invalid_parts({name, ": not a list"});
  }
  if (found->size() <= kMaxMapParts) return *found;
  fail(Errc::limit_exceeded, {"meta.json: map_parts: too many (found ", found->size(),
                              ", expected at most ", kMaxMapParts, ")"});
}

Box area_of_part(const json& area, std::size_t part) {
  double sides[4] = {};
  bool is_valid = area.is_array() && area.size() == 4;
  for (std::size_t i = 0; is_valid && i < 4; ++i) {
    is_valid = area[i].is_number();
    if (is_valid) sides[i] = area[i].get<double>();
    is_valid = is_valid && std::abs(sides[i]) <= kFarthestCornerM;
  }
  if (!is_valid) invalid_parts({"part ", part, ": area must be 4 numbers"});
  if (!(sides[0] <= sides[2] && sides[1] <= sides[3])) {
    invalid_parts({"part ", part, ": area ends before it begins"});
  }
  return {sides[0], sides[1], sides[2], sides[3]};
}

}  // namespace

std::vector<MapPart> parse_map_parts(std::string_view meta_json) {
  bool is_deep = false;
  const auto root = parse_json_tree(meta_json, is_deep);
  if (!root) fail(Errc::invalid_metadata, {"meta.json: not JSON"});
  if (!root->is_object() || !root->contains("map_parts")) return {};
  const auto& parts = (*root)["map_parts"];
  const auto& ends = list_of_parts(parts, "ends");
  const auto& areas = list_of_parts(parts, "areas");
  if (ends.size() != areas.size()) {
    invalid_parts({"found ", ends.size(), " ends and ", areas.size(), " areas"});
  }
  std::vector<MapPart> out;
  out.reserve(ends.size());
  std::uint64_t begin = 0;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const auto end =
        ends[i].is_number_unsigned() ? ends[i].get<std::uint64_t>() : kMaxMapFileBytes;
    if (end < begin || end >= kMaxMapFileBytes) {
      invalid_parts({"part ", i, ": not an end"});
    }
    out.push_back({begin, end, area_of_part(areas[i], i)});
    begin = end;
  }
  return out;
}

}  // namespace bev::map
