#include "core/scene/virtual_egos.hpp"

#include <nlohmann/json.hpp>

#include "core/zarr/json_view.hpp"

namespace bev::scene {

VirtualEgos VirtualEgos::parse(const nlohmann::json& attributes) {
  VirtualEgos out;
  const auto scenes = zarr::JsonView(attributes)["bevscope"]["scenes"];
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    out.scenes_.push_back(scenes.at(i)[kName].boolean().value_or(false));
  }
  return out;
}

}  // namespace bev::scene
