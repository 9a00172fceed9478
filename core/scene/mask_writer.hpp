#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/scene/writer.hpp"
#include "core/zarr/metadata.hpp"

namespace bev::scene {

/// Puts the masks of scenes one behind the other: every agent of the data set has a
/// row, (0, 0) where no scene holds it.
///
/// Errors  add() throws unsupported for a scene whose agents begin before the end of
///         those added last, out_of_range for agents that are not there.
class MaskRows {
 public:
  /// Gets rows of (past, future) in order, without gaps.
  using Emit = std::function<void(std::span<const std::uint32_t>)>;

  MaskRows(std::uint64_t agent_count, Emit emit)
      : agent_count_(agent_count), emit_(std::move(emit)) {}

  /// The mask, of shape (n, 2), of the agents from row `first` on.
  void add(std::uint64_t first, std::span<const std::uint32_t> mask);

  /// What is behind the last scene.
  void finish() { skip_to(agent_count_); }

 private:
  void skip_to(std::uint64_t row);

  std::uint64_t agent_count_;
  std::uint64_t next_ = 0;
  Emit emit_;
};

/// Writes a mask as an array, the way L5Kit stores it: (n, 2), uint32, 10 000 rows a
/// chunk, Blosc. A chunk is in memory at a time.
///
/// Lifetime  The sink outlives the writer.
/// Errors    Whatever the sink throws.
class MaskWriter {
 public:
  /// L5Kit's: Blosc with lz4 and shuffled bytes. In wasm only `none` is written.
  static zarr::Compressor usual_compressor() {
    return {zarr::Compressor::Id::blosc, "lz4", 5, 1, 0};
  }

  /// @param path  of the array: "agents_mask/0.5"
  MaskWriter(Sink& sink, std::string path, std::uint64_t agent_count,
             const zarr::Compressor& compressor = usual_compressor());

  /// Rows that follow those before.
  void append(std::span<const std::uint32_t> rows);

  /// Writes the last chunk, padded with zeros, and the metadata.
  void close();

 private:
  void flush();

  Sink& sink_;
  std::string path_;
  zarr::ArrayMeta meta_;
  std::vector<std::byte> pending_;
  std::uint64_t chunk_ = 0;
};

}  // namespace bev::scene
