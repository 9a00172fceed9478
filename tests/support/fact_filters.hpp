#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/facts/columns.hpp"

namespace bev::test {

/// Filters of facts of all kinds.
inline const std::vector<std::pair<facts::TableKind, std::string>>& fact_filters() {
  static const auto all = [] {
    std::vector<std::pair<facts::TableKind, std::string>> out;
    for (const auto* where : {"",
                              "ego_max_speed > 10",
                              "ego_mean_speed < 5",
                              "ego_hardest_brake < -3",
                              "turn == 'left'",
                              "turn in ('left', 'right')",
                              "turn == 'u_turn'",
                              "unprotected_left",
                              "not unprotected_left",
                              "tracks > 5",
                              "vehicles == 3",
                              "closest_vehicle < 2",
                              "closest_pedestrian < 10",
                              "min_ttc < 3",
                              "isnan(min_ttc)",
                              "not isnan(min_ttc)",
                              "cut_ins > 0",
                              "cut_in_frame >= 0",
                              "light == 'unknown'",
                              "light == 'red'",
                              "scene == 3",
                              "scene in (1, 5, 9)",
                              "frames > 1000",
                              "duration > 1",
                              "stationary > 0.2",
                              "heading_change > 0.5 or heading_change < -0.5",
                              "ego_distance / duration > 5",
                              "ego_max_speed - ego_mean_speed > 3"}) {
      out.emplace_back(facts::TableKind::scenes, where);
    }
    for (const auto* where : {"",
                              "max_speed > 8",
                              "mean_speed < 1",
                              "label == 'CAR'",
                              "class == 'PEDESTRIAN'",
                              "class != 'VEHICLE' and max_speed > 3",
                              "closest_ego < 1",
                              "closest_ego > 100000",
                              "min_ttc < 2",
                              "isnan(min_ttc)",
                              "cut_in",
                              "cut_in or min_ttc < 2",
                              "track_id == 3",
                              "track_id in (1, 2)",
                              "scene == 7",
                              "scene > 20 and scene < 25",
                              "turn == 'right'",
                              "hardest_brake < -4",
                              "first_frame > 5",
                              "frames < 10",
                              "distance > 20 and turn == 'straight'",
                              "stationary == 1",
                              "heading_change > 1",
                              "strongest_acceleration > 2",
                              "closest_ego_frame == first_frame",
                              "track_id == 18446744073709551615"}) {
      out.emplace_back(facts::TableKind::tracks, where);
    }
    return out;
  }();
  return all;
}

}  // namespace bev::test
