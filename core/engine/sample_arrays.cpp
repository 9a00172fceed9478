#include "core/engine/sample_arrays.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace bev {
namespace {

template <class Value>
void add_scalar(ResultSet& out, std::string_view name, std::string_view dtype,
                const Value& value) {
  out.add(name, dtype, std::span<const std::size_t>{},
          std::as_bytes(std::span(&value, 1)));
}

void add_rows(ResultSet& out, std::string_view name, const std::vector<float>& values) {
  const std::array shape{values.size()};
  out.add(name, "<f4", shape, std::as_bytes(std::span(values)));
}

void add_rows(ResultSet& out, std::string_view name, const std::vector<float>& values,
              std::size_t inner) {
  const std::array shape{values.size() / inner, inner};
  out.add(name, "<f4", shape, std::as_bytes(std::span(values)));
}

void add_matrix(ResultSet& out, std::string_view name,
                const std::array<double, 9>& values) {
  constexpr std::array<std::size_t, 2> kShape{3, 3};
  out.add(name, "<f8", kShape, std::as_bytes(std::span(values)));
}

template <class Values>
void add_list(ResultSet& out, std::string_view name, std::string_view dtype,
              const Values& values) {
  const std::array shape{values.size()};
  out.add(name, dtype, shape, std::as_bytes(std::span(values)));
}

void add_extent(ResultSet& out, const sample::Sample& sample,
                std::array<float, 3>& agent_extent) {
  if (sample.track_id < 0) {
    add_list(out, "extent", "<f8", sample.extent);
    return;
  }
  for (std::size_t i = 0; i < agent_extent.size(); ++i) {
    agent_extent[i] = static_cast<float>(sample.extent[i]);
  }
  add_list(out, "extent", "<f4", agent_extent);
}

}  // namespace

void emit_sample(const sample::Sample& sample, const ResultArray& image,
                 std::array<float, 3>& agent_extent, ResultSet& out) {
  add_scalar(out, "frame_index", "<i8", sample.frame_index);
  if (!image.name.empty()) out.add(image.name, image.dtype, image.shape, image.bytes);
  add_rows(out, "target_positions", sample.target_positions, 2);
  add_rows(out, "target_yaws", sample.target_yaws, 1);
  add_rows(out, "target_velocities", sample.target_velocities, 2);
  add_rows(out, "target_availabilities", sample.target_availabilities);
  add_rows(out, "history_positions", sample.history_positions, 2);
  add_rows(out, "history_yaws", sample.history_yaws, 1);
  add_rows(out, "history_velocities", sample.history_velocities, 2);
  add_rows(out, "history_availabilities", sample.history_availabilities);
  add_matrix(out, "world_to_image", sample.raster_from_world);
  add_matrix(out, "raster_from_agent", sample.raster_from_agent);
  add_matrix(out, "raster_from_world", sample.raster_from_world);
  add_matrix(out, "agent_from_world", sample.agent_from_world);
  add_matrix(out, "world_from_agent", sample.world_from_agent);
  add_list(out, "centroid", "<f8", sample.centroid);
  add_scalar(out, "yaw", "<f8", sample.yaw);
  add_extent(out, sample, agent_extent);
  add_rows(out, "history_extents", sample.history_extents, 2);
  add_rows(out, "future_extents", sample.future_extents, 2);
  if (sample.curr_speed) add_scalar(out, "curr_speed", "<f4", *sample.curr_speed);
  add_scalar(out, "scene_index", "<i8", sample.scene_index);
  add_list(out, "host_id", "|u1", sample.host_id);
  add_scalar(out, "timestamp", "<i8", sample.timestamp);
  add_scalar(out, "track_id", "<i8", sample.track_id);
}

}  // namespace bev
