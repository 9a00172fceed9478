#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/owned_bytes.hpp"
#include "core/scan/reader_blocks.hpp"
#include "core/scan/reader_windows.hpp"

namespace bev {

/// A group of blocks to examine; see reader::EpochOrder.
struct GroupTask {
  std::uint64_t epoch = 0;
  std::uint64_t group = 0;
  bool with_values = true;  ///< whether its items' values are read too
};

/// The items of a group, which any reader of an equal plan and the same data makes
/// equally.
struct MadeGroup {
  /// A block that was left out because of a damaged chunk.
  struct Skipped {
    std::uint64_t block = 0;  ///< number of the scene, or of the chunk
    std::string error;
  };

  std::uint64_t group = 0;
  ReaderItems items;
  /// The numbers of the items in the group's order; empty if that is their own.
  std::vector<std::uint32_t> order;
  std::optional<std::vector<RawBytes>> columns;  ///< values of the items' rows
  std::vector<Skipped> skipped;
  ReaderCounts counts;  ///< what making it took
};

}  // namespace bev
