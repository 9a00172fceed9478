#include "core/engine/vector_part.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/base/error.hpp"
#include "core/engine/sample_query.hpp"

namespace bev {
namespace {

using sample::Vectorizer;
using sample::VectorTracks;

map::MapSource checked_vector_part(map::MapSource map) {
  if (map.has_map()) return map;
  fail(Errc::invalid_argument, {"samples: vectorized samples require a semantic map"});
}

/// Adds the arrays of a sample by name.
class Emitter {
 public:
  explicit Emitter(ResultSet& out) : out_(out) {}

  template <class Values>
  void add(std::string_view name, std::string_view dtype, const Values& values,
           std::initializer_list<std::size_t> shape) {
    out_.add(name, dtype, std::span(shape.begin(), shape.size()),
             std::as_bytes(std::span(values)));
  }
  template <class Value>
  void scalar(std::string_view name, std::string_view dtype, const Value& value) {
    add(name, dtype, std::span(&value, 1), {});
  }

 private:
  ResultSet& out_;
};

void emit_subject(Emitter& out, const sample::VectorSample& sample) {
  const auto track = [&](const VectorTracks& of,
                         std::array<std::string_view, 4> names) {
    out.add(names[0], "<f4", of.positions, {of.frames, 2});
    out.add(names[1], "<f4", of.yaws, {of.frames, 1});
    out.add(names[2], "<f4", of.extents, {of.frames, 2});
    out.add(names[3], "|b1", of.available, {of.frames});
  };
  out.scalar("type", "<i8", sample.type);
  out.add("agent_from_world", "<f8", sample.agent_from_world, {3, 3});
  out.add("world_from_agent", "<f8", sample.world_from_agent, {3, 3});
  track(sample.target,
        {"target_positions", "target_yaws", "target_extents", "target_availabilities"});
  track(sample.history, {"history_positions", "history_yaws", "history_extents",
                         "history_availabilities"});
  out.add("centroid", "<f8", sample.centroid, {2});
  out.scalar("yaw", "<f8", sample.yaw);
  out.scalar("speed", "<f4", sample.speed);
}

void emit_others(Emitter& out, const sample::VectorSample& sample) {
  const auto& others = sample.others;
  const std::size_t count = others.types.size();
  const auto tracks = [&](const VectorTracks& of,
                          std::array<std::string_view, 4> names) {
    out.add(names[0], "<f4", of.positions, {count, of.frames, 2});
    out.add(names[1], "<f4", of.yaws, {count, of.frames, 1});
    out.add(names[2], "<f4", of.extents, {count, of.frames, 2});
    out.add(names[3], "|b1", of.available, {count, of.frames});
  };
  tracks(others.history,
         {"all_other_agents_history_positions", "all_other_agents_history_yaws",
          "all_other_agents_history_extents", "all_other_agents_history_availability"});
  tracks(others.future,
         {"all_other_agents_future_positions", "all_other_agents_future_yaws",
          "all_other_agents_future_extents", "all_other_agents_future_availability"});
  out.add("all_other_agents_types", "<i8", others.types, {count});
  out.add("all_other_agents_track_ids", "<i8", others.track_ids, {count});
  const auto frames = others.history.frames;
  out.add("agent_trajectory_polyline", "<f4", sample.agent_trajectory_polyline,
          {frames, 3});
  out.add("agent_polyline_availability", "|b1", sample.history.available, {frames});
  out.add("other_agents_polyline", "<f4", sample.other_agents_polyline,
          {count, frames, 3});
  out.add("other_agents_polyline_availability", "|b1", others.history.available,
          {count, frames});
}

void emit_map(Emitter& out, const sample::VectorParams& params,
              const sample::VectorMap& map) {
  const std::size_t lanes = params.max_num_lanes;
  const std::size_t points = params.max_points_per_lane;
  const std::size_t crosswalks = params.max_num_crosswalks;
  const std::size_t corners = params.max_points_per_crosswalk;
  out.add("lanes", "<f4", map.lanes, {2 * lanes, points, 3});
  out.add("lanes_availabilities", "|b1", map.lanes_availabilities, {2 * lanes, points});
  out.add("lanes_mid", "<f4", map.lanes_mid, {lanes, points, 3});
  out.add("lanes_mid_availabilities", "|b1", map.lanes_mid_availabilities,
          {lanes, points});
  out.add("crosswalks", "<f4", map.crosswalks, {crosswalks, corners, 3});
  out.add("crosswalks_availabilities", "|b1", map.crosswalks_availabilities,
          {crosswalks, corners});
}

}  // namespace

VectorPart::VectorPart(const SampleOptions& options, map::MapSource map)
    : params_(sample::vector_params(sample::Config::parse(options.config))),
      with_ego_(options.kind == SampleKind::ego_agent),
      valid_(options.eval ? options.valid_agents : nullptr),
      vectorizer_(params_, checked_vector_part(std::move(map)),
                  with_ego_ ? Vectorizer::Subjects::among_agents
                            : Vectorizer::Subjects::apart) {
  if (!options.eval || (with_ego_ && valid_)) return;
  fail(Errc::invalid_argument,
       {"samples: eval requires kind ego_agent and valid_agents"});
}

sample::Sampler VectorPart::sampler() const {
  sample::SampleInputs needs;
  needs.history_agents = needs.labels = needs.faces = needs.future_agents = true;
  return sample::Sampler(sample::sampler_params(params_), needs);
}

bool VectorPart::gather(store::Reader& reader, const scene::ChunkedDataset& dataset,
                        const sample::Sampler& sampler) {
  if (with_ego_ && sampler.subject().track_id) {
    fail(Errc::invalid_argument,
         {"sample: samples of kind ego_agent are selected by frame"});
  }
  return !valid_ || tracks_.read(reader, dataset, sampler.scene_frames(), *valid_);
}

void VectorPart::describe(bool of_agent, ResultSet& results) {
  const std::size_t past = params_.history_num_frames_max() + std::size_t{1};
  const std::size_t future = params_.future_num_frames;
  const std::size_t others = params_.other_agents_num;
  sample_.track_id = of_agent ? 0 : -1;
  sample_.history.resize(1, past);
  sample_.target.resize(1, future);
  sample_.others.history.resize(others, past);
  sample_.others.future.resize(others, future);
  sample_.others.types.resize(others);
  sample_.others.track_ids.resize(others);
  emit(results);
}

void VectorPart::derive(const sample::Sampler& sampler, std::int64_t scene_index,
                        ResultSet& results) {
  vectorizer_.build(sampler.window(), sampler.subject(), sampler.faces(), sample_);
  sample_.scene_index = scene_index;
  sample_.host_id.fill(0);
  const auto host = sampler.host();
  std::copy(host.begin(), host.end(), sample_.host_id.begin());
  emit(results);
}

void VectorPart::emit(ResultSet& results) {
  Emitter out(results);
  if (sample_.track_id < 0) {
    out.add("extent", "<f8", sample_.extent, {3});
  } else {
    std::transform(sample_.extent.begin(), sample_.extent.end(), agent_extent_.begin(),
                   [](double metres) { return static_cast<float>(metres); });
    out.add("extent", "<f4", agent_extent_, {3});
  }
  emit_subject(out, sample_);
  emit_others(out, sample_);
  emit_map(out, params_, sample_.map);
  out.scalar("scene_index", "<i8", sample_.scene_index);
  out.add("host_id", "|u1", sample_.host_id, {sample_.host_id.size()});
  out.scalar("timestamp", "<i8", sample_.timestamp);
  out.scalar("track_id", "<i8", sample_.track_id);
  if (with_ego_)
    out.add("all_valid_agents_track_ids", "<f8", tracks_.ids(),
            {sample::kMaxValidTracks});
}

}  // namespace bev
