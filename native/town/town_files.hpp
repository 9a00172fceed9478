#pragma once

#include <filesystem>
#include <functional>

#include "core/base/sink.hpp"
#include "core/scene/writer.hpp"
#include "native/town/scene_maker.hpp"

namespace bev::town {

/// Parameters of the data set to create.
struct TownOptions {
  int scenes = 4;
  SceneOptions scene;
  scene::WriterOptions layout;
  bool aerial = true;
  bool zip = false;  ///< write the records to a .zip instead of a folder
};

/// Writes the synthetic data set below `folder`, in the layout of L5Kit's data folders:
/// scenes/town.zarr (or town.zarr.zip), semantic_map/semantic_map.pb,
/// aerial_map/aerial_map.png (optional), meta.json, config.yaml. Holds one scene in
/// memory.
///
/// @param progress  called before each part is created: "scene 3 of 4"
/// Throws  io if writing fails
void write_town(const std::filesystem::path& folder, const TownOptions& options,
                const std::function<void(const std::string&)>& progress);

/// Streams the scenes' records into a data set.
void write_scenes(Sink& sink, const Plan& plan, const TownOptions& options,
                  const std::function<void(const std::string&)>& progress);

}  // namespace bev::town
