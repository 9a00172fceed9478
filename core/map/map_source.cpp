#include "core/map/map_source.hpp"

namespace bev::map {

std::shared_ptr<const SemanticMap> MapSource::at(const geom::Vec2& in_world) const {
  if (!parts_) return whole_;
  const auto index = parts_->find(in_world);
  return index ? parts_->part(*index) : std::make_shared<const SemanticMap>();
}

}  // namespace bev::map
