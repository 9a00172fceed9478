// Writes tests/fuzz/corpus/decode: each case of tests/support/codec_cases, encoded. Run
// it after changing a case; the files are committed because WebAssembly has no encoder.
#include <zstd.h>

#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/base/bytes.hpp"
#include "core/zarr/encode.hpp"
#include "tests/support/codec_cases.hpp"
#include "tests/support/files.hpp"

namespace {

using bev::test::CodecCase;
using Bytes = std::vector<std::byte>;

// Two concatenated streams of half the elements each.
Bytes in_halves(const CodecCase& one) {
  bev::zarr::ArrayMeta half = one.meta();
  half.chunks[0] /= 2;
  const Bytes elements = one.elements();
  const std::span<const std::byte> all(elements);
  Bytes out = encode_chunk(half, all.first(all.size() / 2));
  const Bytes second = encode_chunk(half, all.subspan(all.size() / 2));
  out.insert(out.end(), second.begin(), second.end());
  return out;
}

// A frame whose header does not state the content size.
Bytes without_size(const CodecCase& one) {
  const Bytes elements = one.elements();
  Bytes out(ZSTD_compressBound(elements.size()));
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0);
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  out.resize(ZSTD_compress2(context, out.data(), out.size(), elements.data(),
                            elements.size()));
  ZSTD_freeCCtx(context);
  return out;
}

// The blocks in reverse order, as a multi-threaded writer may produce.
Bytes with_blocks_reversed(const Bytes& chunk) {
  const auto at = [&](std::size_t i) {
    return std::size_t{bev::load_le<std::uint32_t>(chunk.data() + i)};
  };
  const std::size_t blocks = (at(4) + at(8) - 1) / at(8);
  Bytes out(chunk.begin(),
            chunk.begin() + static_cast<std::ptrdiff_t>(16 + 4 * blocks));
  for (std::size_t i = blocks; i-- > 0;) {
    const std::size_t begin = at(16 + 4 * i);
    const std::size_t end = i + 1 < blocks ? at(16 + 4 * (i + 1)) : chunk.size();
    bev::store_le(out.data() + 16 + 4 * i, static_cast<std::uint32_t>(out.size()));
    out.insert(out.end(), chunk.begin() + static_cast<std::ptrdiff_t>(begin),
               chunk.begin() + static_cast<std::ptrdiff_t>(end));
  }
  return out;
}

Bytes encoded(const CodecCase& one) {
  if (one.name == "gzip_members" || one.name == "zstd_frames") return in_halves(one);
  if (one.name == "zstd_no_size") return without_size(one);
  const Bytes chunk = encode_chunk(one.meta(), one.elements());
  return one.name == "blosc_unsorted" ? with_blocks_reversed(chunk) : chunk;
}

}  // namespace

int main() {
  for (const CodecCase& one : bev::test::codec_cases()) {
    const Bytes file = bev::test::corpus_file(one.meta_json, encoded(one));
    const std::string path = bev::test::test_path("fuzz/corpus/decode/") + one.name;
    std::FILE* out = std::fopen(path.c_str(), "wb");
    if (out == nullptr) return 1;
    const bool written = std::fwrite(file.data(), 1, file.size(), out) == file.size();
    if (std::fclose(out) != 0 || !written) return 1;
    std::printf("%6zu %s\n", file.size(), one.name.c_str());
  }
  return 0;
}
