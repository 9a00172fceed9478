#include <array>
#include <string>
#include <utility>

#include "core/engine/engine.hpp"
#include "core/engine/state.hpp"
#include "core/scene/anomalies.hpp"
#include "core/scene/light_runs.hpp"
#include "core/scene/motion.hpp"
#include "core/scene/scene_dataset.hpp"

namespace bev {

namespace {

struct MotionNames {
  const char *speed, *acceleration, *yaw, *yaw_rate;
};
constexpr MotionNames kEgoNames{"ego.speed", "ego.acceleration", "ego.yaw",
                                "ego.yaw_rate"};
constexpr MotionNames kTrackNames{"track.speed", "track.acceleration", "track.yaw",
                                  "track.yaw_rate"};

/// Results are views: of these values, not of temporary ones.
constexpr std::array<std::uint8_t, 2> kEgoIsVirtual{0, 1};

void emit(const MotionNames& names, const scene::Motion& motion, ResultSet& out) {
  out.add(names.speed, "<f8", motion.speed);
  out.add(names.acceleration, "<f8", motion.acceleration);
  out.add(names.yaw, "<f8", motion.yaw);
  out.add(names.yaw_rate, "<f8", motion.yaw_rate);
}

void emit(const scene::LightRuns& lights, ResultSet& out) {
  out.add_text("lights.id", lights.id);
  out.add("lights.light", "<u4", lights.light);
  out.add("lights.begin", "<u4", lights.begin);
  out.add("lights.end", "<u4", lights.end);
  out.add("lights.state", "|u1", lights.state);
  out.add("lights.active_offset", "<u4", lights.active_offset);
  out.add("lights.active_face", "<u4", lights.active_face);
}

class TimelineQuery final : public Query {
 public:
  TimelineQuery(std::shared_ptr<EngineState> state, std::uint64_t scene,
                std::optional<std::uint64_t> track_id, scene::Parts parts)
      : Query(std::move(state), "timeline of scene " + std::to_string(scene)),
        scene_(scene),
        track_id_(track_id) {
    data_.parts = parts;
  }

 private:
  bool gather(store::Reader& reader) override {
    reader.fill_missing();  // reported as anomalous frames
    const auto* dataset = state().dataset(reader);
    if (dataset == nullptr || !data_.read(reader, *dataset, scene_)) return false;
    const auto& frames = data_.frames;
    tracks_.rebuild(frames.agent_index_interval, 0, data_.agents.track_id);
    const auto& times = frames.timestamp;
    ego_ = scene::motion_of(times, scene::ego_poses(data_));
    if (track_id_)
      track_ = scene::motion_of(times, track_poses(data_, tracks_, *track_id_));
    const auto absent = absent_parts(reader, *dataset, data_);
    anomalies_ = scene::find_anomalies(data_, tracks_, absent);
    clock_ = scene::clock_of(times, absent);
    if (dataset->has_faces()) {
      const auto faces =
          zarr::decode_text(dataset->face_id_type(), data_.faces.face_id);
      const auto lights = zarr::decode_text(dataset->traffic_light_id_type(),
                                            data_.faces.traffic_light_id);
      faces_ = seen_faces(data_, faces, absent);
      lights_ = light_runs(data_, {faces, lights}, absent, faces_);
      if (faces_.repeats > 0)
        anomalies_.push_back({faces_.repeat_frame, scene::AnomalyKind::repeated, 0,
                              static_cast<double>(faces_.repeats)});
    }
    return true;
  }

  void derive(ResultSet& out) override {
    out.add("start", "<i8", clock_.start);
    out.add("seconds", "<f8", clock_.seconds);
    out.add_value("ego.is_virtual", "|b1", kEgoIsVirtual[data_.has_ego ? 0 : 1]);
    emit(kEgoNames, ego_, out);
    if (track_id_) emit(kTrackNames, track_, out);
    frame_.clear();
    kind_.clear();
    anomaly_track_.clear();
    amount_.clear();
    for (const auto& one : anomalies_) {
      frame_.push_back(one.frame);
      kind_.push_back(static_cast<std::uint8_t>(one.what));
      anomaly_track_.push_back(one.track_id);
      amount_.push_back(one.amount);
    }
    out.add("anomalies.frame", "<u4", frame_);
    out.add("anomalies.kind", "|u1", kind_);
    out.add("anomalies.track_id", "<u8", anomaly_track_);
    out.add("anomalies.amount", "<f8", amount_);
    out.add_text("faces.id", faces_.id);
    out.add("faces.first_frame", "<u4", faces_.first_frame);
    emit(lights_, out);
  }

  std::uint64_t scene_;
  std::optional<std::uint64_t> track_id_;
  scene::SceneDataset data_;
  scene::TrackIndex tracks_;
  scene::Motion ego_, track_;
  scene::SceneClock clock_;
  std::vector<scene::Anomaly> anomalies_;
  scene::SeenFaces faces_;
  scene::LightRuns lights_;
  std::vector<std::uint32_t> frame_;
  std::vector<std::uint8_t> kind_;
  std::vector<std::uint64_t> anomaly_track_;
  std::vector<double> amount_;
};

}  // namespace

std::unique_ptr<Query> Engine::timeline(std::uint64_t scene,
                                        std::optional<std::uint64_t> track_id,
                                        Parts parts) {
  return std::make_unique<TimelineQuery>(state_, scene, track_id, parts);
}

}  // namespace bev
