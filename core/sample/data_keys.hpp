#pragma once

#include <optional>
#include <string>

#include "core/sample/config.hpp"

namespace bev::sample {

/// The files beside a dataset that a config's samples need, by the config's names. The
/// host resolves them against its data root.
struct DataKeys {
  std::optional<std::string> meta;          ///< meta.json; set if one of the others is
  std::optional<std::string> semantic_map;  ///< semantic_map.pb
  std::optional<std::string> aerial_image;  ///< from satellite_map_key

  bool operator==(const DataKeys&) const = default;
};

/// Returns the files that `config` needs: by its map_type, or the map and meta.json for
/// vectorized samples. Unlike L5Kit, does not require meta.json for map types that draw
/// no map. An unknown map_type needs none: the rasterizer rejects it.
///
/// @throws Error  as Config, for keys that are missing or not strings
/// Reference  L5Kit, rasterization/rasterizer_builder.py and
///            vectorization/vectorizer_builder.py.
DataKeys data_keys(const Config& config, bool vectorized);

}  // namespace bev::sample
