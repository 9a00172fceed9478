#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/map/aerial_image.hpp"
#include "core/map/semantic_map.hpp"
#include "core/sample/config.hpp"

namespace bev::native {

/// What samples of a config are made with besides the data set; null where a config
/// asks for none.
struct Assets {
  std::shared_ptr<const map::SemanticMap> semantic_map;
  std::shared_ptr<const map::AerialImage> aerial_image;
};

/// Reads what `config` asks for (sample::data_keys), by its keys resolved on `root`.
/// Without keys the root is not looked at.
///
/// @throws Error  what DataRoot throws, and what the readers of the files throw
Assets load_assets(const sample::Config& config, bool vectorized,
                   const std::optional<std::string>& root);

}  // namespace bev::native
