#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/owned_bytes.hpp"
#include "core/store/fields.hpp"
#include "core/store/reader.hpp"

namespace bev {

/// Reads the values of rows whose lengths vary, in the order of the rows.
///
///   rows.begin(intervals);
///   while (!rows.is_complete()) {
///     if (!rows.request(reader, most)) return false;  // the host supplies what is missing
///     rows.load(reader);
///     reader.release_pins();
///   }
///   emit(rows.offsets(), rows.values());
///
/// Values are read in parts, so that they may exceed the byte budget together.
///
/// Lifetime  The field outlives it.
/// Throws    begin() throws corrupt_chunk for an interval that is negative, descending or
///           outside of the values, and limit_exceeded for more than 1 GiB of values,
///           before anything is allocated. load() throws the errors of Reader::read, and
///           corrupt_chunk for text that is not UTF-8.
class RaggedRows {
 public:
  explicit RaggedRows(const store::TableField& field) : field_(&field) {}

  /// Forgets all rows.
  void clear() noexcept;

  /// Sets the rows.
  ///
  /// @param intervals  begin and end of each row, 64-bit integers in native byte order,
  ///                   signed or not
  void begin(std::span<const std::byte> intervals);

  /// Whether begin() was called since clear().
  bool has_begun() const noexcept { return !offsets_.empty(); }

  bool is_complete() const noexcept { return done_ == runs_.size(); }

  /// Requests the next part. Returns whether it is in memory.
  ///
  /// @param most_bytes  encoded bytes of the part's chunks, if it has more than one run
  bool request(store::Reader& reader, std::size_t most_bytes);

  /// Reads the part that request() found in memory.
  void load(store::Reader& reader);

  /// Elements before each row, and before the end.
  std::vector<std::uint32_t>& offsets() noexcept { return offsets_; }

  /// The elements of all rows, in native byte order.
  RawBytes& values() noexcept { return values_; }

 private:
  /// Consecutive elements of the values, for consecutive rows.
  struct Run {
    std::uint64_t first = 0;
    std::size_t count = 0;
    std::size_t at = 0;  ///< in values_, in elements
  };

  void add_run(std::uint64_t first, std::uint64_t count, std::size_t at);
  void cut_runs(std::size_t most_bytes);
  std::size_t end_of_part(std::size_t most_bytes, bool by_chunk) const;
  void check_text() const;

  const store::TableField* field_;
  std::vector<std::uint32_t> offsets_;
  RawBytes values_;
  std::vector<Run> runs_;  ///< by their first element
  std::size_t done_ = 0;   ///< runs that were read
  std::size_t part_ = 0;   ///< end of the part that was requested
  bool is_cut_ = false;
};

}  // namespace bev
