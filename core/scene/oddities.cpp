#include "core/scene/oddities.hpp"

#include <algorithm>
#include <utility>

#include "core/geom/trig.hpp"
#include "core/scene/seconds.hpp"

namespace bev::scene {

namespace {

/// A step in time this many times the usual one is a gap.
constexpr double kGap = 1.5;
/// Metres per second: what moved faster between two frames is another thing.
constexpr double kFastest = 70;

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
         const std::vector<Unstored>& unstored)
      : scene_(scene), tracks_(tracks), unstored_(unstored) {
    const auto& times = scene.frames.timestamp;
    for (std::size_t k = 1; k < times.size(); ++k) {
      const bool known = !unstored[k - 1].frame && !unstored[k].frame;
      const bool advances = known && times[k] > times[k - 1];
      steps_.push_back(advances ? seconds_between(times[k - 1], times[k]) : 0);
    }
  }

  std::vector<Oddity> run() {
    look_at_times();
    look_at_counts();
    look_at_sizes();
    look_for_jumps();
    look_at_chunks(Odd::unstored_frames, &Unstored::frame);
    look_at_chunks(Odd::unstored_agents, &Unstored::agents);
    look_at_chunks(Odd::unstored_faces, &Unstored::faces);
    return std::move(out_);
  }

 private:
  std::size_t frames() const noexcept { return scene_.frames.size(); }

  /// The agents of a frame; none where they are not stored.
  Rows agents_of(std::size_t frame) const {
    if (unstored_[frame].agents) return {};
    const auto& rows = scene_.frames.agent_index_interval[frame];
    return {static_cast<std::size_t>(rows.begin), static_cast<std::size_t>(rows.end)};
  }

  void begin_kind() noexcept { first_ = out_.size(); }
  bool enough() const noexcept { return out_.size() - first_ >= kMostOddities; }
  bool told(std::uint64_t track_id) const {
    const auto begin = out_.begin() + static_cast<std::ptrdiff_t>(first_);
    return std::any_of(begin, out_.end(), [track_id](const Oddity& one) {
      return one.track_id == track_id;
    });
  }
  void tell(std::size_t frame, Odd what, double amount = 0, std::uint64_t track = 0) {
    if (enough()) return;
    out_.push_back({static_cast<std::uint32_t>(frame), what, track, amount});
  }

  void look_at_times() {
    if (steps_.empty()) return;
    begin_kind();
    const double usual = median(steps_);
    for (std::size_t k = 1; k < frames(); ++k) {
      if (unstored_[k - 1].frame || unstored_[k].frame) continue;
      if (steps_[k - 1] == 0) tell(k, Odd::stuck);
      if (steps_[k - 1] > kGap * usual) tell(k, Odd::gap, steps_[k - 1]);
    }
  }

  void look_at_counts() {
    begin_kind();
    for (std::size_t k = 0; k < frames(); ++k) {
      const auto& rows = scene_.frames.agent_index_interval[k];
      if (rows.begin == rows.end && !unstored_[k].frame) tell(k, Odd::empty);
    }
  }

  void look_at_sizes() {
    begin_kind();
    const auto& agents = scene_.agents;
    for (std::size_t k = 0; k < frames() && !enough(); ++k) {
      const auto rows = agents_of(k);
      for (auto i = rows.begin; i < rows.end; ++i) {
        const bool sized = agents.extent[i][0] > 0 && agents.extent[i][1] > 0;
        if (sized || told(agents.track_id[i])) continue;
        tell(k, Odd::flat, 0, agents.track_id[i]);
      }
    }
  }

  void look_for_jumps() {
    begin_kind();
    for (std::size_t k = 1; k < frames() && !enough(); ++k) {
      if (steps_[k - 1] == 0 || unstored_[k - 1].agents) continue;
      const auto rows = agents_of(k);
      for (auto i = rows.begin; i < rows.end; ++i) look_for_jump(k, i);
    }
  }

  void look_for_jump(std::size_t frame, std::size_t row) {
    const auto& agents = scene_.agents;
    const auto track = agents.track_id[row];
    const auto before = tracks_.find(frame - 1, track);
    if (before == TrackIndex::kNone) return;
    const auto& from = agents.centroid[before];
    const auto& to = agents.centroid[row];
    const double metres = geom::hypot(to[0] - from[0], to[1] - from[1]);
    if (metres > kFastest * steps_[frame - 1] && !told(track)) {
      tell(frame, Odd::jump, metres, track);
    }
  }

  void look_at_chunks(Odd what, bool Unstored::*part) {
    begin_kind();
    for (std::size_t k = 0; k < frames();) {
      const auto begin = k;
      while (k < frames() && unstored_[k].*part) ++k;
      if (k > begin) tell(begin, what, static_cast<double>(k - begin));
      if (k == begin) ++k;
    }
  }

  const SceneDataset& scene_;
  const TrackIndex& tracks_;
  const std::vector<Unstored>& unstored_;
  std::vector<double> steps_;  // seconds to each frame but the first; 0: not known
  std::vector<Oddity> out_;
  std::size_t first_ = 0;  // of the kind under way
};

}  // namespace

std::vector<Oddity> odd_frames(const SceneDataset& scene, const TrackIndex& tracks,
                               const std::vector<Unstored>& unstored) {
  return Search(scene, tracks, unstored).run();
}

}  // namespace bev::scene
