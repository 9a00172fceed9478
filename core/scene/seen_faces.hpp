#pragma once

#include <cstdint>
#include <vector>

#include "core/scene/scene_dataset.hpp"
#include "core/scene/unstored.hpp"
#include "core/zarr/text.hpp"

namespace bev::scene {

/// The traffic-light faces of a scene, each once, in the order they are first seen.
struct SeenFaces {
  zarr::Text id{{}, {0}};
  std::vector<std::uint32_t> first_frame;
};

/// Returns the faces of the frames whose rows are stored.
///
/// @param face_id   of the scene's rows of faces
/// @param unstored  one value per frame
SeenFaces seen_faces(const SceneDataset& scene, const zarr::Text& face_id,
                     const std::vector<Unstored>& unstored);

}  // namespace bev::scene
