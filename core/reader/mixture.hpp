#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bev::reader {

/// What a mixture does when the epoch of a reader ends.
enum class OnExhausted : std::uint8_t {
  stop,         ///< the mixture ends
  renormalise,  ///< the others continue with their weights, until all have ended
  restart,      ///< the reader continues with its next epoch; the mixture never ends
};

/// The readers of a mixture, by weight.
struct MixtureOptions {
  static constexpr std::size_t kMaxReaders = 1'000;
  static constexpr std::size_t kMaxBytes = 100'000;  ///< of the JSON

  std::vector<double> weights;  ///< one per reader, above 0
  std::uint64_t seed = 0;
  OnExhausted on_exhausted = OnExhausted::stop;
};

/// Parses {"weights": [...], "seed": 0, "on_exhausted": "stop"}.
///
/// Throws  invalid_argument for unknown members and invalid values
MixtureOptions mixture_from_json(std::string_view json);

/// Chooses at random, by weight, the reader of each batch. The choice is a function of
/// the options, the number of the batch and the readers that have ended.
///
///     while (const auto reader = mixture.choice()) {
///       if (auto batch = next_batch_of(*reader)) {
///         mixture.took();
///         return batch;
///       }
///       mixture.exhausted();  // the reader is at its next epoch
///     }
class Mixture {
 public:
  static constexpr std::size_t kMaxStateBytes = 2'000'000;

  /// Throws invalid_argument if there are no weights, too many, or any that is not
  /// positive, limit_exceeded if their sum is not finite.
  explicit Mixture(MixtureOptions options);

  /// Returns the number of the reader to read the next batch from; nullopt at the end.
  std::optional<std::size_t> choice() const noexcept;

  /// Goes on to the next batch, once the chosen reader returned one.
  void took() noexcept;

  /// Reports that the epoch of the chosen reader has ended.
  ///
  /// Throws  invalid_argument if a restarted reader has no batch either
  void exhausted();

  /// Goes to the first batch.
  void reset() noexcept;

  /// Returns the position and the readers' states as JSON.
  std::string state_json(std::span<const std::string> readers) const;

  /// Returns the readers' states of a state.
  ///
  /// Throws  invalid_argument if it is not a state, or that of another mixture
  std::vector<std::string> reader_states(std::string_view state) const;

  /// Goes to the position of a state. Restore the readers first.
  ///
  /// Throws  as reader_states()
  void restore(std::string_view state);

  std::size_t size() const noexcept { return options_.weights.size(); }

 private:
  struct State;

  State parsed_state(std::string_view text) const;

  MixtureOptions options_;
  std::uint64_t step_ = 0;         ///< batches so far
  std::vector<std::size_t> open_;  ///< readers that have not ended, ascending
  bool restarted_ = false;         ///< since the last batch
};

}  // namespace bev::reader
