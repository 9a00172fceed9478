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

/// One pass of a query over the store: it reads what is there and notes the rest as
/// wanted of the plan. Planning and building are both such a pass; one reader makes one
/// after the other, and so allocates nothing for what it has read the like of.
///
/// Shapes    A slot's `out` is rows x inner x size bytes, C order, where inner is the
///           product of the array's other axes; or as
///           many as a box has, in its order.
/// Lifetime  Store and plan outlive it.
/// Errors    read() passes on corrupt_chunk, which the store then remembers, and throws
///           missing_key for an absent chunk of an array with Missing::error.
/// Threads   Those of the store.
class Reader {
 public:
  Reader(Store& store, Plan& plan) : store_(store), plan_(plan) {}

  /// Begins a pass: nothing is expected of it yet.
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
  /// What was touched so far is not needed any more: a pass over more than the budget
  /// holds goes on piece by piece. Nothing is wanted at that moment.
  void let_go() { plan_.release(); }
  Catalogue& catalogue() noexcept { return store_.catalogue(); }

  /// Reads columns of the rows into the slots, as stored (byte order included). False,
  /// and nothing is decoded, while chunks of them are wanted; an absent chunk reads as
  /// the fill value.
  bool read(const Array& array, const RowSelection& rows,
            std::span<const zarr::ColumnSlot> slots, Access access = Access::parts);

  /// The same of a box of elements, whose chunks are read whole where the array has
  /// more axes than one.
  bool read(const Array& array, const BoxSelection& selection,
            std::span<const zarr::ColumnSlot> slots);

  /// Whether every chunk of these rows is there, for a read that is not to be made yet;
  /// those that are not are noted as wanted, as read() notes them. Of arrays of more
  /// axes than one nothing is looked at: true.
  bool expect(const Array& array, const RowSelection& rows);

  /// The chunks of these rows, which were read in this pass, that are absent.
  std::vector<std::uint64_t> absent_chunks(const Array& array,
                                           const RowSelection& rows);

  /// In this pass absent chunks read as the fill value, whatever the array's rule is:
  /// the query itself tells which rows they are, see absent_chunks().
  void accept_missing() noexcept { accept_missing_ = true; }

  /// From here on, chunks are asked for whole: their other rows are wanted soon.
  void expect_more() noexcept { least_ = Access::whole; }

 private:
  ChunkFinder finder_of(const Array& array) {
    return {store_, plan_, array, accept_missing_ ? Missing::fill : array.missing};
  }
  bool hold(const Array& array, const RowSelection& rows, Access access);
  bool read_columns(const Array& array, const RowSelection& rows,
                    std::span<const zarr::ColumnSlot> slots, Access access);
  bool read_grid(const Array& array, const RowSelection& rows,
                 std::span<const zarr::ColumnSlot> slots);
  bool read_box(const Array& array, const BoxSelection& selection,
                std::span<const zarr::ColumnSlot> slots);
  void decode_grid_chunk(const Array& array, const EncodedBytes& encoded,
                         std::vector<std::byte>& decoded);

  Store& store_;
  Plan& plan_;
  Access least_ = Access::parts;
  bool accept_missing_ = false;

  // Of the read under way.
  std::vector<std::uint64_t> numbers_;
  std::vector<HeldChunk> chunks_;
  std::vector<BlockCache::Block> blocks_;
};

/// Bytes of `rows` rows of `row_bytes` each.
///
/// Errors  out_of_memory for more than 1 GiB: what one result may hold in wasm.
std::size_t result_bytes(const Array& array, std::size_t rows, std::size_t row_bytes);

}  // namespace bev::store
