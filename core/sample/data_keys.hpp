#pragma once

#include <optional>
#include <string>

#include "core/sample/config.hpp"

namespace bev::sample {

/// The files beside a data set that samples of a config are made with, by the names
/// the config has for them. Who opens files resolves them on a root.
struct DataKeys {
  std::optional<std::string> meta;          ///< meta.json, wanted with either of these
  std::optional<std::string> semantic_map;  ///< semantic_map.pb
  std::optional<std::string> aerial_image;  ///< its key is satellite_map_key

  bool operator==(const DataKeys&) const = default;
};

/// Which of them `config` asks for: by its map_type, or the map and meta.json where
/// samples are vectorized. L5Kit insists on meta.json for map types that draw no map;
/// this does not. A map_type that is not known asks for none: it is refused by who
/// draws.
///
/// @throws Error  what Config throws for keys that are missing or no text
/// Source         L5Kit, rasterization/rasterizer_builder.py and
///                vectorization/vectorizer_builder.py.
DataKeys data_keys(const Config& config, bool vectorized);

}  // namespace bev::sample
