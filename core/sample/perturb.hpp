#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/sample/numpy_random.hpp"
#include "core/scene/columns.hpp"

namespace bev::sample {

/// By how much the ego vehicle is put off its pose: metres, radians.
struct PoseOffset {
  double lateral = 0;       ///< to its left
  double longitudinal = 0;  ///< ahead
  double yaw = 0;
};

/// Puts the ego vehicle off its pose now, and lets it drive back to its future: places
/// and headings of the frames from `current` on are replaced, times and heights stay.
///
/// A future that is shorter than `min_displacement` metres, a car that hardly moves,
/// takes no lateral offset and none of yaw.
///
/// @param frames  of one scene, oldest first
/// @throws Error  invalid_argument if no frame follows `current`, and where poses or
///                offsets are such that nothing drives there
///
/// Source  L5Kit, kinematic/ackerman_perturbation.py: the trajectory is rounded to
///         float32 first, as there; see fit_drive for the rest.
void perturb(scene::FrameColumns& frames, std::size_t current, const PoseOffset& offset,
             double min_displacement = 0);

/// Draws offsets, in the order in which samples are asked for: whether there is one, by
/// np.random.seed(seed); and which, of L5Kit's GaussianRandomGenerator(mean, std,
/// seed). The same seeds give the numbers that NumPy gives.
///
/// Errors  The constructor throws invalid_argument for a probability outside [0, 1],
/// for
///         a mean or deviation that is not finite, and for a deviation below 0.
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

  /// The offset of the next sample, or nothing: it is left as it is.
  std::optional<PoseOffset> next() noexcept;

 private:
  Options options_;
  LegacyRandom whether_;
  Generator which_;
};

}  // namespace bev::sample
