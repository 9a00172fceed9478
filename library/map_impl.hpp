#pragma once

#include <bevscope/map.hpp>
#include <bevscope/raster.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/engine/map_query.hpp"
#include "core/map/aerial_image.hpp"

namespace bev {

/// A map query and views of its arrays.
struct SemanticMap::Impl {
  /// Lines of one kind: those of lane i are points offsets[i] to offsets[i + 1].
  struct Lines {
    std::span<const Point> points;
    std::span<const double> z;
    std::span<const std::uint32_t> offsets;

    MapLine operator[](std::size_t i) const;
  };

  Impl(std::span<const std::byte> fragment, std::string_view meta_json);

  std::string mark;  ///< map_mark() of its files
  MapQuery query;
  Arrays arrays;
  TextView lane_id, crosswalk_id, light_id, face_id;
  Lines left, right, centre, crosswalks;
};

/// An aerial image of the core.
struct AerialImage::Impl {
  explicit Impl(std::shared_ptr<const map::AerialImage> shared)
      : image(std::move(shared)) {}

  std::shared_ptr<const map::AerialImage> image;
};

}  // namespace bev
