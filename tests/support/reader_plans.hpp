#pragma once

#include <nlohmann/json.hpp>
#include <vector>

namespace bev::test {

/// Returns plans of random_scenes() that differ in filter, windows, order, shard and
/// batches.
inline std::vector<nlohmann::json> reader_plans() {
  using nlohmann::json;
  std::vector<json> out;
  const json filters{"", "track_id != 4", "frame > 3 and track_id != 2", "row < 40"};
  const json windows{nullptr,
                     {{"past", 1}, {"future", 2}},
                     {{"past", 2}, {"future", 1}, {"edges", "pad"}}};
  for (const auto* mode : {"none", "tracks", "blocks", "full"}) {
    for (const auto& filter : filters) {
      for (const auto& window : windows) {
        json plan{{"fields", {"row", "centroid", "yaw", "time"}},
                  {"order", {{"mode", mode}, {"seed", 5}, {"group", 3}}},
                  {"batch", {{"size", 7}}}};
        if (filter != "") plan["where"] = filter;
        if (!window.is_null()) plan["window"] = window;
        out.push_back(std::move(plan));
      }
    }
  }
  for (const auto* mode : {"strided", "scene", "blocks"}) {
    for (const auto* equal : {"none", "drop", "pad"}) {
      for (const auto* order : {"none", "blocks"}) {
        out.push_back(
            {{"where", "track_id == 1"},
             {"order", {{"mode", order}}},
             {"shard", {{"index", 1}, {"count", 3}, {"mode", mode}, {"equal", equal}}},
             {"batch", {{"size", 4}}}});
      }
    }
  }
  for (const auto* mode : {"none", "tracks"}) {
    out.push_back({{"where", "track_id != 4"},
                   {"order", {{"mode", mode}}},
                   {"batch", {{"by_block", true}}}});
  }
  out.push_back({{"batch", {{"size", 11}, {"drop_last", true}}}});
  out.push_back({{"from", "frames"}, {"order", {{"mode", "blocks"}}}});
  out.push_back({{"from", "traffic_light_faces"}, {"batch", {{"size", 9}}}});
  return out;
}

}  // namespace bev::test
