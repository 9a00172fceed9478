#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/save/manifest.hpp"

namespace bev::save {

/// Rows of one object of a part.
struct Slice {
  std::size_t part = 0;     ///< position in the list of parts
  std::size_t object = 0;   ///< position in the part's array
  std::uint64_t begin = 0;  ///< rows of the object
  std::uint64_t end = 0;

  bool operator==(const Slice&) const = default;
};

/// A chunk of the joined array.
struct PlannedChunk {
  std::vector<Slice> slices;
  bool is_copy = false;  ///< the object of the only slice is the chunk as it is

  bool operator==(const PlannedChunk&) const = default;
};

/// The rows of one attribute in several parts, in the order of the parts: how they are
/// divided into chunks of one length.
///
/// Lifetime  The parts outlive it.
class JoinPlan {
 public:
  /// @param parts      in the order of the rows; see ordered()
  /// @param attribute  its position in the config
  JoinPlan(std::span<const Manifest> parts, std::size_t attribute);

  std::uint64_t rows() const noexcept { return rows_; }

  /// Returns the smallest number of rows per chunk among the parts; nullopt if no part
  /// has a full chunk.
  std::optional<std::uint64_t> chunk_rows() const noexcept { return chunk_rows_; }

  /// Returns the slices of rows [begin, end).
  std::vector<Slice> slices(std::uint64_t begin, std::uint64_t end) const;

  /// Returns the chunk of `chunk_rows` rows with this index.
  PlannedChunk chunk(std::uint64_t index, std::uint64_t chunk_rows) const;

  const PartObject& object(const Slice& slice) const {
    return parts_[slice.part].arrays[attribute_].objects[slice.object];
  }

 private:
  struct Place {
    std::uint64_t first;  // row of the joined array
    std::size_t part;
    std::size_t object;
  };

  std::span<const Manifest> parts_;
  std::size_t attribute_;
  std::uint64_t rows_ = 0;
  std::optional<std::uint64_t> chunk_rows_;
  std::vector<Place> places_;
};

/// Returns how many rows of an attribute the parts before one have.
std::uint64_t rows_before(std::span<const Manifest> parts, std::size_t part,
                          std::size_t attribute);

/// Sorts parts by saver.
///
/// Throws  invalid_argument for a part that is not complete, and for two of one saver
std::vector<Manifest> ordered(std::vector<Manifest> parts);

/// Returns the identity of a commit: equal if the same savers saved the same rows, in
/// whatever batches.
std::string commit_id(const DataConfig& config, std::span<const Manifest> parts);

}  // namespace bev::save
