#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

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

/// Where a synthetic data set is written.
struct TownOutput {
  Sink& files;   ///< map, image, meta.json, config.yaml
  Sink& scenes;  ///< the store
};

/// Returns the path of the store below the data set's folder: "scenes/town.zarr".
std::string_view scenes_path(const TownOptions& options);

/// Writes the synthetic data set, the scenes last. Holds one scene in memory.
///
/// @param progress  called before each part is created: "scene 3 of 4"
void write_town(const TownOutput& out, const TownOptions& options,
                const std::function<void(const std::string&)>& progress);

/// Writes the synthetic data set below `folder`, in the layout of L5Kit's data folders:
/// scenes/town.zarr (or town.zarr.zip), semantic_map/semantic_map.pb,
/// aerial_map/aerial_map.png (optional), meta.json, config.yaml.
///
/// Throws  io if writing fails
void write_town(const std::filesystem::path& folder, const TownOptions& options,
                const std::function<void(const std::string&)>& progress);

/// Streams the scenes' records into a data set.
void write_scenes(Sink& sink, const Plan& plan, const TownOptions& options,
                  const std::function<void(const std::string&)>& progress);

}  // namespace bev::town
