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

/// The rule of a mixture: which reader each batch comes from, for programs that read the
/// batches themselves.
///
/// Throws         invalid_argument for invalid options and states.
/// Thread safety  None.
class BEV_EXPORT MixOrder {
 public:
  /// @param options  JSON: {"weights": [3, 1], "seed": 7, "on_exhausted": "stop"}.
  ///                 on_exhausted says what happens when the epoch of a reader ends:
  ///                 "stop" ends the mixture, "renormalise" continues with the other
  ///                 readers until all have ended, "restart" continues with the reader's
  ///                 next epoch, without end.
  explicit MixOrder(std::string_view options);
  ~MixOrder();
  MixOrder(MixOrder&&) noexcept;             ///< leaves the other unusable
  MixOrder& operator=(MixOrder&&) noexcept;  ///< leaves the other unusable

  /// Returns the number of the reader to read the next batch from; nullopt at the end.
  std::optional<std::size_t> choice() const noexcept;

  /// Goes on to the next batch, once the chosen reader returned one.
  void took() noexcept;

  /// Reports that the chosen reader is at the end of its epoch. It must continue with
  /// its next epoch. Throws if a restarted reader has no items.
  void exhausted();

  /// Goes to the first batch.
  void reset() noexcept;

  /// Returns the position and the readers' states as JSON.
  std::string state(const std::vector<std::string>& readers) const;

  /// Returns the readers' states of a state. Throws if it belongs to another mixture.
  std::vector<std::string> reader_states(std::string_view state) const;

  /// Goes to the position of a state. Restore the readers first.
  void restore(std::string_view state);

  /// Number of weights.
  std::size_t size() const noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Batches of several readers with equal fields, each from a reader chosen at random by
/// weight. The choice is a function of the options and the number of the batch.
///
///     ReaderMix mix(std::move(readers), R"({"weights": [3, 1], "seed": 7})");
///     while (const auto batch = mix.next()) train(batch->arrays);
///
/// Throws         As Reader and MixOrder; invalid_argument if fields differ, with those of
///                both readers.
/// Thread safety  As the data sets of the readers.
class BEV_EXPORT ReaderMix {
 public:
  /// A batch of one of the readers.
  struct Batch {
    std::size_t reader;  ///< number of the reader
    Arrays arrays;       ///< as Reader::next()
  };

  /// @param options  as MixOrder, one weight per reader
  ReaderMix(std::vector<Reader> readers, std::string_view options);

  /// Returns the next batch; nullopt at the end.
  std::optional<Batch> next();

  /// Goes to the beginning of an epoch of all readers.
  void reset(std::uint64_t epoch = 0);

  /// Returns the position after the batches read so far as JSON.
  std::string state();

  /// Continues at the position of an equal mixture of readers of the same data and
  /// plans. After an error the position is the one before.
  void restore(std::string_view state);

  /// Number of readers.
  std::size_t size() const noexcept { return readers_.size(); }

  /// Returns a reader. Throws std::out_of_range if there is none.
  Reader& reader(std::size_t i) { return readers_.at(i); }

 private:
  std::vector<Reader> readers_;
  MixOrder order_;
};

}  // namespace bev
