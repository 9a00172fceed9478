#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/base/sink.hpp"
#include "core/zarr/metadata.hpp"

namespace bev::zarr {

/// A chunk that an ArrayWriter has written.
struct WrittenChunk {
  std::uint64_t number = 0;
  std::span<const std::byte> rows;     ///< decoded, without padding
  std::span<const std::byte> encoded;  ///< as stored
};

/// Writes an array of rows along its first axis: construct, append, close. Full chunks
/// are written at once, so that one chunk is held in memory.
///
/// Lifetime       The sink outlives the writer.
/// Throws         As encode_chunk; exceptions of the sink.
/// Thread safety  A writer belongs to one thread.
class ArrayWriter {
 public:
  /// Maximum decoded size of a chunk: 1 GiB.
  static constexpr std::size_t kMaxChunkBytes = std::size_t{1} << 30;

  using OnChunk = std::function<void(const WrittenChunk& chunk)>;

  /// @param meta      the first axis has length 0; a chunk spans all other axes
  /// @param on_chunk  called after each chunk was written; may be empty
  /// @throws Error    invalid_argument for other axes, or for a chunk length of 0;
  ///                  limit_exceeded for a chunk above kMaxChunkBytes
  ArrayWriter(Sink& sink, std::string path, ArrayMeta meta, OnChunk on_chunk = {});

  const std::string& path() const noexcept { return path_; }
  const ArrayMeta& meta() const noexcept { return meta_; }
  std::uint64_t rows() const noexcept { return meta_.shape.front(); }

  /// Appends whole rows, in the array's type.
  void append(std::span<const std::byte> rows);

  /// Writes the last chunk, padded with the fill value, and the .zarray, and returns the
  /// text of that.
  std::string close();

 private:
  void flush(std::size_t size);

  Sink& sink_;
  std::string path_;
  ArrayMeta meta_;
  OnChunk on_chunk_;
  std::size_t row_bytes_ = 0;
  std::vector<std::byte> chunk_;  // elements of the current chunk
  std::size_t filled_ = 0;        // bytes of chunk_
  std::uint64_t number_ = 0;      // of the current chunk
};

}  // namespace bev::zarr
