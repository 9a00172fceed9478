#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/sample/numpy_random.hpp"
#include "core/scene/columns.hpp"

namespace bev::sample {

/// Displacement of the ego vehicle: metres, radians.
struct PoseOffset {
  double lateral = 0;       ///< to its left
  double longitudinal = 0;  ///< ahead
  double yaw = 0;
};

/// Displaces the ego vehicle's current pose and fits a trajectory that returns to its
/// recorded future. Replaces positions and headings of the frames from `current`; times
/// and heights stay.
///
/// If the future's path is shorter than `min_displacement` metres, as of a car that
/// hardly moves, the lateral and yaw offsets are ignored.
///
/// @param frames  of one scene, oldest first
/// @throws Error  invalid_argument if no frame follows `current`, and for poses or
///                offsets that admit no trajectory
/// Reference  L5Kit, kinematic/ackerman_perturbation.py: the trajectory is first
///            rounded to float32; see fit_drive for the rest.
void perturb(scene::FrameColumns& frames, std::size_t current, const PoseOffset& offset,
             double min_displacement = 0);

/// Draws the offsets of samples, in the order in which samples are requested.
/// np.random.seed(seed) decides whether to perturb, L5Kit's
/// GaussianRandomGenerator(mean, std, seed) by how much. The same seeds give NumPy's
/// numbers.
///
/// Throws  The constructor throws invalid_argument for a probability outside [0, 1],
///         for a mean or deviation that is not finite, and for a negative deviation.
class PerturbationDraws {
 public:
  struct Options {
    double probability = 1;
    std::array<double, 3> mean{};  ///< lateral, longitudinal, yaw
    std::array<double, 3> deviation{};
    std::uint32_t seed = 0;
    std::uint64_t offset_seed = 0;
    double min_displacement = 0;  ///< see perturb()
  };

  explicit PerturbationDraws(const Options& options);

  const Options& options() const noexcept { return options_; }

  /// Returns the offset of the next sample; nullopt if it is not perturbed.
  std::optional<PoseOffset> next() noexcept;

 private:
  Options options_;
  LegacyRandom decision_random_;
  Generator offset_random_;
};

}  // namespace bev::sample
