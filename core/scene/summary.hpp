#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace bev::scene {

/// What L5Kit's summary of a data set is made of.
struct SummaryCounts {
  std::uint64_t scenes = 0;
  std::uint64_t frames = 0;
  std::uint64_t agents = 0;
  std::uint64_t faces = 0;
};

/// How many of the first timestamps the frame frequency is taken from.
inline constexpr std::int64_t kSummaryTimestamps = 50;

/// The table that L5Kit prints for a data set, to the character, without a final line
/// feed. The frequency is the mean over the first 50 timestamps, even where those span
/// scenes, and 10 where there are fewer than two.
///
/// Units   Timestamps are nanoseconds.
/// Source  L5Kit, ChunkedDataset.__str__; PrettyTable's layout of centred cells.
std::string summary_table(const SummaryCounts& counts,
                          std::span<const std::int64_t> first_timestamps);

}  // namespace bev::scene
