#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/store/box_selection.hpp"
#include "core/store/held_chunk.hpp"
#include "core/store/selection.hpp"
#include "core/store/store.hpp"
#include "core/zarr/decode.hpp"

namespace bev::store {

/// One pass of a query over the store: reads what is in memory and adds the rest to the
/// plan's requests. A dry run and the build are each a pass. Reuse a reader for
/// successive passes: it keeps its memory and does not allocate again.
///
/// Shapes         A slot's `out` has rows x inner x size bytes, C order, where inner is
///                the product of the array's other axes; or the box's element count x
///                size bytes, in the box's order.
/// Lifetime       Store and plan outlive it.
/// Throws         read() throws corrupt_chunk, which the store then remembers, and
///                missing_key for an absent chunk of an array with Missing::error.
/// Thread safety  As the store.
class Reader {
 public:
  Reader(Store& store, Plan& plan) : store_(store), plan_(plan) {}

  /// Begins a pass: resets fill_missing() and request_whole_chunks().
  void begin() noexcept {
    least_ = Access::parts;
    accept_missing_ = false;
    chunks_.clear();
  }

  /// See Catalogue::array and Catalogue::known.
  std::optional<const Array*> array(std::string_view path, bool required = true) {
    return store_.catalogue().array(path, plan_, required);
  }
  bool known(std::string_view key, bool required = false) {
    return store_.catalogue().known(key, plan_, required);
  }
  /// Unpins everything touched so far, so that a pass may exceed the budget by reading
  /// in parts. Nothing may be requested at that moment.
  void release_pins() { plan_.release(); }
  Catalogue& catalogue() noexcept { return store_.catalogue(); }

  /// Reads columns of the rows into the slots, as stored (byte order included). Returns
  /// false without decoding if chunks are not in memory; these are requested. An absent
  /// chunk reads as the fill value.
  bool read(const Array& array, const RowSelection& rows,
            std::span<const zarr::ColumnSlot> slots, Access access = Access::parts);

  /// Does the same for a box of elements. Chunks of arrays with more than one axis are
  /// read whole.
  bool read(const Array& array, const BoxSelection& selection,
            std::span<const zarr::ColumnSlot> slots);

  /// Returns whether every chunk of these rows is in memory; requests the others, as
  /// read() does, for a later read. Always true for an array that is not
  /// one-dimensional.
  ///
  /// @param slots  of the columns to request of a table that is stored by column; if
  ///               empty, all
  bool request(const Array& array, const RowSelection& rows,
               std::span<const zarr::ColumnSlot> slots = {});

  /// Returns a chunk as stored; requests it and returns nullopt if it is not in memory.
  std::optional<EncodedBytes> encoded(const Array& array,
                                      std::span<const std::uint64_t> chunk) {
    return finder_of(array).find(chunk);
  }

  /// Returns the size of a chunk's object; nullopt if it is absent, part of a shard, or
  /// not in memory as a whole.
  std::optional<std::uint64_t> encoded_bytes(
      const Array& array, std::span<const std::uint64_t> chunk) const;

  /// Returns the absent chunks of these rows, which were read in this pass.
  std::vector<std::uint64_t> absent_chunks(const Array& array,
                                           const RowSelection& rows);

  /// Makes absent chunks read as the fill value in this pass, whatever the array's
  /// policy. The query itself reports the rows, see absent_chunks().
  void fill_missing() noexcept { accept_missing_ = true; }

  /// Makes later reads of this pass request whole chunks, because other rows will be
  /// read soon.
  void request_whole_chunks(bool whole = true) noexcept {
    least_ = whole ? Access::whole : Access::parts;
  }
  bool requests_whole_chunks() const noexcept { return least_ == Access::whole; }

  /// Limit of the encoded bytes in memory.
  std::size_t byte_budget() const noexcept { return store_.cache().byte_budget; }

 private:
  ChunkFinder finder_of(const Array& array) {
    return {store_, plan_, array, accept_missing_ ? Missing::fill : array.missing};
  }
  bool find_chunks(const Array& array, const RowSelection& rows, Access access);
  bool read_columns(const Array& array, const RowSelection& rows,
                    std::span<const zarr::ColumnSlot> slots, Access access);
  bool read_grid(const Array& array, const RowSelection& rows,
                 std::span<const zarr::ColumnSlot> slots);
  bool read_fields(const Array& table, const RowSelection& rows,
                   std::span<const zarr::ColumnSlot> slots, Access access);
  bool request_fields(const Array& table, const RowSelection& rows,
                      std::span<const zarr::ColumnSlot> slots);
  std::vector<std::uint64_t> absent_fields(const Array& table,
                                           const RowSelection& rows);

  Store& store_;
  Plan& plan_;
  Access least_ = Access::parts;
  bool accept_missing_ = false;

  // State of the current read.
  std::vector<std::uint64_t> numbers_;
  std::vector<HeldChunk> chunks_;
  std::vector<BlockCache::Block> blocks_;
};

/// Returns the bytes of `rows` rows of `row_bytes` each.
///
/// Throws  limit_exceeded above 1 GiB, the limit of one result in wasm.
std::size_t result_bytes(const Array& array, std::uint64_t rows, std::size_t row_bytes);

}  // namespace bev::store
