#include <utility>
#include <vector>

#include "core/store/element_slots.hpp"
#include "core/store/reader.hpp"
#include "core/zarr/region.hpp"

namespace bev::store {

namespace {

/// A chunk that overlaps the box.
struct BoxChunk {
  zarr::ChunkIndex index;
  EncodedBytes encoded;
};

}  // namespace

bool Reader::read(const Array& array, const BoxSelection& selection,
                  std::span<const zarr::ColumnSlot> slots) {
  if (selection.count == 0) return true;
  if (selection.box.size() != 1) return read_box(array, selection, slots);
  const auto& range = selection.box.front();
  RowSelection rows;
  rows.first = range.first;
  rows.count = selection.count;
  rows.step = range.step;
  rows.falling = range.falling;
  return read(array, rows, slots);
}

bool Reader::read_box(const Array& array, const BoxSelection& selection,
                      std::span<const zarr::ColumnSlot> slots) {
  const auto& meta = array.meta;
  if (meta.dtype.size() == 0) return true;
  const auto total = result_bytes(array, selection.count, meta.dtype.size());
  auto finder = finder_of(array);
  std::vector<BoxChunk> chunks;
  bool here = true;
  for (auto& index : zarr::chunks_of_box(meta, selection.box)) {
    auto encoded = finder.find(index);
    here = here && encoded;
    if (here) chunks.push_back({std::move(index), *std::move(encoded)});
  }
  if (!here) return false;

  ElementSlots elements(meta.dtype.size(), total, slots);
  std::vector<std::byte> decoded;
  for (const auto& chunk : chunks) {
    decode_grid_chunk(array, chunk.encoded, decoded);
    if (chunk.encoded.absent) {
      zarr::fill_box(meta, chunk.index, selection.box, elements.bytes());
    } else {
      zarr::copy_box(meta, chunk.index, decoded, selection.box, elements.bytes());
    }
  }
  elements.finish();
  return true;
}

}  // namespace bev::store
