#include "tests/support/codec_cases.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "core/base/bytes.hpp"
#include "tests/support/files.hpp"
#include "tests/support/records.hpp"

namespace bev::test {
namespace {

using nlohmann::json;

// L5Kit's agents: 116 bytes, which Blosc does not split.
const json kAgents = json::parse(R"([["centroid","<f8",[2]],["extent","<f4",[3]],
  ["yaw","<f4"],["velocity","<f4",[2]],["track_id","<u8"],
  ["label_probabilities","<f4",[17]]])");

json blosc(const char* cname, int shuffle, int blocksize = 0) {
  return {{"id", "blosc"},
          {"cname", cname},
          {"clevel", 5},
          {"shuffle", shuffle},
          {"blocksize", blocksize}};
}

json stream(const char* id) {
  return {{"id", id}, {std::string(id) == "lz4" ? "acceleration" : "level", 1}};
}

CodecCase make(std::string name, const json& compressor, const json& dtype, int rows) {
  json meta;
  meta["zarr_format"] = 2;
  meta["shape"] = {rows};
  meta["chunks"] = {rows};
  meta["dtype"] = dtype;
  meta["order"] = "C";
  meta["fill_value"] = nullptr;
  meta["filters"] = nullptr;
  meta["compressor"] = compressor;
  return {std::move(name), meta.dump()};
}

void add_blosc(std::vector<CodecCase>& cases) {
  for (const char* cname : {"lz4", "lz4hc", "blosclz", "zstd", "zlib"}) {
    for (const int shuffle : {0, 1, 2}) {
      const std::string name = std::string("blosc_") + cname + std::to_string(shuffle);
      // Blocks of 35 rows, whose bits c-blosc does not shuffle, and of 32, which it
      // does.
      const int blocksize = shuffle == 2 && cname[0] != 'b' ? 3712 : 4096;
      cases.push_back(make(name, blosc(cname, shuffle, blocksize), kAgents, 89));
    }
    // Small items are split into a stream per byte.
    const std::string name = std::string("blosc_") + cname + "_split";
    cases.push_back(make(name, blosc(cname, 1, 2048), "<f4", 1300));
  }
  cases.push_back(make("blosc_unsorted", blosc("lz4", 1, 2048), kAgents, 100));
  cases.push_back(make("blosc_one_block", blosc("lz4", 1), kAgents, 50));
  cases.push_back(make("blosc_stored", blosc("lz4", 1), "|V7", 60));
  cases.push_back(make("blosc_wide", blosc("lz4", 1, 2048), "|V300", 20));
  cases.push_back(make("blosc_bytes", blosc("lz4", 1, 512), "|u1", 1500));
}

}  // namespace

zarr::ArrayMeta CodecCase::meta() const {
  return zarr::parse_array_meta(std::string_view(meta_json), name);
}

std::vector<std::byte> CodecCase::elements() const {
  const zarr::ArrayMeta array = meta();
  const std::size_t record = array.dtype.size();
  Random random(record);
  std::vector<std::byte> out(array.chunk_bytes());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t row = i / record;
    const std::size_t at = i % record;
    if (name == "blosc_stored" || at % 8 == 0)
      out[i] = static_cast<std::byte>(random.next() >> 56);
    if (at % 8 > 3) out[i] = static_cast<std::byte>((row / 16 + at) & 0xff);
  }
  return out;
}

std::vector<std::byte> CodecCase::chunk() const {
  const auto file = read_file(test_path("fuzz/corpus/decode/") + name);
  const auto text = load_le<std::uint16_t>(file.data());
  if (std::string(reinterpret_cast<const char*>(file.data() + 2), text) != meta_json) {
    throw std::runtime_error(name +
                             ": the corpus is of another version, run make_corpus");
  }
  return {file.begin() + 2 + text, file.end()};
}

std::vector<CodecCase> codec_cases() {
  std::vector<CodecCase> cases;
  for (const char* id : {"zlib", "gzip", "zstd", "lz4"}) {
    cases.push_back(make(id, stream(id), kAgents, 40));
  }
  cases.push_back(make("raw", nullptr, kAgents, 10));
  cases.push_back(make("gzip_members", stream("gzip"), "<i4", 400));
  cases.push_back(make("zstd_frames", stream("zstd"), "<i4", 400));
  cases.push_back(make("zstd_no_size", stream("zstd"), "<i4", 400));
  add_blosc(cases);
  return cases;
}

std::vector<std::byte> corpus_file(const std::string& meta_json,
                                   const std::vector<std::byte>& chunk) {
  auto file =
      Packed().add(static_cast<std::uint16_t>(meta_json.size())).text(meta_json);
  auto bytes = file.bytes();
  bytes.insert(bytes.end(), chunk.begin(), chunk.end());
  return bytes;
}

}  // namespace bev::test
