#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/save/config.hpp"

namespace bev::save {

/// Finds an attribute's rows per chunk from its first rows: about as many as encode to
/// the config's max_chunk_size, by encoding them. A function of these rows alone, not
/// of the batches in which they arrive.
///
/// Chunks are at most kMaxRatio times larger before encoding than encoded, so that rows
/// of zeros do not fill memory.
class ChunkLength {
 public:
  static constexpr std::uint64_t kMaxRatio = 16;

  ChunkLength(const DataConfig& config, const Attribute& attribute);

  /// Returns the rows per chunk; nullopt until they are found.
  std::optional<std::uint64_t> rows() const noexcept { return rows_; }

  /// Returns how many first rows the next step needs.
  std::uint64_t needed() const noexcept { return probe_; }

  /// Continues the search with the attribute's first rows, until it ends or needs more
  /// rows than given.
  void search(std::span<const std::byte> first_rows);

  /// Ends the search with all rows of an attribute, fewer than needed(): returns the
  /// rows per chunk.
  std::uint64_t finish(std::span<const std::byte> all_rows);

  /// Returns a smaller length for chunks of which one encoded to `found` bytes, more
  /// than max_chunk_size. At least 1.
  static std::uint64_t shortened(const DataConfig& config, std::uint64_t rows,
                                 std::uint64_t found) noexcept;

 private:
  void step(std::uint64_t encoded_bytes);

  DataConfig config_;
  Attribute attribute_;
  std::uint64_t fits_ = 1;   // rows that fit
  std::uint64_t fit_bytes_;  // their encoded size
  std::uint64_t exceeds_;    // rows that do not fit, or above the limit
  std::uint64_t probe_;
  std::optional<std::uint64_t> rows_;
};

/// Consecutive rows of an attribute, encoded as one chunk.
struct EncodedRows {
  std::uint64_t first = 0;
  std::uint64_t rows = 0;
  std::vector<std::byte> bytes;
};

/// Encodes rows as one chunk of as many rows.
std::vector<std::byte> encode_rows(const DataConfig& config, const Attribute& attribute,
                                   std::span<const std::byte> rows);

/// Encodes rows as one chunk, or as several by halving if it exceeds max_chunk_size.
///
/// @param first  the number of the first row
std::vector<EncodedRows> encode_within_limit(const DataConfig& config,
                                             const Attribute& attribute,
                                             std::uint64_t first,
                                             std::span<const std::byte> rows);

}  // namespace bev::save
