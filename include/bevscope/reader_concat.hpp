#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arrays.hpp"
#include "export.hpp"
#include "reader.hpp"

namespace bev {

/// The rule of concatenated readers, for programs that read the batches themselves.
///
/// Throws         invalid_argument for invalid states and no readers.
/// Thread safety  None.
class BEV_EXPORT ConcatOrder {
 public:
  /// @param readers  their number
  explicit ConcatOrder(std::size_t readers);
  ~ConcatOrder();
  ConcatOrder(ConcatOrder&&) noexcept;             ///< leaves the other unusable
  ConcatOrder& operator=(ConcatOrder&&) noexcept;  ///< leaves the other unusable

  /// Returns the number of the reader to read the next batch from; nullopt at the end.
  std::optional<std::size_t> choice() const noexcept;

  /// Goes on to the next reader, once the chosen one is at the end of its epoch.
  void exhausted() noexcept;

  /// Goes to the first reader.
  void reset() noexcept;

  /// Returns the position and the readers' states as JSON.
  std::string state(const std::vector<std::string>& readers) const;

  /// Returns the readers' states of a state.
  std::vector<std::string> reader_states(std::string_view state) const;

  /// Goes to the position of a state. Restore the readers first.
  void restore(std::string_view state);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The batches of several readers with equal fields, one reader after another, as of
/// several data sets.
///
/// Throws         As Reader; invalid_argument if fields differ, with those of both
///                readers.
/// Thread safety  As the data sets of the readers.
class BEV_EXPORT ReaderConcat {
 public:
  /// A batch of one of the readers.
  struct Batch {
    std::size_t reader;  ///< number of the reader
    Arrays arrays;       ///< as Reader::next()
  };

  /// Concatenates readers.
  explicit ReaderConcat(std::vector<Reader> readers);

  /// Returns the next batch; nullopt at the end of the last reader's epoch.
  std::optional<Batch> next();

  /// Goes to the beginning of an epoch of all readers.
  void reset(std::uint64_t epoch = 0);

  /// Returns the number of items of an epoch; reads what the filters need.
  std::uint64_t length();

  /// Returns the position after the batches read so far as JSON.
  std::string state();

  /// Continues at the position of readers of the same data and plans. After an error the
  /// position is the one before.
  void restore(std::string_view state);

  /// Number of readers.
  std::size_t size() const noexcept { return readers_.size(); }

  /// Returns a reader. Throws std::out_of_range if there is none.
  Reader& reader(std::size_t i) { return readers_.at(i); }

 private:
  std::vector<Reader> readers_;
  ConcatOrder order_;
};

}  // namespace bev
