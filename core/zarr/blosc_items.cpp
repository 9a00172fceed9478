#include "core/zarr/blosc_items.hpp"

#include <blosc.h>

#include <cstdlib>

#include "core/base/error.hpp"

namespace bev::zarr {
namespace {

// Checks in advance that memory suffices: blosc_getitem does not check malloc's result.
void check_memory(EncodedChunk chunk, const BloscHeader& header) {
  const std::size_t needed = 3 * header.blocksize + 4 * header.typesize;
  void* const memory = std::malloc(needed);
  if (memory == nullptr) {
    fail(Errc::out_of_memory,
         {chunk.key, ": blosc: allocation of ", needed, " bytes failed"});
  }
  std::free(memory);
}

}  // namespace

void blosc_items(EncodedChunk chunk, const BloscHeader& header, RowRange items,
                 std::byte* out) {
  BlockTable table(header, chunk);  // validates the starts; c-blosc validates the rest
  check_memory(chunk, header);
  const int got = blosc_getitem(chunk.bytes.data(), static_cast<int>(items.begin),
                                static_cast<int>(items.size()), out);
  const std::size_t bytes = items.size() * header.typesize;
  if (got >= 0 && static_cast<std::size_t>(got) == bytes) return;
  const std::size_t first = items.begin * header.typesize / header.blocksize;
  const std::size_t last = (items.end * header.typesize - 1) / header.blocksize;
  corrupt_block(header, chunk, first, {"decoding failed (up to block ", last, ")"});
}

}  // namespace bev::zarr
