#include "core/sample/sampler.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "core/sample/relative_poses.hpp"
#include "core/sample/render_context.hpp"
#include "core/scene/intervals.hpp"
#include "core/zarr/text.hpp"

namespace bev::sample {
namespace {

// Maximum number of extra frames read on each side of the window, if they cost no
// further chunk: the scene's next samples use them.
constexpr std::int64_t kFramesAhead = 1024;

scene::Interval row(std::uint64_t index) {
  const auto begin = static_cast<std::int64_t>(index);
  return {begin, begin + 1};
}

void check_index(std::string_view what, std::uint64_t index, std::uint64_t count) {
  if (index < count) return;
  fail_index({what, " "}, index, count);
}

scene::Interval overlap(const scene::Interval& a, const scene::Interval& b) {
  return {std::max(a.begin, b.begin), std::min(a.end, b.end)};
}

}  // namespace

bool Sampler::read(store::Reader& reader, const Dataset& dataset, const SampleId& id) {
  restore_recorded();
  id_ = id;
  if (id.agent_row && dataset.is_replaced(id.scene)) {
    fail(Errc::invalid_argument, {"agents/", *id.agent_row, ": scene ", id.scene,
                                  " is changed in memory; select its agents by track"});
  }
  if (!read_scene(reader, dataset, id.scene)) return false;
  const auto& scene = scene_columns_.frame_index_interval.front();
  const auto count = scene.end - scene.begin;
  if (id.frame >= static_cast<std::uint64_t>(count)) {
    check_index("scene " + std::to_string(id.scene) + ": frame", id.frame,
                static_cast<std::uint64_t>(count));
  }
  const auto frame = static_cast<std::int64_t>(id.frame);
  const std::int64_t step = params_.frames_per_step;
  const auto past = std::min(params_.history_num_frames * step, frame);
  const auto future = std::min(params_.future_num_frames * step, count - 1 - frame);
  now_ = scene.begin + frame;
  rows_ = {now_ - past, now_ + future + 1};
  history_ = {rows_.begin, now_ + 1};
  if (!read_frames(reader, dataset)) return false;
  if (!read_agents_and_faces(reader, dataset)) return false;
  fill_yaws();
  subject_ = find_subject(window(), track_id(), params_);
  return true;
}

bool Sampler::read_scene(store::Reader& reader, const Dataset& dataset,
                         std::uint64_t scene) {
  if (scene_ == scene && version_ == dataset.version()) return true;
  scene_.reset();
  check_index("scene", scene, dataset.scene_count());
  if (!dataset.read_scenes(reader, row(scene), scene_columns_)) return false;
  scene::check_interval(scene_columns_.frame_index_interval.front(), row(scene).begin,
                        dataset.frames_of_scenes());
  hosts_ =
      zarr::decode_text(dataset.host_type(), scene_columns_.host, std::move(hosts_));
  if (host().size() > kHostIdBytes) {
    fail(Errc::invalid_argument,
         {"sample: host name is too long (found ", host().size(),
          " bytes, expected at most ", kHostIdBytes, ")"});
  }
  has_ego_ = dataset.has_ego(scene);
  scene_ = scene;
  version_ = dataset.version();
  return true;
}

bool Sampler::read_frames(store::Reader& reader, const Dataset& dataset) {
  if (frames_.holds(rows_)) return true;
  frames_.rows = {};
  const auto& scene = scene_columns_.frame_index_interval.front();
  const scene::Interval near{rows_.begin - kFramesAhead, rows_.end + kFramesAhead};
  const auto free = overlap(dataset.frames_in_same_chunks(rows_), scene);
  const auto wanted = overlap(free, near);
  if (!dataset.read_frames(reader, wanted, frames_.columns)) return false;
  frames_.rows = wanted;
  ego_yaws_.assign(frames_.columns.size(), std::numeric_limits<double>::quiet_NaN());
  return true;
}

scene::Interval Sampler::agents_of(const scene::Interval& frames,
                                   const Dataset& dataset) const {
  const std::span intervals(frames_.columns.agent_index_interval);
  const auto count = static_cast<std::size_t>(frames.end - frames.begin);
  return scene::check_intervals(intervals.subspan(held_frame(frames.begin), count),
                                frames.begin, dataset.agents_of_frames());
}

bool Sampler::read_agents_and_faces(store::Reader& reader, const Dataset& dataset) {
  const bool for_agent = id_.track_id || id_.agent_row;
  const scene::Interval current{now_, now_ + 1};
  const auto& drawn = needs_.history_agents ? history_ : current;
  const bool labelled = for_agent || (needs_.history_agents && needs_.labels);
  // Reads all before it returns, so that one round requests all chunks.
  bool here = true;
  const bool followed = for_agent || needs_.future_agents;
  if (followed || needs_.history_agents) {
    const auto agents = agents_of(followed ? rows_ : drawn, dataset);
    if (!poses_.holds(agents)) {
      poses_.rows = {};
      here = dataset.read_poses(reader, agents, poses_.columns);
      if (here) poses_.rows = agents;
    }
  }
  if (labelled) {
    const auto agents = agents_of(needs_.labels ? drawn : current, dataset);
    if (!labels_.holds(agents)) {
      labels_.rows = {};
      const bool read = dataset.read_labels(reader, agents, labels_.columns);
      if (read) labels_.rows = agents;
      here = here && read;
    }
  }
  return read_faces(reader, dataset) && here;
}

bool Sampler::read_faces(store::Reader& reader, const Dataset& dataset) {
  if (!needs_.faces || params_.disable_traffic_light_faces || !dataset.has_faces()) {
    return true;
  }
  const std::span intervals(frames_.columns.traffic_light_faces_index_interval);
  const auto count = static_cast<std::size_t>(history_.end - history_.begin);
  const auto faces =
      scene::check_intervals(intervals.subspan(held_frame(history_.begin), count),
                             history_.begin, dataset.faces_of_frames());
  if (faces_.holds(faces)) return true;
  faces_.rows = {};
  if (!dataset.read_faces(reader, faces, faces_.columns)) return false;
  face_ids_ = zarr::decode_text(dataset.face_id_type(), faces_.columns.face_id,
                                std::move(face_ids_));
  faces_.rows = faces;
  return true;
}

std::optional<std::uint64_t> Sampler::track_id() const {
  if (!id_.agent_row) return id_.track_id;
  const auto& interval = frames_.columns.agent_index_interval[held_frame(now_)];
  if (*id_.agent_row < interval.begin || *id_.agent_row >= interval.end) {
    fail(Errc::out_of_range, {"agents/", *id_.agent_row, ": not in frame ", now_});
  }
  return poses_.columns
      .track_id[static_cast<std::size_t>(*id_.agent_row - poses_.rows.begin)];
}

void Sampler::fill_yaws() {
  for (auto frame = rows_.begin; frame < rows_.end; ++frame) {
    const auto at = held_frame(frame);
    if (std::isnan(ego_yaws_[at])) ego_yaws_[at] = ego_yaw(frames_.columns, at);
  }
}

bool Sampler::is_perturbable() const noexcept {
  const auto future = rows_.end - now_ - 1;
  const auto whole = std::int64_t{params_.future_num_frames} * params_.frames_per_step;
  return !subject_.track_id && future > 0 && future == whole;
}

void Sampler::perturb(const PoseOffset& offset, double min_displacement) {
  if (!is_perturbable() || params_.frames_per_step != 1) {
    fail(Errc::invalid_argument, {"sample: only samples of the ego vehicle with their "
                                  "whole future, frame by frame, can be perturbed"});
  }
  scene::FrameColumns poses;
  for (auto row = now_; row < rows_.end; ++row) {
    const auto at = held_frame(row);
    poses.timestamp.push_back(frames_.columns.timestamp[at]);
    poses.ego_translation.push_back(frames_.columns.ego_translation[at]);
    poses.ego_rotation.push_back(frames_.columns.ego_rotation[at]);
  }
  auto perturbed = poses;
  sample::perturb(perturbed, 0, offset, min_displacement);
  recorded_ = std::move(poses);
  put_ego(perturbed);
  fill_yaws();
  subject_ = find_subject(window(), track_id(), params_);
}

void Sampler::restore_recorded() {
  if (recorded_.size() > 0) put_ego(recorded_);
  recorded_ = {};
}

void Sampler::put_ego(const scene::FrameColumns& poses) {
  const auto first = held_frame(now_);
  for (std::size_t i = 0; i < poses.size(); ++i) {
    frames_.columns.ego_translation[first + i] = poses.ego_translation[i];
    frames_.columns.ego_rotation[first + i] = poses.ego_rotation[i];
    ego_yaws_[first + i] = std::numeric_limits<double>::quiet_NaN();
  }
}

Window Sampler::window() const {
  return {frames_.columns,           ego_yaws_,         held_frame(now_),
          AgentRows(poses_.columns), poses_.rows.begin, labels_.columns,
          labels_.rows.begin};
}

void Sampler::build(Sample& out) const {
  build_sample(window(), subject_, params_, out);
  out.scene_index = static_cast<std::int64_t>(id_.scene);
  out.frame_index = static_cast<std::int64_t>(id_.frame);
  out.host_id.fill(0);
  std::copy(host().begin(), host().end(), out.host_id.begin());
}

FaceRows Sampler::faces_of(std::size_t frame) const {
  const auto& interval = frames_.columns.traffic_light_faces_index_interval[frame];
  if (!faces_.holds(interval) || interval.begin == interval.end) return {};
  const auto first = static_cast<std::size_t>(interval.begin - faces_.rows.begin);
  const auto count = static_cast<std::size_t>(interval.end - interval.begin);
  const std::span status(faces_.columns.traffic_light_face_status);
  return {status.subspan(first, count), face_ids_, first};
}

RenderInput Sampler::render_input() {
  const auto window = this->window();
  const std::int64_t step = params_.frames_per_step;
  history_frames_.clear();
  for (auto frame = now_; frame >= history_.begin; frame -= step) {
    const auto at = held_frame(frame);
    const auto& ego = frames_.columns.ego_translation[at];
    history_frames_.push_back(
        {needs_.history_agents ? window.agents_of(at) : AgentRows{},
         {ego[0], ego[1]},
         ego_yaws_[at],
         faces_of(at)});
  }
  RenderInput out;
  out.history = history_frames_;
  out.track_id = subject_.track_id;
  out.centroid = subject_.centroid;
  out.yaw_rad = subject_.yaw_rad;
  out.extent = subject_.extent;
  out.ego_z = frames_.columns.ego_translation[held_frame(now_)][2];
  out.has_ego = has_ego_;
  out.raster_from_local = raster_from_local(params_.raster);
  out.raster_from_world =
      subject_.track_id
          ? raster_from_world_f32(out.raster_from_local, subject_.centroid,
                                  static_cast<float>(subject_.yaw_rad))
          : raster_from_world(out.raster_from_local, subject_.centroid,
                              subject_.yaw_rad);
  return out;
}

}  // namespace bev::sample
