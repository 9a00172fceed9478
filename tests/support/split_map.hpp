#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/map/map_source.hpp"

namespace bev::test {

/// Parts of a map in memory.
class SplitMap final : public map::MapParts {
 public:
  struct Part {
    map::Box area;
    std::shared_ptr<const map::SemanticMap> map;
  };

  explicit SplitMap(std::vector<Part> parts) : parts_(std::move(parts)) {}

  std::size_t count() const noexcept override { return parts_.size(); }

  std::optional<std::size_t> find(const geom::Vec2& at) const override {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const auto& area = parts_[i].area;
      const bool is_in = area.min_x <= at.x && at.x <= area.max_x &&
                         area.min_y <= at.y && at.y <= area.max_y;
      if (is_in) return i;
    }
    return std::nullopt;
  }

  std::shared_ptr<const map::SemanticMap> part(std::size_t index) const override {
    return parts_.at(index).map;
  }

 private:
  std::vector<Part> parts_;
};

inline map::MapSource split_map(std::vector<SplitMap::Part> parts) {
  return map::MapSource(std::make_shared<const SplitMap>(std::move(parts)));
}

}  // namespace bev::test
