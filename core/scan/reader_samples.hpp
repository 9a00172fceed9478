#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/owned_bytes.hpp"
#include "core/engine/agent_index_query.hpp"
#include "core/engine/sample_query.hpp"
#include "core/reader/batch_field.hpp"
#include "core/reader/plan.hpp"
#include "core/scan/reader_batch.hpp"

namespace bev {

/// The samples of a reader's batch: SampleQuery's arrays, stacked.
///
/// Lifetime  The plan outlives it. Its arrays are valid until clear().
/// Throws    As SampleQuery and AgentIndexQuery.
class ReaderSamples {
 public:
  /// Arrays of a batch in bytes.
  static constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 30;

  /// @param plan  with samples
  ReaderSamples(std::shared_ptr<EngineState> state, const reader::Plan& plan);

  void use_maps(ImageMaps maps) noexcept { maps_ = std::move(maps); }

  /// Determines the arrays, and the agents that L5Kit's data set has. Returns false while
  /// requests are pending.
  ///
  /// Throws  not_found for an unknown field; limit_exceeded for batches above kMaxBytes;
  ///         otherwise as Engine::samples
  bool open(store::Reader& reader);

  /// Whether not all rows of the table are items.
  bool chooses_agents() const noexcept { return agents_.has_value(); }

  /// Removes the rows from `first` on that are not items; they are those of one block.
  void keep_items(ReaderItems& items, std::size_t first) const;

  /// The arrays.
  std::vector<reader::BatchField> fields() const;

  void clear() noexcept;

  /// Builds the samples of a batch's rows. Returns false while requests are pending.
  bool gather(store::Reader& reader, const ReaderBatch& batch);

  /// Adds the arrays to a result.
  void emit(ResultSet& results);

  /// Moves the memory of the arrays to an object that the arrays live as long as.
  std::shared_ptr<const void> take_memory();

 private:
  struct Output {
    std::string name, dtype;
    std::vector<std::size_t> shape;  ///< the number of items comes first
    std::size_t bytes_of_item = 0;
    std::size_t position = 0;  ///< among the sample's arrays
    RawBytes bytes = {};
  };

  void make_query();
  void add_outputs();
  void select(std::int64_t row);
  void request_next(store::Reader& reader, std::span<const std::int64_t> rows);
  void build(std::size_t item);

  std::shared_ptr<EngineState> state_;
  const reader::Plan& plan_;
  ImageMaps maps_;
  bool of_agents_;
  std::optional<AgentIndexQuery> agents_;  ///< unset for the ego vehicle
  std::unique_ptr<SampleQuery> query_;     ///< null if no array is read
  std::vector<Output> outputs_;
  ResultSet results_;
  std::vector<std::int64_t> rows_;    ///< of the batch
  std::vector<std::uint8_t> padded_;  ///< of these
  std::size_t built_ = 0;
};

}  // namespace bev
