#include "core/scene/agent_index.hpp"

#include <algorithm>
#include <string>

#include "core/base/error.hpp"

namespace bev::scene {

void AgentIndex::append_counts(std::span<const std::uint32_t> counts,
                               MaskMinima minima) {
  if (counts.size() % 2 != 0) {
    fail(Errc::invalid_argument,
         {"mask: odd number of counts (found ", counts.size(), ")"});
  }
  for (std::size_t i = 0; i < counts.size(); i += 2, ++agents_) {
    if (counts[i] >= minima.history && counts[i + 1] >= minima.future) {
      rows_.push_back(static_cast<std::int64_t>(agents_));
    }
  }
}

void AgentIndex::append_mask(std::span<const std::uint8_t> mask) {
  for (const auto kept : mask) {
    if (kept != 0) rows_.push_back(static_cast<std::int64_t>(agents_));
    ++agents_;
  }
}

std::int64_t AgentIndex::row_at(std::int64_t index) const {
  const auto count = static_cast<std::int64_t>(size());
  if (index >= -count && index < count) {
    return row(static_cast<std::size_t>(index < 0 ? index + count : index));
  }
  fail(index < 0 ? Errc::invalid_argument : Errc::out_of_range,
       {"agent item ", index, " is out of range (count ", count, ")"});
}

std::optional<std::size_t> AgentIndex::item_of(std::int64_t row) const noexcept {
  const auto found = std::lower_bound(rows_.begin(), rows_.end(), row);
  if (found == rows_.end() || *found != row) return std::nullopt;
  return static_cast<std::size_t>(found - rows_.begin());
}

AgentIndex::Items AgentIndex::items_in(Interval agents) const noexcept {
  const auto place = [&](std::int64_t row) {
    const auto found = std::lower_bound(rows_.begin(), rows_.end(), row);
    return static_cast<std::size_t>(found - rows_.begin());
  };
  return {place(agents.begin), place(std::max(agents.begin, agents.end))};
}

}  // namespace bev::scene
