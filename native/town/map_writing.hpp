#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "native/town/georeference.hpp"
#include "native/town/map_messages.hpp"
#include "native/town/plan.hpp"

// Shared helpers of the map's writers, and their declarations: each writer adds the
// elements of one kind to the map.

namespace bev::town {

using message::Builder;

/// Returns a position on the ground, in world.
geom::Vec3 on_ground(Vec2 at) noexcept;

// Writes a MapElement, which consists of an id and one element.
template <class Fill>
void add_element(Builder<message::Fragment>& map, const std::string& id, Fill fill) {
  Builder<message::MapElement> outer(map, message::Fragment::elements);
  Builder<message::GlobalId>(outer, message::MapElement::id)
      .add_bytes(message::GlobalId::id, id);
  Builder<message::Element> element(outer, message::MapElement::element);
  fill(element);
}

template <class Outer, class Tag>
void add_id(Outer& outer, Tag tag, const std::string& id) {
  Builder<message::GlobalId>(outer, tag).add_bytes(message::GlobalId::id, id);
}

template <class Outer, class Tag>
void add_place(Outer& outer, Tag tag, PlaceE7 place) {
  Builder<message::GeoLocation> location(outer, tag);
  location.add_sfixed32(message::GeoLocation::lat_e7, place.latitude);
  location.add_sfixed32(message::GeoLocation::lng_e7, place.longitude);
}

template <class Outer, class Tag>
void add_frame(Outer& outer, Tag tag, PlaceE7 origin) {
  Builder<message::GeoFrame> frame(outer, tag);
  add_place(frame, message::GeoFrame::origin, origin);
}

// A line as centimetre steps from the origin of a local frame.
struct Steps {
  std::vector<std::int32_t> x, y, z;
};

/// Returns the steps along `line`, which lies on the ground.
Steps steps(const std::vector<Vec2>& line, const geom::Affine3& local_from_world);

template <class Message>
void add_steps(Builder<Message>& out, Message x, Message y, Message z,
               const Steps& line) {
  out.add_packed_sint32(x, line.x.begin(), line.x.end());
  out.add_packed_sint32(y, line.y.begin(), line.y.end());
  out.add_packed_sint32(z, line.z.begin(), line.z.end());
}

void add_lanes(Builder<message::Fragment>& map, const Plan& plan);
void add_crosswalks(Builder<message::Fragment>& map, const Plan& plan);
void add_lights(Builder<message::Fragment>& map, const Plan& plan);
void add_segments(Builder<message::Fragment>& map, const Plan& plan);
void add_nodes(Builder<message::Fragment>& map, const Plan& plan);

}  // namespace bev::town
