#include "core/model/sample_keys.hpp"

#include <string>

namespace bev::model {
namespace {

using Form = SampleKey::Form;

constexpr auto kF32 = Element::float32;
constexpr auto kF64 = Element::float64;
constexpr auto kI64 = Element::int64;
constexpr auto kU8 = Element::uint8;
constexpr auto kBool = Element::boolean;

constexpr std::int8_t kN = -1;

constexpr SampleKey kKeys[] = {
    {"image", kF32, Form::raster, {kN, kN, kN}, 3},
    {"frame_index", kI64, Form::raster, {}, 0, true},
    {"target_positions", kF32, Form::both, {kN, 2}, 2},
    {"target_yaws", kF32, Form::both, {kN, 1}, 2},
    {"target_velocities", kF32, Form::raster, {kN, 2}, 2},
    {"target_extents", kF32, Form::vector, {kN, 2}, 2},
    {"target_availabilities", kF32, Form::both, {kN}, 1},
    {"history_positions", kF32, Form::both, {kN, 2}, 2},
    {"history_yaws", kF32, Form::both, {kN, 1}, 2},
    {"history_velocities", kF32, Form::raster, {kN, 2}, 2},
    {"history_extents", kF32, Form::both, {kN, 2}, 2},
    {"history_availabilities", kF32, Form::both, {kN}, 1},
    {"future_extents", kF32, Form::raster, {kN, 2}, 2},
    {"world_to_image", kF64, Form::raster, {3, 3}, 2},
    {"raster_from_agent", kF64, Form::raster, {3, 3}, 2},
    {"raster_from_world", kF64, Form::raster, {3, 3}, 2},
    {"agent_from_world", kF64, Form::both, {3, 3}, 2},
    {"world_from_agent", kF64, Form::both, {3, 3}, 2},
    {"centroid", kF64, Form::both, {2}, 1},
    {"yaw", kF64, Form::both, {}, 0},
    {"extent", kF64, Form::both, {3}, 1},
    {"curr_speed", kF32, Form::raster, {}, 0},
    {"speed", kF32, Form::vector, {}, 0},
    {"type", kI64, Form::vector, {}, 0, true},
    {"scene_index", kI64, Form::both, {}, 0, true},
    {"host_id", kU8, Form::both, {70}, 1},
    {"timestamp", kI64, Form::both, {}, 0},
    {"track_id", kI64, Form::both, {}, 0},
    {"all_other_agents_history_positions", kF32, Form::vector, {kN, kN, 2}, 3},
    {"all_other_agents_history_yaws", kF32, Form::vector, {kN, kN, 1}, 3},
    {"all_other_agents_history_extents", kF32, Form::vector, {kN, kN, 2}, 3},
    {"all_other_agents_history_availability", kBool, Form::vector, {kN, kN}, 2},
    {"all_other_agents_future_positions", kF32, Form::vector, {kN, kN, 2}, 3},
    {"all_other_agents_future_yaws", kF32, Form::vector, {kN, kN, 1}, 3},
    {"all_other_agents_future_extents", kF32, Form::vector, {kN, kN, 2}, 3},
    {"all_other_agents_future_availability", kBool, Form::vector, {kN, kN}, 2},
    {"all_other_agents_types", kI64, Form::vector, {kN}, 1, true},
    {"all_other_agents_track_ids", kI64, Form::vector, {kN}, 1},
    {"agent_trajectory_polyline", kF32, Form::vector, {kN, 3}, 2},
    {"agent_polyline_availability", kBool, Form::vector, {kN}, 1},
    {"other_agents_polyline", kF32, Form::vector, {kN, kN, 3}, 3},
    {"other_agents_polyline_availability", kBool, Form::vector, {kN, kN}, 2},
    {"lanes", kF32, Form::vector, {kN, kN, 3}, 3},
    {"lanes_availabilities", kBool, Form::vector, {kN, kN}, 2},
    {"lanes_mid", kF32, Form::vector, {kN, kN, 3}, 3},
    {"lanes_mid_availabilities", kBool, Form::vector, {kN, kN}, 2},
    {"crosswalks", kF32, Form::vector, {kN, kN, 3}, 3},
    {"crosswalks_availabilities", kBool, Form::vector, {kN, kN}, 2},
};

}  // namespace

bool SampleKey::is_future() const noexcept {
  constexpr std::string_view kStarts[] = {"target_", "future_",
                                          "all_other_agents_future_"};
  for (const auto start : kStarts) {
    if (name.substr(0, start.size()) == start) return true;
  }
  return false;
}

bool SampleKey::is_own_history() const noexcept {
  return name == "history_positions" || name == "history_yaws" ||
         name == "history_extents" || name == "history_availabilities" ||
         name == "agent_trajectory_polyline" || name == "agent_polyline_availability";
}

std::span<const SampleKey> sample_keys() noexcept {
  return kKeys;
}

const SampleKey* find_key(std::string_view name) noexcept {
  for (const auto& key : kKeys) {
    if (key.name == name) return &key;
  }
  return nullptr;
}

std::string shape_text(const SampleKey& key) {
  std::string out = "(batch";
  for (std::size_t i = 0; i < key.rank; ++i) {
    out += ", ";
    out += key.shape[i] < 0 ? "n" : std::to_string(key.shape[i]);
  }
  return out + ")";
}

bool admits(const SampleKey& key, const Axes& axes) noexcept {
  if (axes.size() != std::size_t{key.rank} + 1) return false;
  for (std::size_t i = 0; i < key.rank; ++i) {
    if (key.shape[i] < 0) continue;
    if (!axes[i + 1].admits(static_cast<std::uint32_t>(key.shape[i]))) return false;
  }
  return true;
}

bool converts(const SampleKey& key, Element to) noexcept {
  const auto from = key.element;
  if (from == to) return true;
  // Availabilities are float32 in rasterized samples and bool in vectorized ones.
  const bool is_availability =
      key.name == "history_availabilities" || key.name == "target_availabilities";
  if (is_availability) return is_float(to) || to == kBool || to == kU8;
  // Coordinates in the world need more than 16 bits.
  if (from == kF64 && to == Element::float16) return false;
  if (is_float(from) && is_float(to)) return true;
  if (from == kI64 && to == Element::int32) return key.is_small;
  if (from == kBool) return to == kU8;
  if (from == kU8) return to == kBool;
  return key.name == "image" && to == kU8;
}

}  // namespace bev::model
