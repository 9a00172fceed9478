#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/reader/statistics.hpp"
#include "core/zarr/metadata.hpp"

namespace bev::reader {

/// Collects the statistics of arrays while they are written, so that nothing is read
/// again. The axes after the first are the shape of an element; arrays with chunks that
/// do not span them have no statistics.
///
/// Thread safety  A recorder belongs to one thread.
class StatisticsRecorder {
 public:
  /// A chunk that was written.
  struct Chunk {
    std::uint64_t number = 0;
    std::span<const std::byte> rows;     ///< decoded, without padding
    std::span<const std::byte> encoded;  ///< as stored
  };

  /// Adds a chunk; chunks are added in ascending order.
  ///
  /// @param array   metadata of the array, with its length so far
  /// @throws Error  invalid_argument for bytes that are not whole rows
  void add(std::string_view path, const zarr::ArrayMeta& array, const Chunk& chunk);

  /// Returns the contents of Statistics::kKey; nullopt if they exceed `most` bytes or a
  /// limit of Statistics.
  std::optional<std::string> to_json(std::size_t most) const;

 private:
  Statistics statistics_;
  bool is_full_ = false;
};

}  // namespace bev::reader
