#include "core/scene/scene_edit.hpp"

#include <algorithm>
#include <vector>

#include "core/base/error.hpp"

namespace bev::scene {
namespace {

std::size_t row_of(std::int64_t number) noexcept {
  return static_cast<std::size_t>(number);
}

/// Calls `visit` with every column of `agents` and the field of a row that it holds.
template <class Columns, class Row, class Visit>
void each_field(Columns& columns, Row& row, const Visit& visit) {
  visit(columns.centroid, row.centroid);
  visit(columns.extent, row.extent);
  visit(columns.yaw, row.yaw);
  visit(columns.velocity, row.velocity);
  visit(columns.track_id, row.track_id);
  visit(columns.label_probabilities, row.label_probabilities);
}

[[noreturn]] void fail_repeated(std::size_t frame, std::uint64_t track_id) {
  fail(Errc::invalid_argument,
       {"frame ", frame, ": track ", track_id, " occurs twice"});
}

/// Returns the rows to replace, one per agent; nullopt for new tracks.
std::vector<std::optional<std::size_t>> rows_to_replace(const SceneArrays& scene,
                                                        std::size_t frame,
                                                        std::span<const Agent> agents) {
  const auto [begin, end] = scene.frames.agent_index_interval[frame];
  const auto& ids = scene.agents.track_id;
  std::vector<std::optional<std::size_t>> out;
  for (std::size_t i = 0; i < agents.size(); ++i) {
    const auto id = agents[i].track_id;
    for (std::size_t k = 0; k < i; ++k) {
      if (agents[k].track_id == id) fail_repeated(frame, id);
    }
    out.push_back(find_agent(scene, frame, id));
    if (!out.back()) continue;
    const auto after = ids.begin() + static_cast<std::ptrdiff_t>(*out.back()) + 1;
    const auto last = ids.begin() + static_cast<std::ptrdiff_t>(end);
    if (std::find(after, last, id) != last) fail_repeated(frame, id);
  }
  return out;
}

/// Inserts rows in front of row `at`.
void insert_rows(AgentColumns& columns, std::size_t at, std::span<const Agent> added) {
  const Agent empty;
  each_field(columns, empty, [&](auto& column, const auto& value) {
    column.insert(column.begin() + static_cast<std::ptrdiff_t>(at), added.size(),
                  value);
  });
  for (std::size_t i = 0; i < added.size(); ++i) {
    each_field(columns, added[i],
               [&](auto& column, const auto& value) { column[at + i] = value; });
  }
}

template <class T>
std::vector<T> part(const std::vector<T>& values, Interval rows, std::size_t size = 1) {
  const auto at = [&](std::int64_t row) {
    return values.begin() + static_cast<std::ptrdiff_t>(row_of(row) * size);
  };
  return {at(rows.begin), at(rows.end)};
}

/// Returns the rows that consecutive intervals span, and counts these from 0.
Interval rebased(std::vector<Interval>& intervals) {
  const Interval all{intervals.front().begin, intervals.back().end};
  for (auto& one : intervals) {
    one.begin -= all.begin;
    one.end -= all.begin;
  }
  return all;
}

}  // namespace

std::optional<std::size_t> find_agent(const SceneArrays& scene, std::size_t frame,
                                      std::uint64_t track_id) {
  const auto [begin, end] = scene.frames.agent_index_interval.at(frame);
  const auto first = scene.agents.track_id.begin();
  const auto last = first + static_cast<std::ptrdiff_t>(end);
  const auto hit =
      std::find(first + static_cast<std::ptrdiff_t>(begin), last, track_id);
  if (hit == last) return std::nullopt;
  return static_cast<std::size_t>(hit - first);
}

Agent agent_at(const AgentColumns& agents, std::size_t row) {
  Agent out;
  each_field(agents, out,
             [&](const auto& column, auto& value) { value = column[row]; });
  return out;
}

void put_agents(SceneArrays& scene, std::size_t frame, std::span<const Agent> agents) {
  auto& intervals = scene.frames.agent_index_interval;
  if (frame >= intervals.size()) fail_index({"frame "}, frame, intervals.size());
  const auto rows = rows_to_replace(scene, frame, agents);
  std::vector<Agent> added;
  for (std::size_t i = 0; i < agents.size(); ++i) {
    if (!rows[i]) {
      added.push_back(agents[i]);
      continue;
    }
    each_field(scene.agents, agents[i],
               [&](auto& column, const auto& value) { column[*rows[i]] = value; });
  }
  if (added.empty()) return;
  insert_rows(scene.agents, row_of(intervals[frame].end), added);
  const auto count = static_cast<std::int64_t>(added.size());
  intervals[frame].end += count;
  for (auto later = frame + 1; later < intervals.size(); ++later) {
    intervals[later].begin += count;
    intervals[later].end += count;
  }
}

void hide_agents(SceneArrays& scene, std::span<const std::uint64_t> kept) {
  auto& agents = scene.agents;
  for (std::size_t row = 0; row < agents.size(); ++row) {
    if (std::find(kept.begin(), kept.end(), agents.track_id[row]) != kept.end()) {
      continue;
    }
    agents.centroid[row] = {};
    agents.extent[row] = {};
    agents.yaw[row] = 0;
    agents.label_probabilities[row].fill(-1);
  }
}

SceneArrays frames_subset(const SceneArrays& scene, Interval frames) {
  const auto count = static_cast<std::int64_t>(scene.frames.size());
  if (frames.begin < 0 || frames.begin >= frames.end || frames.end > count) {
    fail(Errc::out_of_range, {"frames [", frames.begin, ", ", frames.end,
                              "): not a range of the scene's ", count, " frames"});
  }
  SceneArrays out;
  const auto& from = scene.frames;
  out.frames = {part(from.timestamp, frames), part(from.agent_index_interval, frames),
                part(from.traffic_light_faces_index_interval, frames),
                part(from.ego_translation, frames), part(from.ego_rotation, frames)};
  out.scenes = scene.scenes;
  out.scenes.frame_index_interval = {{0, frames.end - frames.begin}};
  out.scenes.start_time = {out.frames.timestamp.front()};
  out.scenes.end_time = {out.frames.timestamp.back()};
  const auto agent_rows = rebased(out.frames.agent_index_interval);
  const auto& agents = scene.agents;
  out.agents = {
      part(agents.centroid, agent_rows), part(agents.extent, agent_rows),
      part(agents.yaw, agent_rows),      part(agents.velocity, agent_rows),
      part(agents.track_id, agent_rows), part(agents.label_probabilities, agent_rows)};
  const auto face_rows = rebased(out.frames.traffic_light_faces_index_interval);
  const auto& faces = scene.faces;
  if (faces.size() == 0) return out;
  const auto face_id = faces.face_id.size() / faces.size();
  const auto light_id = faces.traffic_light_id.size() / faces.size();
  out.faces = {part(faces.face_id, face_rows, face_id),
               part(faces.traffic_light_id, face_rows, light_id),
               part(faces.traffic_light_face_status, face_rows)};
  return out;
}

}  // namespace bev::scene
