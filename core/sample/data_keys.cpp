#include "core/sample/data_keys.hpp"

namespace bev::sample {

DataKeys data_keys(const Config& config, bool vectorized) {
  const auto type = vectorized ? "" : config.text("raster_params.map_type");
  const bool has_map = vectorized || type == "py_semantic" || type == "semantic_debug";
  const bool has_image = type == "py_satellite" || type == "satellite_debug";
  DataKeys keys;
  if (has_map) keys.semantic_map = config.text("raster_params.semantic_map_key");
  if (has_image) keys.aerial_image = config.text("raster_params.satellite_map_key");
  if (has_map || has_image) keys.meta = config.text("raster_params.dataset_meta_key");
  return keys;
}

}  // namespace bev::sample
