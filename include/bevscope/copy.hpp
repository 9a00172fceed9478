#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dataset.hpp"
#include "export.hpp"
#include "rows.hpp"

// Needs the CMake target bevscope::native (BEV_NATIVE), as native.hpp does.

namespace bev {

/// What chunks a copy has.
enum class CopyPurpose {
  as_original,  ///< those of the original, or as the options say
  viewing,      ///< small ones, so that a page reads little for a frame, and statistics
};

/// What copy() copies, and in which layout.
struct CopyOptions {
  Slice scenes = {};  ///< scenes in the order of the copy; by default all
  /// Fields to copy: "agents.yaw". Arrays that are not named keep all fields, and all
  /// keep their intervals.
  std::vector<std::string> fields = {};
  /// Rows per chunk by array: {"agents", 20000}.
  std::map<std::string, std::uint64_t> chunk_rows = {};
  /// "none", "zlib", "gzip", "zstd", "lz4", "blosc:lz4", "blosc:lz4hc", "blosc:zstd",
  /// "blosc:zlib" or "blosc:blosclz"; by default the original's
  std::optional<std::string> codec = std::nullopt;
  std::optional<int> level = std::nullopt;         ///< of the codec
  CopyPurpose purpose = CopyPurpose::as_original;  ///< see CopyPurpose
  bool columnar = false;                           ///< one plain array per field
  /// One per element of a field with axes, agents/extent/0; needs `columnar`
  bool split_vectors = false;
  int zarr_format = 2;  ///< 2, or 3, which needs `columnar`
  /// Chunks per object, of zarr format 3; 0: an object per chunk
  std::uint64_t chunks_per_shard = 0;
  bool statistics = false;  ///< also write the limits of each chunk's values
  bool replace = false;     ///< replace an existing store
  /// Called with the number of scenes written; an exception ends the copy.
  std::function<void(std::uint64_t scenes)> progress = {};
};

/// What copy() wrote.
struct CopyReport {
  std::uint64_t scenes = 0;  ///< number of scenes
  /// Arrays of the original that are not copied, such as masks.
  std::vector<std::string> left_out = {};
  bool has_statistics = false;  ///< false if they would be larger than 8 MiB
};

/// Copies scenes of an L5Kit data set to a new store: a .zip if the name ends in ".zip",
/// a folder otherwise. It appears under its name when it is complete.
///
/// Throws     invalid_argument if the store exists, for an unknown codec, for columns
///            for viewing, and for split vectors or zarr format 3 without columns;
///            not_found for an unknown array or field; io if writing fails; errors of
///            reading; exceptions of `progress`. Nothing is left then.
/// Reference  docs/layouts.md
BEV_EXPORT CopyReport copy(Dataset& dataset, const std::string& store,
                           const CopyOptions& options = {});

}  // namespace bev
