#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "dataset.hpp"
#include "export.hpp"
#include "samples.hpp"

namespace bev {

/// What a simulation controls, and which frames it covers: L5Kit's SimulationConfig.
struct SimulationConfig {
  bool use_ego_gt = false;          ///< the ego vehicle replays the log
  bool use_agents_gt = false;       ///< agents replay the log
  bool disable_new_agents = false;  ///< hides agents not controlled in the first frame
  double distance_th_far = 30;      ///< metres; controlled agents are released here
  double distance_th_close = 15;    ///< metres; others are controlled below it
  std::uint64_t start_frame_index = 0;  ///< the first frame of each scene
  /// Number of frames; by default up to the end of the shortest scene.
  std::optional<std::uint64_t> num_simulation_steps = std::nullopt;
  /// Cars are controlled above this probability: filter_agents_threshold of the samples.
  float filter_agents_threshold = 0.5F;
};

/// A column of rows in memory, named as in Dataset::scene(): "agents.centroid". Strings
/// are UTF-32 in native byte order, padded with zeros to the stored length.
struct ColumnBytes {
  std::string_view name;             ///< array and field
  std::span<const std::byte> bytes;  ///< all rows, in native byte order
};

/// A scene in memory.
struct MemoryScene {
  std::uint64_t scene = 0;             ///< its number
  std::vector<ColumnBytes> columns{};  ///< all columns of its rows
};

/// Simulated poses of a scene's road users, in consecutive frames: a rollout.
///
/// Shapes  n frames: `timestamps`, `ego_x`, `ego_y`, `ego_yaw`, `counts` (agents per
///         frame). m agents, the sum of `counts`: all others.
/// Units   Nanoseconds, metres in world, radians.
struct SimulatedScene {
  std::uint64_t scene = 0;                 ///< number in the data set
  std::uint64_t first_frame = 0;           ///< frame of the scene
  std::vector<std::int64_t> timestamps{};  ///< as recorded
  std::vector<double> ego_x{};             ///< of the ego vehicle
  std::vector<double> ego_y{};             ///< of the ego vehicle
  std::vector<double> ego_yaw{};           ///< of the ego vehicle
  std::vector<std::uint32_t> counts{};     ///< agents per frame
  std::vector<std::uint64_t> track_id{};   ///< of agents, one frame after another
  std::vector<double> x{};                 ///< of agents
  std::vector<double> y{};                 ///< of agents
  std::vector<double> yaw{};               ///< of agents
  std::vector<double> length{};            ///< of agents
  std::vector<double> width{};             ///< of agents
};

/// Recorded scenes through which models drive the ego vehicle and agents, by the rules of
/// L5Kit's ClosedLoopSimulator. Inference is the caller's:
///
///   auto samples = simulation.simulated().ego_samples(config);
///   for (std::size_t frame = 0; frame < simulation.size(); ++frame) {
///     const auto agents = simulation.agents(frame);
///     simulation.take(agents, positions and yaws of a model for samples.batch_at(agents));
///     the same with simulation.ego(frame);
///   }
///
/// Scenes are cut to the simulated frames: frame 0 has no history.
///
/// Lifetime       simulated() and recorded() may outlive the simulation.
/// Throws         The constructor throws invalid_argument without scenes, for a scene that
///                is given twice, and for more frames than the shortest scene has. The
///                others throw out_of_range for a scene or frame that is not simulated.
/// Thread safety  As Dataset; simulated() follows changes, and is part of it.
class BEV_EXPORT Simulation {
 public:
  /// Copies scenes of a data set into memory.
  Simulation(Dataset& dataset, std::span<const std::uint64_t> scenes,
             const SimulationConfig& config = {});

  /// Simulates scenes of the caller's instead of those of the data set.
  Simulation(Dataset& dataset, std::span<const MemoryScene> scenes,
             const SimulationConfig& config = {});
  ~Simulation();
  Simulation(Simulation&&) noexcept;             ///< leaves the other unusable
  Simulation& operator=(Simulation&&) noexcept;  ///< leaves the other unusable

  /// Returns the number of frames.
  std::size_t size() const noexcept;

  /// Returns the data set with the simulated scenes, or as recorded: cut, and with hidden
  /// agents. Samples are selected by track; functions that number rows or items throw
  /// invalid_argument.
  Dataset simulated() const;
  Dataset recorded() const;  ///< see simulated()

  /// Returns the agents of a frame that are controlled: cars near the ego vehicle. They
  /// are then controlled up to distance_th_far.
  std::vector<TrackAt> agents(std::uint64_t frame);

  /// As agents(), of one scene, also with use_agents_gt.
  std::vector<TrackAt> agents_of(std::uint64_t scene, std::uint64_t frame);

  /// Returns the ego vehicles of a frame.
  std::vector<TrackAt> ego(std::uint64_t frame) const;

  /// Moves subjects of one frame in the next frame; what is returned for the last frame
  /// is not used.
  ///
  /// @param positions  (n, steps, 2), of which the first step is used: metres, relative
  ///                   to each subject's pose
  /// @param yaws       (n, steps): radians, likewise
  /// @throws Error  invalid_argument if lengths differ or a used number is not finite
  void take(std::span<const TrackAt> subjects, std::span<const double> positions,
            std::span<const double> yaws, std::size_t steps = 1);

  /// Replaces or appends agents of a frame, by track: rows of "agents.centroid" ...
  void put_agents(std::uint64_t scene, std::uint64_t frame,
                  std::span<const ColumnBytes> agents);

  /// Places the ego vehicle of a frame; its height stays.
  void put_ego(std::uint64_t scene, std::uint64_t frame, std::array<double, 2> position,
               const std::array<double, 9>& rotation);

  /// Replaces all rows of a scene.
  void put_scene(const MemoryScene& rows);

  /// Makes agents of a scene count as controlled in the frame before, as agents() does.
  void hold(std::uint64_t scene, std::span<const std::uint64_t> tracks);

  /// Returns frames of a scene; by default all.
  ///
  /// @throws Error  out_of_range for frames that are not simulated
  SimulatedScene scene(std::uint64_t scene, std::size_t begin = 0,
                       std::optional<std::size_t> end = std::nullopt) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace bev
