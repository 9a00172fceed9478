#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/scene/select_agents.hpp"

namespace bev::scene {

/// Formats a table in PrettyTable's default style: borders of + - |, centred cells, the
/// first row separated by a line. No final line feed.
///
/// Shapes     Every row has as many cells as the first, which holds the titles.
/// Reference  PrettyTable's default style.
std::string text_table(const std::vector<std::vector<std::string>>& rows);

/// Array lengths for L5Kit's summary of a dataset.
struct SummaryCounts {
  std::uint64_t scenes = 0;
  std::uint64_t frames = 0;
  std::uint64_t agents = 0;
  std::uint64_t faces = 0;
};

/// Number of leading timestamps that the frame frequency is computed from.
inline constexpr std::int64_t kSummaryTimestamps = 50;

/// Returns the table that L5Kit prints for a dataset, character by character, without a
/// final line feed. The frequency is the mean over the first 50 timestamps, even if
/// they span scenes; 10 with fewer than two.
///
/// Units      Timestamps are nanoseconds.
/// Reference  L5Kit, ChunkedDataset.__str__; PrettyTable's layout of centred cells.
std::string summary_table(const SummaryCounts& counts,
                          std::span<const std::int64_t> first_timestamps);

/// Returns a human-readable report of a selection: the rules, the number of agents that
/// failed each, and the past/future table. Lines end in line feeds.
///
/// Reference  L5Kit, the names that select_agents prints.
std::string selection_text(const SelectionRules& rules, const SelectionReport& report,
                           const PastFutureTable& table);

}  // namespace bev::scene
