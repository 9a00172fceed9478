#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/scene/dataset.hpp"

namespace bev::scene {

/// Finds the record whose interval holds an index of the next array: the scene of a
/// frame, the frame of an agent. It reads pages of records where it expects the index
/// to be, since records are about equally large, and remembers what they span.
///
/// Errors    find() throws out_of_range for an index that no interval holds, and
///           corrupt_chunk for intervals that cannot be, or do not ascend.
/// Threads   One object, one thread, one data set.
class IntervalSearch {
 public:
  enum class Of { scenes, frames };

  struct Hit {
    std::uint64_t row = 0;  ///< of the record
    Interval interval;
  };

  explicit IntervalSearch(Of records) : records_(records) {}

  /// The record that holds `index`; nullopt while chunks are wanted.
  std::optional<Hit> find(store::Reader& reader, const ChunkedDataset& dataset,
                          std::uint64_t index);

  /// Wants what any search would want: the records, where they are one page.
  void prepare(store::Reader& reader, const ChunkedDataset& dataset);

 private:
  /// Records that were read, and what their intervals span together.
  struct Page {
    std::uint64_t number = 0;
    Interval span;
  };
  /// Pages [begin, end) may hold the index, as indices [from, to) are theirs.
  struct Gap {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    Interval indices;
  };

  std::uint64_t count(const ChunkedDataset& dataset) const noexcept;
  IntervalField field(const ChunkedDataset& dataset) const noexcept;
  bool load(store::Reader& reader, const ChunkedDataset& dataset, std::uint64_t page);
  void remember(std::uint64_t page, const IntervalField& field);
  Gap narrow(const ChunkedDataset& dataset, std::int64_t index) const;
  std::uint64_t guess(const Gap& gap, std::int64_t index);
  Hit pick(const IntervalField& field, std::int64_t index) const;

  Of records_;
  std::vector<Page> known_;     // ascending
  std::vector<Interval> rows_;  // those of loaded_
  std::optional<std::uint64_t> loaded_;
  std::uint32_t guesses_ = 0;
};

}  // namespace bev::scene
