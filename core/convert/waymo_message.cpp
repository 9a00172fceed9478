#include "core/convert/waymo_message.hpp"

#include <cstring>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/map/wire.hpp"

namespace bev::convert::waymo {
namespace {

using map::bytes_field;
using map::fixed32_field;
using map::fixed64_field;
using map::varint_field;
using map::Wire;

/// Runs `read` and adds the thing to its errors: "track 3".
template <class Read>
void located(const char* thing, std::size_t index, Read read) {
  try {
    read();
  } catch (const Error& error) {
    fail(error.code(), {thing, " ", index, ": ", error.what()});
  }
}

/// Reads messages and counts their contents.
class Parser {
 public:
  explicit Parser(const Limits& limits) : limits_(limits) {}

  void read(Wire wire, Message& out);

 private:
  static void take(std::size_t& used, std::size_t limit, const char* what) {
    if (++used > limit) {
      fail(Errc::limit_exceeded,
           {"scenario: too many ", what, " (expected at most ", limit, ")"});
    }
  }
  void take_item() { take(items_, limits_.items, "items"); }

  template <class T>
  T& added(std::vector<T>& list) {
    take_item();
    return list.emplace_back();
  }

  void read_times(Wire& wire, std::vector<double>& out);
  void read_ids(Wire& wire, std::vector<std::int64_t>& out);
  void read_track(Wire wire, Track& out);
  void read_lane_states(Wire wire, std::vector<LaneState>& out);
  void read_feature(Wire wire, Feature& out);
  void read_lane(Wire wire, Feature& out);
  void read_neighbour(Wire wire, Neighbour& out);
  void read_points(Wire wire, std::uint32_t tag, Feature& out);
  geom::Vec3 read_point(Wire wire);

