#include "core/convert/divider_types.hpp"

#include <algorithm>
#include <utility>

#include "core/convert/lane_sides.hpp"
#include "core/geom/trig.hpp"

namespace bev::convert {
namespace {

using map::Divider;

constexpr std::pair<std::string_view, Divider> kDividers[] = {
    {"NIL", Divider::none},
    {"SINGLE_SOLID_WHITE", Divider::single_white_solid},
    {"SINGLE_SOLID_YELLOW", Divider::single_yellow_solid},
    {"SINGLE_DASHED_WHITE", Divider::single_white_dashed},
    {"SINGLE_DASHED_YELLOW", Divider::single_yellow_dashed},
    {"DOUBLE_DASHED_WHITE", Divider::single_white_dashed},
    {"DOUBLE_DASHED_YELLOW", Divider::single_yellow_dashed},
    {"DOUBLE_SOLID_WHITE", Divider::double_white_solid},
    {"DOUBLE_SOLID_YELLOW", Divider::double_yellow_solid}};

}  // namespace

Divider nuscenes_divider(std::string_view name) {
  for (const auto& [known, type] : kDividers) {
    if (known == name) return type;
  }
  return Divider::unknown;
}

DividerTypes divider_types(std::span<const DividerNode> nodes,
                           const std::vector<geom::Vec3>& side) {
  DividerTypes out;
  if (nodes.empty()) return out;
  const auto lengths = lengths_cm(side);
  std::vector<std::int32_t> places;
  for (const auto& node : nodes) {
    const auto distance = [&](const geom::Vec3& p) {
      return geom::hypot(p.x - node.position.x, p.y - node.position.y);
    };
    const auto nearest = std::min_element(
        side.begin(), side.end(),
        [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
    places.push_back(lengths[static_cast<std::size_t>(nearest - side.begin())]);
  }
  std::vector<DividerChange> all;
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
    if (places[i] == places[i + 1]) continue;
    all.push_back({std::min(places[i], places[i + 1]), nodes[i].type});
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.at_cm < b.at_cm; });
  out.first = all.empty() ? nodes.front().type : all.front().divider;
  auto current = out.first;
  for (const auto& one : all) {
    const bool is_after = out.changes.empty() || one.at_cm > out.changes.back().at_cm;
    if (one.divider == current || one.at_cm <= 0 || !is_after) continue;
    out.changes.push_back(one);
    current = one.divider;
  }
  return out;
}

}  // namespace bev::convert
