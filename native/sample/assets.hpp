#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/map/aerial_image.hpp"
#include "core/map/map_source.hpp"
#include "core/sample/config.hpp"

namespace bev::native {

/// Data for samples besides the data set; null if the config does not require it.
struct Assets {
  map::MapSource semantic_map;
  std::shared_ptr<const map::AerialImage> aerial_image;
};

/// Reads the files that `config` requires (sample::data_keys), with keys resolved
/// against `root`. Without keys, `root` is not accessed.
///
/// Throws  errors of DataRoot and of the files' readers
Assets load_assets(const sample::Config& config, bool vectorized,
                   const std::optional<std::string>& root);

}  // namespace bev::native
