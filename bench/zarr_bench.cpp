// Measures decoding a chunk of L5Kit's agents: whole, two of its fields, the rows of a
// frame; compared with c-blosc on the same bytes. Natively the chunk is encoded here
// and written to FILE if given; WebAssembly, which has no encoder, reads that FILE.
#include <blosc.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>

#include "bench/bench.hpp"
#include "bench/question.hpp"
#include "core/zarr/decode.hpp"
#include "core/zarr/encode.hpp"
#include "tests/support/files.hpp"
#include "tests/support/records.hpp"

namespace {

using namespace bev::zarr;
using bev::bench::Question;
using Bytes = std::vector<std::byte>;

constexpr std::size_t kRows = 20000;
constexpr std::size_t kRecord = 116;
constexpr std::size_t kInFrame = 84;

ArrayMeta agents() {
  ArrayMeta meta;
  meta.shape = {kRows};
  meta.chunks = {kRows};
  meta.dtype =
      parse_dtype(nlohmann::json::parse(R"([["centroid","<f8",[2]],["extent","<f4",[3]],
      ["yaw","<f4"],["velocity","<f4",[2]],["track_id","<u8"],
      ["label_probabilities","<f4",[17]]])"),
                  "agents");
  meta.fill.resize(kRecord);
  meta.compressor = {Compressor::Id::blosc, "lz4", 5, 1, 0};
  return meta;
}

template <class T>
void put(Bytes& records, std::size_t at, T value) {
  std::memcpy(records.data() + at, &value, sizeof value);
}

// Tracks that move slightly from frame to frame with noise; one label is likely.
Bytes made_up_records() {
  bev::test::Random random(1);
  const auto noise = [&] { return static_cast<double>(random.next() >> 40) * 0x1p-24; };
  Bytes records(kRows * kRecord);
  for (std::size_t row = 0; row < kRows; ++row) {
    const std::size_t at = row * kRecord;
    const auto track = static_cast<double>(row % kInFrame);
    const auto frame = static_cast<double>(row / kInFrame);
    put(records, at, 680.0 + 3 * track + frame / 16 + noise() / 64);
    put(records, at + 8, -2200.0 + 2 * track + frame / 32 + noise() / 64);
    put(records, at + 16, static_cast<float>(4.5 + std::floor(8 * noise()) / 16));
    put(records, at + 20, static_cast<float>(1.75 + std::floor(8 * noise()) / 32));
    put(records, at + 24, static_cast<float>(1.5 + std::floor(4 * noise()) / 32));
    put(records, at + 28, static_cast<float>(track / 16 + noise() / 32));
    put(records, at + 40, static_cast<std::uint64_t>(row % kInFrame + row / 4000));
    const auto likely = static_cast<float>(1 - noise() / 8);
    put(records, at + 48 + 4 * 3, likely);
    put(records, at + 48 + 4, 1 - likely);
  }
  return records;
}

Bytes chunk_for(const ArrayMeta& meta, const Bytes& records, const char* file) {
#ifdef __EMSCRIPTEN__
  static_cast<void>(meta);
  static_cast<void>(records);
  return bev::test::read_file(file);
#else
  Bytes chunk = encode_chunk(meta, records);
  std::FILE* out = std::strlen(file) > 0 ? std::fopen(file, "wb") : nullptr;
  if (out != nullptr) {
    std::fwrite(chunk.data(), 1, chunk.size(), out);
    std::fclose(out);
  }
  return chunk;
#endif
}

int whole_by_c_blosc(const Bytes& chunk, Bytes& out) {
#ifdef __EMSCRIPTEN__
  return blosc_getitem(chunk.data(), 0, static_cast<int>(kRows), out.data());
#else
  return blosc_decompress_ctx(chunk.data(), out.data(), out.size(), 1);
#endif
}

bool measure(const char* name, const Question& question, const Bytes& chunk,
             const Bytes& records) {
  question.ask(chunk);
  if (!question.is_answered(records)) {  // correctness before speed
    std::printf("%s: wrong\n", name);
    return false;
  }
  bev::bench::report(name, records.size(), [&] { question.ask(chunk); });
  return true;
}

int run(const char* file) {
  const ArrayMeta meta = agents();
  const Bytes records = made_up_records();
  const Bytes chunk = chunk_for(meta, records, file);
  Bytes whole(records.size());
  if (whole_by_c_blosc(chunk, whole) != static_cast<int>(whole.size()) ||
      whole != records) {
    return EXIT_FAILURE;
  }
  std::printf("%zu bytes in %zu; GB/s are of the whole chunk\n", records.size(),
              chunk.size());
  bev::bench::report("c-blosc, whole chunk as records", records.size(), [&] {
    whole_by_c_blosc(chunk, whole);
    bev::bench::keep(whole.data());
  });
  bev::bench::report("whole chunk as records", records.size(), [&] {
    decode_chunk(meta, {"agents/0", chunk}, whole);
    bev::bench::keep(whole.data());
  });
  const RowRange all{0, kRows};
  const RowRange frame{9000, 9000 + kInFrame};
  const std::vector<std::string> two{"centroid", "yaw"};
  const bool right =
      measure("whole chunk as columns", {meta, all, {}}, chunk, records) &&
      measure("centroid and yaw", {meta, all, two}, chunk, records) &&
      measure("84 rows, all fields", {meta, frame, {}}, chunk, records) &&
      measure("84 rows, centroid and yaw", {meta, frame, two}, chunk, records);
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) try {
  return run(argc > 1 ? argv[1] : "");
} catch (const std::exception& error) {
  std::fprintf(stderr, "zarr_bench: %s\n", error.what());
  return EXIT_FAILURE;
}
