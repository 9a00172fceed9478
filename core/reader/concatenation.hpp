#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bev::reader {

/// Position in readers that are read one after another.
///
///     while (const auto reader = concatenation.choice()) {
///       if (auto batch = next_batch_of(*reader)) return batch;
///       concatenation.exhausted();
///     }
class Concatenation {
 public:
  static constexpr std::size_t kMaxReaders = 100'000;
  static constexpr std::size_t kMaxStateBytes = 200'000'000;

  /// Throws invalid_argument if there are no readers, limit_exceeded for too many.
  explicit Concatenation(std::size_t readers);

  /// Returns the number of the reader to read the next batch from; nullopt at the end.
  std::optional<std::size_t> choice() const noexcept;

  /// Goes on to the next reader, once the epoch of the chosen one has ended.
  void exhausted() noexcept;

  /// Goes to the first reader.
  void reset() noexcept { at_ = 0; }

  /// Returns the position and the readers' states as JSON.
  std::string state_json(std::span<const std::string> readers) const;

  /// Returns the readers' states of a state.
  ///
  /// Throws  invalid_argument if it is not a state, or one of another number of readers
  std::vector<std::string> reader_states(std::string_view state) const;

  /// Goes to the position of a state. Restore the readers first.
  ///
  /// Throws  as reader_states()
  void restore(std::string_view state);

  std::size_t size() const noexcept { return count_; }

 private:
  std::size_t count_;
  std::size_t at_ = 0;
};

}  // namespace bev::reader
