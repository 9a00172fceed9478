#include "core/scene/anomalies.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "core/geom/angle.hpp"
#include "core/geom/trig.hpp"
#include "core/scene/motion.hpp"

namespace bev::scene {

namespace {

/// A time step this many times the usual one is a gap.
constexpr double kGap = 1.5;
/// Metres per second; a track that is faster between two frames is another object.
constexpr double kFastest = 70;
/// Limits of L5Kit's selection: a track that turns more degrees between two frames, or
/// whose area changes by a larger ratio, is another object.
constexpr double kTurn = 30;
constexpr double kResize = 1.1;
/// Square metres, as in L5Kit's selection: a smaller box is not a vehicle.
constexpr double kTiny = 0.01;
constexpr double kDegrees = 180 / 3.14159265358979323846;
constexpr std::size_t kKinds = static_cast<std::size_t>(AnomalyKind::hole) + 1;

struct Rows {
  std::size_t begin = 0;
  std::size_t end = 0;
};

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

class Search {
 public:
  Search(const SceneDataset& scene, const TrackIndex& tracks,
         const std::vector<AbsentParts>& absent)
      : scene_(scene), tracks_(tracks), absent_(absent) {
    const auto& times = scene.frames.timestamp;
    for (std::size_t k = 1; k < times.size(); ++k) {
      const bool advances = is_known_step(k) && times[k] > times[k - 1];
      steps_.push_back(advances ? seconds_between(times[k - 1], times[k]) : 0);
    }
  }

  std::vector<Anomaly> run() {
    check_times();
    if (scene_.parts.agents) check_counts();
    check_sizes();
    check_steps();
    find_gaps();
    check_chunks(AnomalyKind::absent_frames, &AbsentParts::frame);
    check_chunks(AnomalyKind::absent_agents, &AbsentParts::agents);
    check_chunks(AnomalyKind::absent_faces, &AbsentParts::faces);
    std::vector<Anomaly> out;
    for (const auto& kind : found_) out.insert(out.end(), kind.begin(), kind.end());
    return out;
  }

 private:
  std::size_t frames() const noexcept { return scene_.frames.size(); }

  /// Returns the agents of a frame; none if they are not stored.
  Rows agents_of(std::size_t frame) const {
    if (absent_[frame].agents) return {};
    const auto& rows = scene_.frames.agent_index_interval[frame];
    return {static_cast<std::size_t>(rows.begin), static_cast<std::size_t>(rows.end)};
  }

  std::vector<Anomaly>& found(AnomalyKind what) {
    return found_[static_cast<std::size_t>(what)];
  }
  bool is_full(AnomalyKind what) { return found(what).size() >= kMaxAnomalies; }
  void report(std::size_t frame, AnomalyKind what, double amount = 0,
              std::uint64_t track = 0) {
    if (is_full(what)) return;
    found(what).push_back({static_cast<std::uint32_t>(frame), what, track, amount});
  }
  /// Reports an anomaly of a track, once per kind.
  void report_track(std::size_t frame, AnomalyKind what, double amount,
                    std::uint64_t track) {
    const auto& reported = found(what);
    const bool known =
        std::any_of(reported.begin(), reported.end(),
                    [track](const Anomaly& one) { return one.track_id == track; });
    if (!known) report(frame, what, amount, track);
  }

  /// Returns whether frame k and the one before it are stored.
  bool is_known_step(std::size_t k) const {
    return !absent_[k - 1].frame && !absent_[k].frame;
  }

  void check_times() {
    std::vector<double> known;
    for (std::size_t k = 1; k < frames(); ++k) {
      if (is_known_step(k)) known.push_back(steps_[k - 1]);
    }
    if (known.empty()) return;
    const double usual = median(std::move(known));
    for (std::size_t k = 1; k < frames(); ++k) {
      if (!is_known_step(k)) continue;
      if (steps_[k - 1] == 0) report(k, AnomalyKind::stuck);
      if (steps_[k - 1] > kGap * usual) report(k, AnomalyKind::gap, steps_[k - 1]);
    }
  }

  void check_counts() {
    for (std::size_t k = 0; k < frames(); ++k) {
      const auto& rows = scene_.frames.agent_index_interval[k];
      if (rows.begin == rows.end && !absent_[k].frame) report(k, AnomalyKind::empty);
    }
  }

