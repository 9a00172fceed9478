#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace bev::test {

/// The fuzzers' targets, also run by a test over the seeds. A target returns for any
/// input; it throws std::logic_error if a property of the importers is violated.

/// Imports the input as a Waymo scenario, alone and with a place: either an Error, or a
/// scenario that becomes records and a map that can be read. Also reads it as a TFRecord
/// file: either an Error, or records that cover the file.
void waymo_target(std::span<const std::byte> input);

/// Imports the input as a scenario of ScenarioNet, alone and with a place, and reads it as
/// a list of a folder: either an Error, or what waymo_target() checks.
void scenarionet_target(std::span<const std::byte> input);

/// Imports the input as a scenario of CommonRoad, alone, with a place and with an obstacle
/// as ego vehicle: either an Error, or what waymo_target() checks.
void commonroad_target(std::span<const std::byte> input);

/// Imports the input as a map of OpenDRIVE: either an Error, or a map that can be written
/// and read.
void opendrive_target(std::span<const std::byte> input);

/// Imports the input as a log of nuPlan and as a map, and reads every table of it as a
/// SQLite file: either an Error, or what waymo_target() checks.
void nuplan_target(std::span<const std::byte> input);

/// Imports a version of nuScenes of which the input is a file, that of its first byte: 'a'
/// for the first; or the map of its location: either an Error, or what waymo_target()
/// checks.
void nuscenes_target(std::span<const std::byte> input);

/// Imports the input as a map of Lanelet2: either an Error, or a map that can be written
/// and read.
void lanelet2_target(std::span<const std::byte> input);

/// Imports every scenario of the input, a track file of INTERACTION, alone and with a
/// place: either an Error, or cases that cover the file and what waymo_target() checks.
void interaction_target(std::span<const std::byte> input);

/// Parses the input as a geometry of a GeoPackage: either an Error, or lines of together
/// no more points than the input's bytes allow.
void wkb_target(std::span<const std::byte> input);

/// Parses the input as an Argoverse 2 map: either an Error, or a map that can be written
/// and read.
void city_map_target(std::span<const std::byte> input);

struct ConvertSeed {
  std::string target;  ///< "waymo"
  std::string name;
  std::string bytes;
};

/// Returns small inputs that reach every message and record.
std::vector<ConvertSeed> convert_seeds();

}  // namespace bev::test
