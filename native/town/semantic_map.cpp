#include "native/town/semantic_map.hpp"

#include <cmath>

#include "native/town/map_writing.hpp"
#include "native/town/scene_maker.hpp"

namespace bev::town {

geom::Vec3 on_ground(Vec2 at) noexcept {
  return {at.x, at.y, ground(at)};
}

Steps steps(const std::vector<Vec2>& line, const geom::Affine3& local_from_world) {
  Steps out;
  const auto whole = [](double metres) {
    return static_cast<std::int32_t>(std::floor(metres * 100 + 0.5));
  };
  std::int32_t x = 0, y = 0, z = 0;
  for (const Vec2& at : line) {
    const geom::Vec3 here = local_from_world * on_ground(at);
    out.x.push_back(whole(here.x) - x);
    out.y.push_back(whole(here.y) - y);
    out.z.push_back(whole(here.z) - z);
    x += out.x.back();
    y += out.y.back();
    z += out.z.back();
  }
  return out;
}

std::string semantic_map(const Plan& plan) {
  std::string bytes;
  Builder<message::Fragment> map(bytes);
  map.add_string(message::Fragment::name, "town");
  add_lanes(map, plan);
  add_crosswalks(map, plan);
  add_lights(map, plan);
  add_segments(map, plan);
  add_nodes(map, plan);
  return bytes;
}

}  // namespace bev::town
