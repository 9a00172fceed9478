#pragma once

#include <string>

#include "tests/support/nuscenes.hpp"
#include "tests/support/temp_folder.hpp"

namespace bev::test {

/// Writes a version and the maps beside it, as they are unpacked. Returns its folder.
inline std::string write_nuscenes(const TempFolder& folder,
                                  const NuscenesTables& made = {}) {
  for (const auto& [table, rows] : made.tables) {
    folder.write("n/v1.0-mini/" + table + ".json", rows.dump());
  }
  folder.write("n/maps/prediction/prediction_scenes.json", made.prediction.dump());
  for (const char* city : {"boston-seaport", "singapore-onenorth"}) {
    // Tokens of two maps differ.
    const auto map = *city == 's' ? "{}" : nuscenes_map().dump();
    folder.write(std::string("n/maps/expansion/") + city + ".json", map);
  }
  return folder.at("n/v1.0-mini");
}

}  // namespace bev::test
