// c-blosc's own shuffle.c selects an implementation by CPU at run time. It does not
// compile for WebAssembly with SSE2 enabled; without SSE2 it uses scalar loops, ten
// times slower. This file selects the SSE2 files at compile time, which Emscripten
// translates to wasm SIMD.

#include <string.h>

#include "bitshuffle-sse2.h"
#include "shuffle-sse2.h"
#include "shuffle.h"

typedef int64_t (*BitTranspose)(void* in, void* out, size_t size, size_t elem_size,
                                void* scratch);

// Per the format, a block whose element count is not a multiple of eight is not
// shuffled, and bytes after the last whole element are copied unchanged.
static int bit_transposed(BitTranspose transpose, size_t elem_size, size_t block_size,
                          const uint8_t* from, uint8_t* to, uint8_t* scratch) {
  const size_t count = block_size / elem_size;
  if (count % 8 != 0) {
    memcpy(to, from, block_size);
    return (int)count;
  }
  const int64_t done = transpose((void*)from, to, count, elem_size, scratch);
  const size_t shuffled = count * elem_size;
  memcpy(to + shuffled, from + shuffled, block_size - shuffled);
  return (int)done;
}

void blosc_internal_shuffle(const size_t elem_size, const size_t block_size,
                            const uint8_t* from, const uint8_t* to) {
  blosc_internal_shuffle_sse2(elem_size, block_size, from, (uint8_t*)to);
}

void blosc_internal_unshuffle(const size_t elem_size, const size_t block_size,
                              const uint8_t* from, const uint8_t* to) {
  blosc_internal_unshuffle_sse2(elem_size, block_size, from, (uint8_t*)to);
}

int blosc_internal_bitshuffle(const size_t elem_size, const size_t block_size,
                              const uint8_t* const from, const uint8_t* to,
                              const uint8_t* scratch) {
  return bit_transposed(blosc_internal_bshuf_trans_bit_elem_sse2, elem_size, block_size,
                        from, (uint8_t*)to, (uint8_t*)scratch);
}

int blosc_internal_bitunshuffle(const size_t elem_size, const size_t block_size,
                                const uint8_t* const from, const uint8_t* to,
                                const uint8_t* scratch) {
  return bit_transposed(blosc_internal_bshuf_untrans_bit_elem_sse2, elem_size,
                        block_size, from, (uint8_t*)to, (uint8_t*)scratch);
}
