#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/scene/table_writer.hpp"
#include "core/zarr/metadata.hpp"

namespace bev::scene {

/// How the copy of a data set is stored; what is not given is as in the original.
struct CopyLayout {
  /// Rows per chunk, by array: "agents".
  std::map<std::string, std::uint64_t, std::less<>> chunk_rows = {};
  /// See zarr::compressor_named.
  std::optional<std::string> codec = std::nullopt;
  std::optional<int> level = std::nullopt;
  /// Fields to copy, "agents.yaw", or "agents" for all of an array. An array without a
  /// name here is copied with all fields. Intervals are always copied.
  std::vector<std::string> fields = {};
  /// See TableLayout::columnar and TableLayout::split_vectors.
  bool columnar = false;
  bool split_vectors = false;
  /// Also write agent_tracks, which trails are read from.
  bool tracks = false;
};

/// Returns the layout for viewers that read over HTTP: agent_tracks and small chunks, of
/// which a random frame needs few, compressed as much as the module that pages load first
/// can read. Chunk lengths and codec in `given` take precedence.
CopyLayout viewing_layout(CopyLayout given);

/// Returns the layout of one array's copy.
///
/// @param path    of the array: "agents"
/// @param record  the original's metadata
/// @throws Error  invalid_argument for an unknown codec; not_found for an unknown field;
///                unsupported for an array that is not of records
TableLayout table_layout(const CopyLayout& layout, std::string_view path,
                         const zarr::ArrayMeta& record);

/// Returns the layout of agent_tracks, for records of agents.
TableLayout tracks_layout(const CopyLayout& layout, const zarr::ArrayMeta& agents);

/// Checks that chunk lengths and fields name arrays of the format.
///
/// Throws  not_found, with the known names
void check_names(const CopyLayout& layout);

/// Returns the names of the interval fields of an array, which refer to the next one.
std::vector<std::string_view> interval_names(std::string_view path);

}  // namespace bev::scene
