#pragma once

#include <string>
#include <string_view>

#include "core/map/meta.hpp"
#include "tests/support/map_writer.hpp"

// Elements of a synthetic map whose world is metres east and north of the intersection
// of equator and prime meridian, so that tests know positions.

namespace bev::test {

inline map::Meta equator_meta() {
  map::Meta out;
  out.ecef_from_world.rows[0] = {0, 0, 1, 6378137};
  out.ecef_from_world.rows[1] = {1, 0, 0, 0};
  out.ecef_from_world.rows[2] = {0, 1, 0, 0};
  out.world_from_ecef.rows[0] = {0, 1, 0, 0};
  out.world_from_ecef.rows[1] = {0, 0, 1, 0};
  out.world_from_ecef.rows[2] = {1, 0, 0, -6378137};
  return out;
}

/// Returns that world's meta.json.
inline std::string equator_meta_json() {
  return R"({"world_to_ecef": [[0, 0, 1, 6378137.0], [1, 0, 0, 0], [0, 1, 0, 0],
             [0, 0, 0, 1]]})";
}

/// Returns a lane of 4 m width that goes 10 m north from (x, 0).
inline Message lane(std::string_view id, std::int32_t x_m, const Message& more = {}) {
  const auto message = Message()
                           .message(3, boundary({x_m * 100 - 200, 0}, {0, 1000}))
                           .message(4, boundary({x_m * 100 + 200, 0}, {0, 1000}))
                           .raw(more.text());
  return map_element(id, kLane, message);
}

/// Returns a traffic_control_element with that oneof field: 29 is a light, 11 a red
/// face.
inline Message control(std::string_view id, std::uint32_t type,
                       const Message& value = {}) {
  return map_element(id, kControl, Message().message(type, value));
}

/// Returns a triangle: (x, 0), (x + 3, 0), (x + 3, 5).
inline Message crosswalk(std::string_view id, std::int32_t x_m) {
  return map_element(id, kControl,
                     Message()
                         .deltas(3, {x_m * 100, 300, 0})
                         .deltas(4, {0, 0, 500})
                         .deltas(5, {0, 0, 0})
                         .message(16, Message()));
}

}  // namespace bev::test