  Limits limits_;
  std::size_t times_ = 0, states_ = 0, points_ = 0, items_ = 0;
};

std::int64_t signed_varint(Wire& wire) {
  return static_cast<std::int64_t>(wire.varint());
}

State read_state(Wire wire) {
  State out;
  while (wire.next()) {
    switch (wire.tag()) {
      case fixed64_field(2): out.centre.x = wire.real64(); break;
      case fixed64_field(3): out.centre.y = wire.real64(); break;
      case fixed64_field(4): out.centre.z = wire.real64(); break;
      case fixed32_field(5): out.length = wire.real32(); break;
      case fixed32_field(6): out.width = wire.real32(); break;
      case fixed32_field(7): out.height = wire.real32(); break;
      case fixed32_field(8): out.heading = wire.real32(); break;
      case fixed32_field(9): out.velocity_x = wire.real32(); break;
      case fixed32_field(10): out.velocity_y = wire.real32(); break;
      case varint_field(11): out.is_valid = wire.boolean(); break;
      default: wire.skip();
    }
  }
  return out;
}

BoundarySection read_section(Wire wire) {
  BoundarySection out;
  while (wire.next()) {
    switch (wire.tag()) {
      case varint_field(1): out.begin = signed_varint(wire); break;
      case varint_field(2): out.end = signed_varint(wire); break;
      case varint_field(3): out.feature = signed_varint(wire); break;
      case varint_field(4): out.type = wire.varint(); break;
      default: wire.skip();
    }
  }
  return out;
}

RequiredPrediction read_prediction(Wire wire) {
  RequiredPrediction out;
  while (wire.next()) {
    switch (wire.tag()) {
      case varint_field(1): out.track_index = signed_varint(wire); break;
      case varint_field(2): out.difficulty = wire.varint(); break;
      default: wire.skip();
    }
  }
  return out;
}

geom::Vec3 Parser::read_point(Wire wire) {
  take(points_, limits_.points, "points");
  geom::Vec3 out;
  while (wire.next()) {
    switch (wire.tag()) {
      case fixed64_field(1): out.x = wire.real64(); break;
      case fixed64_field(2): out.y = wire.real64(); break;
      case fixed64_field(3): out.z = wire.real64(); break;
      default: wire.skip();
    }
  }
  return out;
}

/// Reads the times, packed or one.
void Parser::read_times(Wire& wire, std::vector<double>& out) {
  const auto add = [&](double time) {
    take(times_, limits_.times, "times");
    out.push_back(time);
  };
  if (wire.tag() == fixed64_field(1)) {
    add(wire.real64());
    return;
  }
  const auto text = wire.bytes();
  const auto packed = std::as_bytes(std::span<const char>(text.data(), text.size()));
  if (packed.size() % sizeof(double) != 0) {
    fail(Errc::corrupt_chunk, {"times: not whole numbers"});
  }
  for (std::size_t at = 0; at < packed.size(); at += sizeof(double)) {
    add(load_le<double>(packed.data() + at));
  }
}

void Parser::read_ids(Wire& wire, std::vector<std::int64_t>& out) {
  wire.each_varint([&](std::uint64_t id) {
    take_item();
    out.push_back(static_cast<std::int64_t>(id));
  });
}

void Parser::read_track(Wire wire, Track& out) {
  while (wire.next()) {
    switch (wire.tag()) {
      case varint_field(1): out.id = signed_varint(wire); break;
      case varint_field(2): out.type = wire.varint(); break;
      case bytes_field(3):
        take(states_, limits_.states, "states");
        out.states.push_back(read_state(Wire(wire.bytes())));
        break;
      default: wire.skip();
    }
  }
}

void Parser::read_lane_states(Wire wire, std::vector<LaneState>& out) {
  while (wire.next()) {
    if (wire.tag() != bytes_field(1)) {
      wire.skip();
      continue;
    }
    auto& state = added(out);
    Wire inner(wire.bytes());
    while (inner.next()) {
      switch (inner.tag()) {
        case varint_field(1): state.lane = signed_varint(inner); break;
        case varint_field(2): state.state = inner.varint(); break;
        case bytes_field(3): state.stop_point = read_point(Wire(inner.bytes())); break;
        default: inner.skip();
      }
    }
  }
}

void Parser::read_neighbour(Wire wire, Neighbour& out) {
  while (wire.next()) {
    switch (wire.tag()) {
      case varint_field(1): out.lane = signed_varint(wire); break;
      case varint_field(2): out.begin = signed_varint(wire); break;
      case varint_field(3): out.end = signed_varint(wire); break;
      case bytes_field(6):
        added(out.boundary_types) = read_section(Wire(wire.bytes())).type;
        break;
      default: wire.skip();
    }
  }
}

void Parser::read_lane(Wire wire, Feature& out) {
  while (wire.next()) {
    switch (wire.tag()) {
      case fixed64_field(1): out.has_speed_limit = wire.real64() != 0; break;
      case varint_field(2): out.type = wire.varint(); break;
      case varint_field(3): out.is_interpolating = wire.boolean(); break;
      case bytes_field(8): out.points.push_back(read_point(Wire(wire.bytes()))); break;
      case bytes_field(10):
      case varint_field(10): read_ids(wire, out.exits); break;
      case bytes_field(11):
        read_neighbour(Wire(wire.bytes()), added(out.left_neighbours));
        break;
      case bytes_field(12):
        read_neighbour(Wire(wire.bytes()), added(out.right_neighbours));
        break;
      case bytes_field(13):
        added(out.left_boundaries) = read_section(Wire(wire.bytes()));
        break;
      case bytes_field(14):
        added(out.right_boundaries) = read_section(Wire(wire.bytes()));
        break;
      default: wire.skip();
    }
  }
}

/// Reads a feature with points in the field `tag`, and a type in field 1 if that is
/// another.
void Parser::read_points(Wire wire, std::uint32_t tag, Feature& out) {
  while (wire.next()) {
    if (wire.tag() == tag) {
      out.points.push_back(read_point(Wire(wire.bytes())));
    } else if (wire.tag() == varint_field(1)) {
      out.type = wire.varint();
    } else {
      wire.skip();
    }
  }
}

void Parser::read_feature(Wire wire, Feature& out) {
  while (wire.next()) {
    const auto tag = wire.tag();
    if (tag == varint_field(1)) {
      out.id = signed_varint(wire);
      continue;
    }
    const auto kind = static_cast<FeatureKind>(tag >> 3U);
    const bool is_lane = kind == FeatureKind::lane;
    std::uint32_t points = 0;  // the field with points
    switch (kind) {
      case FeatureKind::crosswalk:
      case FeatureKind::speed_bump:
      case FeatureKind::driveway: points = bytes_field(1); break;
      case FeatureKind::road_line:
      case FeatureKind::road_edge:
      case FeatureKind::stop_sign: points = bytes_field(2); break;
      default: break;
    }
    if ((tag & 7U) != 2 || (!is_lane && points == 0)) {
      wire.skip();
      continue;
    }
    if (out.kind != kind) {  // the last member of a oneof wins
      const auto id = out.id;
      out = {};
      out.id = id;
      out.kind = kind;
    }
    is_lane ? read_lane(Wire(wire.bytes()), out)
            : read_points(Wire(wire.bytes()), points, out);
  }
}

void Parser::read(Wire wire, Message& out) {
  while (wire.next()) {
    switch (wire.tag()) {
      case fixed64_field(1):
      case bytes_field(1): read_times(wire, out.times_s); break;
      case bytes_field(2):
        located("track", out.tracks.size(),
                [&] { read_track(Wire(wire.bytes()), added(out.tracks)); });
        break;
      case varint_field(4):
      case bytes_field(4): read_ids(wire, out.objects_of_interest); break;
      case bytes_field(5): out.id = map::checked_utf8(wire.bytes()); break;
      case varint_field(6): out.ego_index = signed_varint(wire); break;
      case bytes_field(7):
        located("dynamic map state", out.lane_states.size(),
                [&] { read_lane_states(Wire(wire.bytes()), added(out.lane_states)); });
        break;
      case bytes_field(8):
        located("map feature", out.features.size(),
                [&] { read_feature(Wire(wire.bytes()), added(out.features)); });
        break;
      case varint_field(10): out.current_time_index = signed_varint(wire); break;
      case bytes_field(11):
        added(out.predictions) = read_prediction(Wire(wire.bytes()));
        break;
      case bytes_field(12):
        ++out.lidar_frames;
        wire.skip();
        break;
      case bytes_field(13):
        ++out.camera_frames;
        wire.skip();
        break;
      default: wire.skip();
    }
  }
}

}  // namespace

Message parse_message(std::string_view bytes, const Limits& limits) {
  Message out;
  Parser(limits).read(Wire(bytes), out);
  return out;
}

}  // namespace bev::convert::waymo
