#include <algorithm>
#include <bevscope/simulation.hpp>
#include <cstring>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "core/engine/scene_arrays_query.hpp"
#include "core/scene/scene_edit.hpp"
#include "core/unroll/loop.hpp"
#include "library/dataset_impl.hpp"

namespace bev {
namespace {

unroll::Config config_of(const SimulationConfig& from) {
  return {from.use_ego_gt,           from.use_agents_gt,
          from.disable_new_agents,   from.distance_th_far,
          from.distance_th_close,    from.start_frame_index,
          from.num_simulation_steps, from.filter_agents_threshold};
}

/// Copies named columns into vectors.
class ColumnsReader {
 public:
  explicit ColumnsReader(std::span<const ColumnBytes> columns) : columns_(columns) {}

  template <class T>
  ColumnsReader& read(std::string_view name, std::vector<T>& out) {
    const auto found =
        std::find_if(columns_.begin(), columns_.end(),
                     [&](const ColumnBytes& one) { return one.name == name; });
    if (found == columns_.end()) {
      fail(Errc::invalid_argument, {"simulation: column ", name, " not found"});
    }
    if (found->bytes.size() % sizeof(T) != 0) {
      fail(Errc::invalid_argument, {name, ": wrong length (found ", found->bytes.size(),
                                    " bytes, expected a multiple of ", sizeof(T), ")"});
    }
    out.resize(found->bytes.size() / sizeof(T));
    if (!out.empty()) std::memcpy(out.data(), found->bytes.data(), found->bytes.size());
    return *this;
  }

 private:
  std::span<const ColumnBytes> columns_;
};

void read_agents(ColumnsReader& from, scene::AgentColumns& out) {
  from.read("agents.centroid", out.centroid)
      .read("agents.extent", out.extent)
      .read("agents.yaw", out.yaw)
      .read("agents.velocity", out.velocity)
      .read("agents.track_id", out.track_id)
      .read("agents.label_probabilities", out.label_probabilities);
}

scene::SceneArrays arrays_of_rows(const MemoryScene& rows) {
  scene::SceneArrays out;
  ColumnsReader from(rows.columns);
  from.read("scenes.host", out.scenes.host)
      .read("scenes.start_time", out.scenes.start_time)
      .read("scenes.end_time", out.scenes.end_time)
      .read("frames.timestamp", out.frames.timestamp)
      .read("frames.agent_index_interval", out.frames.agent_index_interval)
      .read("frames.traffic_light_faces_index_interval",
            out.frames.traffic_light_faces_index_interval)
      .read("frames.ego_translation", out.frames.ego_translation)
      .read("frames.ego_rotation", out.frames.ego_rotation)
      .read("traffic_light_faces.face_id", out.faces.face_id)
      .read("traffic_light_faces.traffic_light_id", out.faces.traffic_light_id)
      .read("traffic_light_faces.traffic_light_face_status",
            out.faces.traffic_light_face_status);
  read_agents(from, out.agents);
  const auto frames = static_cast<std::int64_t>(out.frames.size());
  out.scenes.frame_index_interval = {{0, frames}};
  scene::check_arrays(rows.scene, out);
  return out;
}

std::vector<unroll::Start> starts_of(Dataset::Impl& dataset,
                                     std::span<const std::uint64_t> scenes) {
  std::vector<unroll::Start> out;
  for (const auto scene : scenes) {
    const auto query = dataset.engine.scene_arrays(scene);
    bev::run(dataset.engine, *query, *dataset.source);
    query->build();
    out.push_back({scene, query->take()});
  }
  return out;
}

std::vector<unroll::Start> starts_of(std::span<const MemoryScene> scenes) {
  std::vector<unroll::Start> out;
  for (const auto& rows : scenes) out.push_back({rows.scene, arrays_of_rows(rows)});
  return out;
}

std::vector<TrackAt> tracks_of(const std::vector<sample::SampleId>& ids) {
  std::vector<TrackAt> out;
  for (const auto& id : ids) out.push_back({id.scene, id.frame, id.track_id});
  return out;
}

}  // namespace

struct Simulation::Impl {
  Impl(std::shared_ptr<Dataset::Impl> from, const SimulationConfig& config,
       std::vector<unroll::Start> starts)
      : dataset(std::move(from)), loop(config_of(config), std::move(starts)) {}

