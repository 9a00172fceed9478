#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace bev::scene {

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

}  // namespace bev::scene
