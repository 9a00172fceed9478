#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/rollout/rollout.hpp"
#include "core/sample/sampler.hpp"
#include "core/scene/columns.hpp"
#include "core/scene/overlay.hpp"
#include "core/scene/records.hpp"

namespace bev::unroll {

/// What a simulation controls, and which frames it covers.
///
/// Reference  L5Kit, SimulationConfig.
struct Config {
  bool use_ego_gt = false;          ///< the ego vehicle replays the log
  bool use_agents_gt = false;       ///< agents replay the log
  bool disable_new_agents = false;  ///< hides agents not controlled in the first frame
  double distance_th_far = 30;      ///< metres; controlled agents are released here
  double distance_th_close = 15;    ///< metres; others are controlled below it
  std::uint64_t start_frame_index = 0;
  /// Number of frames; by default up to the end of the shortest scene.
  std::optional<std::uint64_t> num_simulation_steps = std::nullopt;
  /// Cars are controlled above this probability: filter_agents_threshold of the samples.
  float filter_agents_threshold = 0.5F;
};

/// A scene to simulate.
struct Start {
  std::uint64_t scene = 0;
  scene::SceneArrays arrays;
};

/// What a model returns for n subjects.
///
/// Shapes  positions (n, steps, 2), yaws (n, steps), relative to each subject's pose:
///         metres, radians. Only the first step is used.
struct Steps {
  std::span<const double> positions;
  std::span<const double> yaws;
  std::size_t steps = 1;
};

/// Recorded scenes through which models drive the ego vehicle and agents:
///
///   for (frame = 0; frame < loop.size(); ++frame) {
///     build samples of loop.agents(frame) with overlay(); run the model; loop.take(...);
///     the same with loop.ego(frame);
///   }
///
/// Scenes are cut to the simulated frames: frame 0 has no history, as in L5Kit. What a
/// model returns for the last frame is not used.
///
/// Throws         The constructor throws invalid_argument without scenes, for a scene
///                that is given twice, and for more frames than the shortest scene has;
///                otherwise as Overlay::put. The others throw out_of_range for a scene or
///                frame that is not simulated.
/// Thread safety  As Overlay.
/// Reference      L5Kit 1.5, simulation/dataset.py and unroll.py.
class Loop {
 public:
  Loop(const Config& config, std::vector<Start> scenes);

  /// Returns the number of frames.
  std::size_t size() const noexcept { return frames_; }

  const Config& config() const noexcept { return config_; }

  /// Returns the scenes' numbers, in the order given.
  std::vector<std::uint64_t> scenes() const;

  /// The simulated scenes.
  const std::shared_ptr<const scene::Overlay>& overlay() const noexcept {
    return view_;
  }

  /// The same scenes before the simulation, cut and with agents hidden.
  const std::shared_ptr<const scene::Overlay>& recorded() const noexcept {
    return recorded_;
  }

  /// Returns the agents of a frame that are controlled, in the order of scenes and rows:
  /// cars near the ego vehicle. They are then controlled up to distance_th_far. None
  /// with use_agents_gt.
  std::vector<sample::SampleId> agents(std::uint64_t frame);

  /// As agents(), of one scene, without regard to use_agents_gt.
  std::vector<sample::SampleId> agents_of(std::uint64_t scene, std::uint64_t frame);

  /// Returns the ego vehicles of a frame. None with use_ego_gt.
  std::vector<sample::SampleId> ego(std::uint64_t frame) const;

  /// Moves subjects of one frame in the next frame. Agents become cars without velocity;
  /// a track that the next frame lacks is added to it.
  ///
  /// @throws Error  invalid_argument if lengths differ, a position or yaw is not finite
  ///                or subjects are of several frames; out_of_range for an absent track;
  ///                as scene::put_agents for tracks that occur twice
  void take(std::span<const sample::SampleId> subjects, const Steps& steps);

  // Change a frame of a scene directly.
  void put_agents(std::uint64_t scene, std::uint64_t frame,
                  std::span<const scene::Agent> agents);
  void put_ego(std::uint64_t scene, std::uint64_t frame, std::array<double, 2> position,
               const std::array<double, 9>& rotation);

  /// Replaces a scene's rows.
  ///
  /// @throws Error  invalid_argument for another number of frames
  void put_scene(std::uint64_t scene, scene::SceneArrays arrays);

  /// Makes agents of a scene count as controlled in the frame before.
  void hold(std::uint64_t scene, std::span<const std::uint64_t> tracks);

  /// Returns a simulated scene.
  const scene::SceneArrays& arrays(std::uint64_t scene) const;

  /// Returns frames of a simulated scene for comparison with the recorded one; by default
  /// all.
  ///
  /// @throws Error  out_of_range for frames that are not simulated
  rollout::SceneRollout rollout(std::uint64_t scene, std::size_t begin = 0,
                                std::optional<std::size_t> end = std::nullopt) const;

 private:
  struct Simulated {
    std::uint64_t scene = 0;
    std::shared_ptr<scene::SceneArrays> arrays;
    std::vector<std::uint64_t> tracked;  ///< tracks controlled in the last frame asked
  };

  void cut(std::vector<Start> scenes);
  std::size_t index_of(std::uint64_t scene) const;
  void check_frame(std::uint64_t frame) const;
  std::vector<std::uint64_t> controlled(const Simulated& one, std::size_t frame) const;
  void changed(const Simulated& one);

  Config config_;
  std::size_t frames_ = 0;
  std::vector<Simulated> scenes_;
  std::shared_ptr<scene::Overlay> overlay_ = std::make_shared<scene::Overlay>();
  std::shared_ptr<const scene::Overlay> view_ = overlay_;
  std::shared_ptr<const scene::Overlay> recorded_;
};

}  // namespace bev::unroll
