#pragma once

#include <filesystem>
#include <functional>

#include "core/scene/writer.hpp"
#include "native/town/scene_maker.hpp"

namespace bev::town {

/// A data set to be made.
struct TownOptions {
  int scenes = 4;
  SceneOptions scene;
  scene::WriterOptions layout;
  bool aerial = true;
  bool zip = false;  ///< the records in a .zip, not in a folder
};

/// Writes the made-up data set below `folder` as L5Kit's data folders are laid out:
/// scenes/town.zarr (or town.zarr.zip), semantic_map/semantic_map.pb,
/// aerial_map/aerial_map.png (if wanted), meta.json, config.yaml. Memory is that of one
/// scene.
///
/// @param progress  called with each piece that is about to be made: "scene 3 of 4"
/// @throws Error    network when a file cannot be written
void write_town(const std::filesystem::path& folder, const TownOptions& options,
                const std::function<void(const std::string&)>& progress);

/// The records of the scenes, streamed into a data set.
void write_scenes(scene::Sink& sink, const Plan& plan, const TownOptions& options,
                  const std::function<void(const std::string&)>& progress);

}  // namespace bev::town
