#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/scene/records.hpp"

namespace bev::scene {

/// How many frames before and after it an agent must be seen in. L5Kit's defaults.
struct MaskMinima {
  std::uint32_t history = 10;
  std::uint32_t future = 1;
  bool operator==(const MaskMinima&) const = default;
};

/// The agents that an agent data set consists of, its items: rows of `agents`,
/// ascending. Item i of the data set is the agent in row(i).
///
/// Errors    append_counts() throws invalid_argument for a mask of an odd length.
/// Threads   One that is not appended to any more may be read by many.
/// Source    L5Kit, AgentDataset: agents_indices, mask_indices, get_scene_indices.
class AgentIndex {
 public:
  /// Items [begin, end).
  struct Items {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool operator==(const Items&) const = default;
  };

  /// Agents that follow those before, by their past and future frames: (n, 2).
  void append_counts(std::span<const std::uint32_t> counts, MaskMinima minima);

  /// The same by a mask of n values, where all but 0 is an item.
  void append_mask(std::span<const std::uint8_t> mask);

  /// Agents that no mask tells of and that are no items.
  void skip_to(std::uint64_t row) noexcept { agents_ = row; }

  /// Rows told of so far.
  std::uint64_t agent_count() const noexcept { return agents_; }

  std::size_t size() const noexcept { return rows_.size(); }
  std::int64_t row(std::size_t item) const noexcept { return rows_[item]; }

  /// The row of AgentDataset[index]: negative counts from the end.
  ///
  /// @throws Error  out_of_range beyond the end, invalid_argument before the start
  std::int64_t row_at(std::int64_t index) const;

  std::span<const std::int64_t> rows() const noexcept { return rows_; }

  /// The item of an agent, or nothing.
  std::optional<std::size_t> item_of(std::int64_t row) const noexcept;

  /// The items among the agents of an interval: a frame's, a scene's.
  Items items_in(Interval agents) const noexcept;

 private:
  std::uint64_t agents_ = 0;
  std::vector<std::int64_t> rows_;
};

}  // namespace bev::scene