  std::shared_ptr<Dataset::Impl> with(
      const std::shared_ptr<const scene::Overlay>& overlay) const {
    return std::make_shared<Dataset::Impl>(*dataset, overlay);
  }

  std::shared_ptr<Dataset::Impl> dataset;
  unroll::Loop loop;
};

Simulation::Simulation(Dataset& dataset, std::span<const std::uint64_t> scenes,
                       const SimulationConfig& config)
    : impl_(std::make_unique<Impl>(dataset.impl_, config,
                                   starts_of(*dataset.impl_, scenes))) {}
Simulation::Simulation(Dataset& dataset, std::span<const MemoryScene> scenes,
                       const SimulationConfig& config)
    : impl_(std::make_unique<Impl>(dataset.impl_, config, starts_of(scenes))) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

std::size_t Simulation::size() const noexcept {
  return impl_->loop.size();
}

Dataset Simulation::simulated() const {
  return Dataset(impl_->with(impl_->loop.overlay()));
}

Dataset Simulation::recorded() const {
  return Dataset(impl_->with(impl_->loop.recorded()));
}

std::vector<TrackAt> Simulation::agents(std::uint64_t frame) {
  return tracks_of(impl_->loop.agents(frame));
}

std::vector<TrackAt> Simulation::agents_of(std::uint64_t scene, std::uint64_t frame) {
  return tracks_of(impl_->loop.agents_of(scene, frame));
}

std::vector<TrackAt> Simulation::ego(std::uint64_t frame) const {
  return tracks_of(impl_->loop.ego(frame));
}

void Simulation::take(std::span<const TrackAt> subjects,
                      std::span<const double> positions, std::span<const double> yaws,
                      std::size_t steps) {
  std::vector<sample::SampleId> ids;
  for (const auto& one : subjects) ids.push_back({one.scene, one.frame, one.track_id});
  impl_->loop.take(ids, {positions, yaws, steps});
}

void Simulation::put_agents(std::uint64_t scene, std::uint64_t frame,
                            std::span<const ColumnBytes> agents) {
  scene::AgentColumns columns;
  ColumnsReader from(agents);
  read_agents(from, columns);
  const auto count = columns.size();
  for (const auto length :
       {columns.centroid.size(), columns.extent.size(), columns.yaw.size(),
        columns.velocity.size(), columns.label_probabilities.size()}) {
    if (length == count) continue;
    fail(Errc::invalid_argument,
         {"agents: columns of different lengths (found ", length, " and ", count, ")"});
  }
  std::vector<scene::Agent> rows;
  for (std::size_t i = 0; i < count; ++i) rows.push_back(scene::agent_at(columns, i));
  impl_->loop.put_agents(scene, frame, rows);
}

void Simulation::put_ego(std::uint64_t scene, std::uint64_t frame,
                         std::array<double, 2> position,
                         const std::array<double, 9>& rotation) {
  impl_->loop.put_ego(scene, frame, position, rotation);
}

void Simulation::put_scene(const MemoryScene& rows) {
  impl_->loop.put_scene(rows.scene, arrays_of_rows(rows));
}

void Simulation::hold(std::uint64_t scene, std::span<const std::uint64_t> tracks) {
  impl_->loop.hold(scene, tracks);
}

SimulatedScene Simulation::scene(std::uint64_t scene, std::size_t begin,
                                 std::optional<std::size_t> end) const {
  auto found = impl_->loop.rollout(scene, begin, end);
  return {found.scene,
          found.first_frame,
          std::move(found.timestamps),
          std::move(found.ego_x),
          std::move(found.ego_y),
          std::move(found.ego_yaw),
          std::move(found.counts),
          std::move(found.track_id),
          std::move(found.x),
          std::move(found.y),
          std::move(found.yaw),
          std::move(found.length),
          std::move(found.width)};
}

}  // namespace bev
