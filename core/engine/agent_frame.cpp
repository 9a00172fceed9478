#include "core/engine/agent_frame.hpp"

#include <cstring>

#include "core/geom/angle.hpp"
#include "core/geom/trig.hpp"

namespace bev {
namespace {

template <class T>
double loaded(const std::byte* from) {
  T value{};
  std::memcpy(&value, from, sizeof value);
  return static_cast<double>(value);
}

template <class T>
void stored(double value, std::byte* to) {
  const auto rounded = static_cast<T>(value);
  std::memcpy(to, &rounded, sizeof rounded);
}

template <class T>
void convert(const AgentFrame& frame, FrameChange change, std::span<std::byte> values) {
  auto* at = values.data();
  if (change == FrameChange::angle) {
    for (std::size_t i = 0; i < values.size() / sizeof(T); ++i, at += sizeof(T)) {
      stored<T>(geom::angular_distance(loaded<T>(at), frame.yaw_rad), at);
    }
    return;
  }
  const auto [sin, cos] = geom::sincos(frame.yaw_rad);
  const bool moves = change == FrameChange::position;
  const double x0 = moves ? frame.x : 0, y0 = moves ? frame.y : 0;
  for (std::size_t i = 0; i < values.size() / (2 * sizeof(T)); ++i) {
    const double x = loaded<T>(at) - x0;
    const double y = loaded<T>(at + sizeof(T)) - y0;
    stored<T>(cos * x + sin * y, at);
    stored<T>(cos * y - sin * x, at + sizeof(T));
    at += 2 * sizeof(T);
  }
}

}  // namespace

FrameChange frame_change_of(std::string_view field) noexcept {
  if (field == "centroid") return FrameChange::position;
  if (field == "velocity") return FrameChange::direction;
  if (field == "yaw") return FrameChange::angle;
  return FrameChange::none;
}

void to_agent_frame(const AgentFrame& frame, FrameChange change,
                    const zarr::DType& type, std::span<std::byte> values) {
  if (change == FrameChange::none) return;
  if (type.item_size == sizeof(double)) return convert<double>(frame, change, values);
  convert<float>(frame, change, values);
}

}  // namespace bev
