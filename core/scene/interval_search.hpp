#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/scene/dataset.hpp"

namespace bev::scene {

/// Finds the record whose interval holds an index of the next array: a frame's scene,
/// or an agent's frame. Interpolation search over pages of records, since records are
/// about equally large; remembers the span of each page read.
///
/// Throws         find() throws out_of_range for an index in no interval, and
///                corrupt_chunk for invalid or descending intervals.
/// Thread safety  One object belongs to one thread and one dataset.
class IntervalSearch {
 public:
  enum class Of { scenes, frames };

  struct Hit {
    std::uint64_t row = 0;  ///< row of the record
    Interval interval;
  };

  explicit IntervalSearch(Of records) : records_(records) {}

  /// Returns the record that holds `index`; nullopt while requests are pending.
  std::optional<Hit> find(store::Reader& reader, const ChunkedDataset& dataset,
                          std::uint64_t index);

  /// Requests the records in advance if they are one page, which any search needs.
  void prepare(store::Reader& reader, const ChunkedDataset& dataset);

 private:
  /// A page of records and the combined span of their intervals.
  struct Page {
    std::uint64_t number = 0;
    Interval span;
  };
  /// The pages [begin, end) that may hold the index; `indices` is their combined span.
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
  std::vector<Interval> rows_;  // records of loaded_
  std::optional<std::uint64_t> loaded_;
  std::uint32_t guesses_ = 0;
};

}  // namespace bev::scene
