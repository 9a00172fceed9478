#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/scene/records.hpp"

namespace bev::scene {

/// Minimum number of past and future frames in which an agent must be visible. The
/// defaults are L5Kit's.
struct MaskMinima {
  std::uint32_t history = 10;
  std::uint32_t future = 1;
  bool operator==(const MaskMinima&) const = default;
};

/// The items of an agent dataset: rows of `agents`, ascending. Item i is the agent in
/// row(i).
///
/// Throws         append_counts() throws invalid_argument for a mask of an odd length.
/// Thread safety  Concurrent reads are safe once nothing is appended any more.
/// Reference      L5Kit, AgentDataset: agents_indices, mask_indices, get_scene_indices.
class AgentIndex {
 public:
  /// Items [begin, end).
  struct Items {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool operator==(const Items&) const = default;
  };

  /// Appends agents by their numbers of past and future frames: (n, 2).
  void append_counts(std::span<const std::uint32_t> counts, MaskMinima minima);

  /// Appends agents by a mask of n values; nonzero values are items.
  void append_mask(std::span<const std::uint8_t> mask);

  /// Advances to `row`. The skipped agents are not items.
  void skip_to(std::uint64_t row) noexcept { agents_ = row; }

  /// Returns the number of rows appended or skipped so far.
  std::uint64_t agent_count() const noexcept { return agents_; }

  std::size_t size() const noexcept { return rows_.size(); }
  std::int64_t row(std::size_t item) const noexcept { return rows_[item]; }

  /// Returns the row of AgentDataset[index]; a negative index counts from the end.
  ///
  /// @throws Error  out_of_range beyond the end, invalid_argument before the start
  std::int64_t row_at(std::int64_t index) const;

  std::span<const std::int64_t> rows() const noexcept { return rows_; }

  /// Returns the item of an agent; nullopt if the agent is not an item.
  std::optional<std::size_t> item_of(std::int64_t row) const noexcept;

  /// Returns the items among the agents of an interval, such as a frame's or a scene's.
  Items items_in(Interval agents) const noexcept;

 private:
  std::uint64_t agents_ = 0;
  std::vector<std::int64_t> rows_;
};

}  // namespace bev::scene
