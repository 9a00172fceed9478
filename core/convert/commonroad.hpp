#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/convert/object_types.hpp"
#include "core/convert/scenario.hpp"
#include "core/convert/waymo.hpp"

namespace bev::convert {

/// Converts a scenario of CommonRoad: an XML file of version 2018b or 2020a.
///
/// World is the file's frame. Frames are the time steps from 0 to the last state of an
/// obstacle, or the end of the planning problems if nothing moves. Obstacles are tracks in
/// the file's order; a static one is in every frame. An agent is its shape's box. The ego
/// vehicle is the obstacle ImportOptions::ego; without that it stands in the start of the
/// first planning problem, or in the middle of everything, and its poses are counted as
/// repeated.
///
/// Throws     corrupt_chunk for text that is not XML in UTF-8; invalid_metadata, naming
///            the element, for absent and invalid values, and for an id twice; unsupported
///            for another root or version; not_found for an ego vehicle that the file
///            lacks; limit_exceeded above a limit, and as import_waymo() for a place.
/// Reference  commonroad-io, XML_commonRoad_XSD.xsd and common/reader/file_reader_xml.py
Scenario import_commonroad(std::string_view xml, const Tables& tables,
                           const ImportOptions& options = {});

namespace commonroad {

// A scenario as stored.

/// A rectangle, or the box around another shape.
struct ShapeBox {
  geom::Vec2 centre;
  double length = 0, width = 0, heading_rad = 0;
};

struct State {
  std::int64_t step = 0;
  geom::Vec2 position;
  std::optional<double> heading_rad;
  std::optional<double> velocity, velocity_y;  ///< along and across the heading, if any
  std::optional<ShapeBox> occupied;            ///< in place of the obstacle's shape
};

struct Obstacle {
  std::int64_t id = 0;
  std::string type;
  bool is_static = false;
  ShapeBox shape;             ///< from the position, along the heading
  std::vector<State> states;  ///< in any order; of two in a step the first counts
};

/// The start of a planning problem, and the last step of its goals.
struct Problem {
  std::int64_t id = 0;
  State start;
  std::int64_t last_step = 0;
};

/// A traffic light, of which the cycle begins at step `offset`.
struct Light {
  SourceLight source;
  /// Steps, and whether red, yellow and green are lit.
  std::vector<std::pair<std::int64_t, std::array<bool, 3>>> phases;
  std::int64_t offset = 0;
  bool is_active = true;
};

struct File {
  std::string id;
  double step_s = 0;
  SourceMap map;  ///< without lights
  std::vector<Light> lights;
  std::vector<std::pair<std::size_t, std::string>> lane_lights;  ///< lane, light
  std::vector<Obstacle> obstacles;
  std::vector<Problem> problems;
  std::string attributes;  ///< JSON
  std::map<std::string, std::uint64_t> lost;
};

File parse(std::string_view xml);

}  // namespace commonroad
}  // namespace bev::convert
