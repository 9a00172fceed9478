#pragma once

#include <bevscope/map.hpp>
#include <bevscope/raster.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/engine/map_query.hpp"
#include "core/map/aerial_image.hpp"
#include "core/map/map_source.hpp"

namespace bev {

/// A map, or a map of parts, which is read as a whole when that is asked for.
// Hidden: its functions name types of core/.
struct [[gnu::visibility("hidden")]] SemanticMap::Impl {
  /// Lines of one kind: those of lane i are points offsets[i] to offsets[i + 1].
  struct Lines {
    std::span<const Point> points;
    std::span<const double> z;
    std::span<const std::uint32_t> offsets;

    MapLine operator[](std::size_t i) const;
  };

  /// A map query and views of its arrays.
  struct Whole {
    explicit Whole(std::shared_ptr<const map::SemanticMap> map);

    MapQuery query;
    Arrays arrays;
    TextView lane_id, crosswalk_id, light_id, face_id;
    Lines left, right, centre, crosswalks;
  };

  using Map = std::shared_ptr<const map::SemanticMap>;

  using Mark = std::function<std::string()>;

  /// @param mark_of_map  returns map_mark() of the map's files
  Impl(const Map& map, Mark mark_of_map);

  /// A map of parts.
  ///
  /// @param read_whole  reads all parts as one map
  Impl(map::MapSource parts, std::function<Map()> read_whole, Mark mark_of_map);

  /// Throws  errors of `read_whole`
  const Whole& whole() const;

  map::MapSource source;
  Mark mark;

 private:
  std::function<Map()> read_whole_;
  mutable std::once_flag once_;
  mutable std::optional<Whole> whole_;
};

/// An aerial image of the core.
struct AerialImage::Impl {
  explicit Impl(std::shared_ptr<const map::AerialImage> shared)
      : image(std::move(shared)) {}

  std::shared_ptr<const map::AerialImage> image;
};

}  // namespace bev
