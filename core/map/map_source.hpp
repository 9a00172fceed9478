#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "core/geom/affine.hpp"
#include "core/map/semantic_map.hpp"

namespace bev::map {

/// Maps of scenarios in one file, of which each is read when it is needed; see MapPart.
///
/// Thread safety  Const functions may run at the same time.
class MapParts {
 public:
  virtual ~MapParts() = default;

  virtual std::size_t count() const noexcept = 0;

  /// Returns the part whose area has the position; nullopt if there is none.
  virtual std::optional<std::size_t> find(const geom::Vec2& in_world) const = 0;

  /// Returns a part, which is not null.
  ///
  /// Throws  out_of_range; errors of reading and of SemanticMap::parse, with the part
  virtual std::shared_ptr<const SemanticMap> part(std::size_t index) const = 0;
};

/// Where the map around a position comes from: one map, or parts.
class MapSource {
 public:
  /// Without a map.
  MapSource() = default;

  /// One map; null: none.
  template <class Map, class = std::enable_if_t<std::is_convertible_v<
                           Map, std::shared_ptr<const SemanticMap>>>>
  MapSource(Map&& map) : whole_(std::forward<Map>(map)) {}  // NOLINT: implicit

  explicit MapSource(std::shared_ptr<const MapParts> parts)
      : parts_(std::move(parts)) {}

  bool has_map() const noexcept { return whole_ != nullptr || parts_ != nullptr; }

  /// The one map; null for parts.
  const std::shared_ptr<const SemanticMap>& whole() const noexcept { return whole_; }

  /// The parts; null for one map.
  const MapParts* parts() const noexcept { return parts_.get(); }

  /// Returns the map around a position: the one map, the part, or an empty map where no
  /// part is. Null without a map.
  ///
  /// Throws  as MapParts::part()
  std::shared_ptr<const SemanticMap> at(const geom::Vec2& in_world) const;

 private:
  std::shared_ptr<const SemanticMap> whole_;
  std::shared_ptr<const MapParts> parts_;
};

}  // namespace bev::map