  float area(std::size_t row) const {
    const auto& extent = scene_.agents.extent[row];
    return extent[0] * extent[1];
  }

  void check_sizes() {
    const auto& agents = scene_.agents;
    for (std::size_t k = 0; k < frames(); ++k) {
      const auto rows = agents_of(k);
      for (auto i = rows.begin; i < rows.end; ++i) {
        const bool sized = agents.extent[i][0] > 0 && agents.extent[i][1] > 0;
        const auto size = static_cast<double>(area(i));
        if (!sized) report_track(k, AnomalyKind::flat, 0, agents.track_id[i]);
        if (sized && size < kTiny)
          report_track(k, AnomalyKind::tiny, size, agents.track_id[i]);
      }
    }
  }

  void check_steps() {
    for (std::size_t k = 1; k < frames(); ++k) {
      if (absent_[k - 1].agents) continue;
      const auto rows = agents_of(k);
      for (auto i = rows.begin; i < rows.end; ++i) check_step(k, i);
    }
  }

  /// Compares a row with the same track in the previous frame.
  void check_step(std::size_t frame, std::size_t row) {
    const auto& agents = scene_.agents;
    const auto track = agents.track_id[row];
    const auto before = tracks_.find(frame - 1, track);
    if (before == TrackIndex::kNone) return;
    const auto& from = agents.centroid[before];
    const auto& to = agents.centroid[row];
    const double metres = geom::hypot(to[0] - from[0], to[1] - from[1]);
    const double time = steps_[frame - 1];
    if (time > 0 && metres > kFastest * time) {
      report_track(frame, AnomalyKind::jump, metres, track);
    }
    const auto yaw = static_cast<double>(agents.yaw[row] - agents.yaw[before]);
    const double degrees = std::fabs(geom::angular_distance(yaw, 0)) * kDegrees;
    if (degrees >= kTurn) report_track(frame, AnomalyKind::turn, degrees, track);
    const auto [less, more] = std::minmax({area(before), area(row)});
    if (static_cast<double>(less) < kTiny) return;
    const auto ratio = static_cast<double>(more) / static_cast<double>(less);
    if (ratio >= kResize) report_track(frame, AnomalyKind::resize, ratio, track);
  }

  /// Finds tracks that reappear. Frames without any agents are listed as such. A gap is
  /// ignored if it contains frames whose record or agents are not stored.
  void find_gaps() {
    // By track: the frame after the last one with the track.
    std::unordered_map<std::uint64_t, std::size_t> seen;
    std::size_t unknown_until = 0;
    std::size_t filled_until = 0;  // the frame after the last previous one with agents
    for (std::size_t k = 0; k < frames(); ++k) {
      if (absent_[k].frame || absent_[k].agents) unknown_until = k + 1;
      const auto rows = agents_of(k);
      for (auto i = rows.begin; i < rows.end; ++i) {
        const auto track = scene_.agents.track_id[i];
        const auto [at, first] = seen.try_emplace(track, k + 1);
        const auto missing_from = std::exchange(at->second, k + 1);
        if (first || missing_from >= filled_until || missing_from < unknown_until)
          continue;
        const auto missing = static_cast<double>(k - missing_from);
        report_track(missing_from, AnomalyKind::hole, missing, track);
      }
      if (rows.end > rows.begin) filled_until = k + 1;
    }
  }

  void check_chunks(AnomalyKind what, bool AbsentParts::*part) {
    for (std::size_t k = 0; k < frames();) {
      const auto begin = k;
      while (k < frames() && absent_[k].*part) ++k;
      if (k > begin) report(begin, what, static_cast<double>(k - begin));
      if (k == begin) ++k;
    }
  }

  const SceneDataset& scene_;
  const TrackIndex& tracks_;
  const std::vector<AbsentParts>& absent_;
  std::vector<double> steps_;  // seconds to each frame but the first; 0: unknown
  std::array<std::vector<Anomaly>, kKinds> found_;
};

}  // namespace

std::vector<Anomaly> find_anomalies(const SceneDataset& scene, const TrackIndex& tracks,
                                    const std::vector<AbsentParts>& absent) {
  return Search(scene, tracks, absent).run();
}

}  // namespace bev::scene
