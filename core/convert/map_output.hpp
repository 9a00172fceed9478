#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "core/convert/city_map.hpp"
#include "core/convert/scenario.hpp"
#include "core/map/map_writer.hpp"

namespace bev::convert {

/// The semantic map of a data set. Maps of scenarios of one city are joined at the end
/// (see CityMap). Separate maps, whose ids have a prefix of their own, are encoded and
/// passed on when they are added. If they have cells, meta.json lists them as parts, of
/// which each is read alone: limits then apply to each.
///
/// Memory  The distinct elements of joined maps; some 200 bytes per separate map.
/// Throws  add() throws invalid_argument as CityMap, for a prefix that another map has,
///         and for maps with and without a cell; limit_exceeded for a map that would be
///         too large to read; exceptions of `append`. An error adds nothing.
class MapOutput {
 public:
  /// Takes the next bytes of semantic_map.pb.
  using Append = std::function<void(std::span<const std::byte>)>;

  /// @param append  if empty, all bytes are kept for finish()
  /// @param limits  of the map
  explicit MapOutput(Append append = {}, const map::Limits& limits = {});

  /// @param name  of the scenario, for renamed elements and messages
  void add(const SourceMap& map, const std::string& name);

  /// Encodes the rest. Returns semantic_map.pb, which is empty if `append` took it.
  std::string finish();

  /// Returns the file meta.json.
  std::string meta_json() const;

  /// Returns the sums of all maps. Junctions of joined maps are counted by finish().
  CityMap::Counts counts() const;

 private:
  void check_cells(const SourceMap& map, const std::string& name) const;
  void add_separate(const SourceMap& map, const std::string& name);
  void add_part(const geom::Vec2& cell, std::uint64_t size);
  void pass_on(const std::string& bytes);

  Append append_;
  map::MapWriter writer_;
  CityMap joined_;
  CityMap::Counts separate_;
  std::optional<map::RawFrame> frame_;
  std::unordered_set<std::string> prefixes_;
  std::vector<map::MapPart> parts_;
  std::string kept_;
};

}  // namespace bev::convert
