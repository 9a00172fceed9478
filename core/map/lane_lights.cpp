#include "core/map/lane_lights.hpp"

#include <algorithm>
#include <string>

#include "core/base/error.hpp"

namespace bev::map {
namespace {

LaneLight light_of(Colour colour) {
  switch (colour) {
    case Colour::red: return LaneLight::red;
    case Colour::yellow: return LaneLight::yellow;
    case Colour::green: return LaneLight::green;
  }
  return LaneLight::none;
}

/// Whether `fresh` takes precedence over `old` for the same lane.
bool precedes(LaneLight fresh, LaneLight old) {
  return old == LaneLight::none || fresh < old;
}

}  // namespace

int light_feature(Colour colour) noexcept {
  switch (colour) {
    case Colour::green: return 1;
    case Colour::yellow: return 2;
    case Colour::red: return 3;
  }
  return 0;
}

LaneLights::LaneLights(const SemanticMap& map) {
  for (const Face& face : map.faces()) face_colours_.push_back(face.colour);
  first_.push_back(0);
  for (const Lane& lane : map.lanes()) {
    for (const auto& control : lane.traffic_controls) {
      const auto row = map.face_row(control);
      if (!row) continue;
      faces_.push_back(*row);
      face_rows_.try_emplace(control, *row);
    }
    first_.push_back(static_cast<std::uint32_t>(faces_.size()));
  }
}

std::vector<LaneLight> LaneLights::colours(
    std::span<const std::string_view> active) const {
  std::vector<bool> lit(face_colours_.size());
  for (const std::string_view id : active) {
    const auto face = face_rows_.find(id);
    if (face != face_rows_.end()) lit[face->second] = true;
  }
  std::vector<LaneLight> out(first_.size() - 1, LaneLight::none);
  for (std::size_t lane = 0; lane < out.size(); ++lane) {
    for (std::uint32_t i = first_[lane]; i < first_[lane + 1]; ++i) {
      const LaneLight light = light_of(face_colours_[faces_[i]]);
      if (lit[faces_[i]] && precedes(light, out[lane])) out[lane] = light;
    }
  }
  return out;
}

int traffic_light_feature(const SemanticMap& map, std::uint32_t lane,
                          std::span<const ActiveFace> active) {
  if (lane >= map.lanes().size()) {
    fail_index({"semantic map: lane "}, lane, map.lanes().size());
  }
  bool has_light = false;
  int feature = 0;
  const Lane& on = map.lanes()[lane];
  for (const auto& control : on.traffic_controls) {
    if (!map.contains(control)) {
      fail(Errc::not_found, {"semantic map: lane \"", on.id,
                             "\": unknown traffic control \"", control, "\""});
    }
    has_light = has_light || map.light_row(control).has_value();
    for (const ActiveFace& face : active) {
      if (face.id == control) feature = std::max(feature, light_feature(face.colour));
    }
  }
  return has_light ? feature : kNoLightFeature;
}

}  // namespace bev::map
