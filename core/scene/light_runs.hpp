#pragma once

#include <cstdint>
#include <vector>

#include "core/scene/scene_dataset.hpp"
#include "core/zarr/text.hpp"

namespace bev::scene {

/// The distinct traffic-light faces of a scene, in order of first appearance.
struct SeenFaces {
  zarr::Text id{{}, {0}};
  std::vector<std::uint32_t> first_frame;
  std::uint32_t repeat_frame = 0;  ///< the first frame that contains a face twice
  std::uint32_t repeats = 0;       ///< its rows beyond the first of each face; 0: none
};

/// Returns the faces of the frames whose rows are stored.
///
/// @param face_id   of the scene's face rows
/// @param absent  one value per frame
SeenFaces seen_faces(const SceneDataset& scene, const zarr::Text& face_id,
                     const std::vector<AbsentParts>& absent);

/// The state of each traffic light over a scene, as runs of frames. All faces of a
/// light count together: active if a face is, else unknown if a face is, else inactive.
/// A run ends when the state, the active faces or the light's presence changes. Runs
/// are sorted by light, then by begin, and do not overlap within a light.
///
/// Shapes  l lights in the order they are first seen, r runs; the active faces of run i
///         are active_face[active_offset[i]] to active_face[active_offset[i + 1]]. At
///         most one run and one active face per stored row.
struct LightRuns {
  zarr::Text id{{}, {0}};                       ///< (l) traffic_light_id
  std::vector<std::uint32_t> light;             ///< (r) index into id
  std::vector<std::uint32_t> begin;             ///< (r) first frame of the scene
  std::vector<std::uint32_t> end;               ///< (r) frame after the last
  std::vector<std::uint8_t> state;              ///< (r) FaceState
  std::vector<std::uint32_t> active_offset{0};  ///< (r + 1)
  std::vector<std::uint32_t> active_face;  ///< indices into SeenFaces::id, ascending
};

/// The identifiers of the scene's face rows.
struct FaceIds {
  const zarr::Text& face;
  const zarr::Text& traffic_light;
};

/// Returns the runs of a scene. Frames whose faces are not stored have no run.
///
/// @param absent  one value per frame
/// @param seen      seen_faces() of the same scene
LightRuns light_runs(const SceneDataset& scene, const FaceIds& ids,
                     const std::vector<AbsentParts>& absent, const SeenFaces& seen);

}  // namespace bev::scene
