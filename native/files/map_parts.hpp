#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/map/box_index.hpp"
#include "core/map/map_parts.hpp"
#include "core/map/map_source.hpp"
#include "core/map/meta.hpp"

namespace bev::native {

/// Returns bytes [begin, end) of semantic_map.pb, or fewer at its end.
using ReadMapBytes =
    std::function<std::vector<std::byte>(std::uint64_t begin, std::uint64_t end)>;

/// Parts of a map, each read by its range.
///
/// Memory         The last parts of together `cache_bytes` in the file, and those that
///                callers hold. A part takes some four times as much in memory.
/// Throws         changed for a part of another size; limit_exceeded for one that is
///                too large.
class ReadMapParts final : public map::MapParts {
 public:
  static constexpr std::uint64_t kCacheBytes = std::uint64_t{128} << 20U;

  /// @param read  may run in several threads at the same time
  ReadMapParts(const map::Meta& meta, std::vector<map::MapPart> parts,
               ReadMapBytes read, std::uint64_t cache_bytes = kCacheBytes);

  std::size_t count() const noexcept override { return parts_.size(); }
  std::optional<std::size_t> find(const geom::Vec2& in_world) const override;
  std::shared_ptr<const map::SemanticMap> part(std::size_t index) const override;

 private:
  using Map = std::shared_ptr<const map::SemanticMap>;
  struct Kept {
    std::size_t index;
    std::uint64_t size;
    Map map;
  };

  Map cached(std::size_t index) const;
  Map parse(std::size_t index) const;

  map::Meta meta_;
  std::vector<map::MapPart> parts_;
  ReadMapBytes read_;
  std::uint64_t cache_bytes_;
  map::BoxIndex areas_;
  mutable std::mutex mutex_;
  mutable std::list<Kept> kept_;  // the most recently used first
  mutable std::uint64_t kept_bytes_ = 0;
};

/// Returns the map of a file: whole, or in parts if its meta.json lists them.
///
/// @param size  of the file
/// Throws  changed if meta.json lists parts of another size; as SemanticMap::parse.
map::MapSource map_source(std::string_view meta_json, std::uint64_t size,
                          ReadMapBytes read);

/// Returns the map at a path, which is read while the map is in use.
///
/// Throws  not_found if it is not a file; changed, later, if the file was replaced; as
///         above
map::MapSource map_source_of_file(const std::string& path, std::string_view meta_json);

}  // namespace bev::native
