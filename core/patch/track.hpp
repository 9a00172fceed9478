#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/geom/affine.hpp"
#include "core/scene/columns.hpp"

namespace bev::patch {

/// Where an edit puts a road user: a position, and a recorded step whose heading it has,
/// turned.
struct Placed {
  geom::Vec3 at;
  std::size_t source = 0;
  double turn = 0;  ///< radians
};

/// The steps of a track, or of the ego vehicle, through a scene that edits change.
///
/// Lifetime  The scene's rows must not move.
/// Throws    The constructor throws invalid_argument for a track that occurs twice in a
///           frame.
class Track {
 public:
  /// @param id  none: the ego vehicle
  Track(scene::SceneArrays& scene, std::optional<std::uint64_t> id);

  /// Number of frames with the track.
  std::size_t size() const noexcept { return steps_.size(); }

  std::size_t frame(std::size_t step) const { return steps_[step].frame; }
  const geom::Vec3& at(std::size_t step) const { return steps_[step].at; }
  double yaw(std::size_t step) const;

  /// Returns the seconds from one step to a later one; NaN if time does not pass.
  double seconds(std::size_t from, std::size_t to) const;

  /// Returns the first step in this frame or later.
  std::size_t first_from(std::size_t frame) const;

  /// Returns the mean velocity from the step before to the step after; 0 if there is none
  /// or if time does not pass.
  geom::Vec2 velocity(std::size_t step) const;

  /// Moves steps from `first` on. Agents that another pose has got since get the velocity
  /// of their new positions.
  void put(std::size_t first, const std::vector<Placed>& steps);

  /// Sets the velocity of all steps by their positions.
  void set_velocities();

 private:
  struct Step {
    std::size_t frame = 0;
    std::size_t row = 0;  ///< of the scene's agents; of frames for the ego vehicle
    geom::Vec3 at;
    float yaw = 0;  ///< of an agent
    std::array<double, 9> rotation{};
  };

  void add(std::size_t frame, std::size_t row);
  bool put_one(Step& step, const Placed& placed, const Step& source) const;
  void set_velocity(std::size_t step);

  scene::SceneArrays& scene_;
  bool is_ego_;
  std::vector<Step> steps_;
};

/// Returns an angle in [-pi, pi).
double wrapped(double yaw_rad) noexcept;

}  // namespace bev::patch
