#pragma once

#include <cstdint>
#include <vector>

#include "core/scene/scene_dataset.hpp"
#include "core/scene/unstored.hpp"
#include "core/zarr/text.hpp"

namespace bev::scene {

/// The distinct traffic-light faces of a scene, in order of first appearance.
struct SeenFaces {
  zarr::Text id{{}, {0}};
  std::vector<std::uint32_t> first_frame;
};

/// Returns the faces of the frames whose rows are stored.
///
/// @param face_id   of the scene's face rows
/// @param unstored  one value per frame
SeenFaces seen_faces(const SceneDataset& scene, const zarr::Text& face_id,
                     const std::vector<Unstored>& unstored);

}  // namespace bev::scene
