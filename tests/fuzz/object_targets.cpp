#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/store/reader.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/support/zip_reader.hpp"

namespace bev::test {
namespace {

using Bytes = std::span<const std::byte>;
using Values = std::vector<std::byte>;

// Members may claim sizes above the test's memory.
constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 20;

void hold(bool property, const char* what) {
  if (!property) throw std::logic_error(what);
}

void check_member(ZipReader& reader, const zip::Member& member) {
  const std::string name(reader.directory.name_of(member));
  std::optional<std::string> whole;
  try {
    whole = reader.read(name);
  } catch (const Error&) {
    return;
  }
  hold(whole && whole->size() == member.size, "a member of another size");
  const auto half = member.size / 2;
  const auto part = *reader.read(name, ByteRange{half, member.size});
  const auto from = reader.whole ? 0 : static_cast<std::size_t>(half);
  hold(part == whole->substr(from), "a range differs from the whole member");
}

constexpr const char* kShards = R"({"zarr_format": 3, "node_type": "array",
  "shape": [20000], "data_type": "float64", "fill_value": 0,
  "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [20000]}},
  "chunk_key_encoding": {"name": "default"},
  "codecs": [{"name": "sharding_indexed", "configuration": {"chunk_shape": [5000],
    "codecs": [{"name": "bytes", "configuration": {"endian": "little"}},
               {"name": "zstd", "configuration": {"level": 1}}],
    "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}],
    "index_location": "end"}}]})";

// Reads the array whose only shard is `shard`, by ranges or whole.
std::optional<Values> read_shard(Bytes shard, bool by_ranges) {
  store::Store store(std::size_t{16} << 20);
  for (const auto* key : {".zgroup", ".zarray", ".zattrs", ".zmetadata"}) {
    store.supply_absent(key);
  }
  const std::string meta = kShards;
  const auto text = std::as_bytes(std::span(meta));
  store.supply({"zarr.json"}, std::vector<std::byte>(text.begin(), text.end()));
  store::Plan plan(store, "fuzz");
  Values out(160000);
  const std::array slots{zarr::ColumnSlot{0, 8, out}};
  for (int round = 0; round < 8; ++round) {
    plan.begin();
    store::Reader reader(store, plan);
    const auto& array = **reader.array("");
    const auto rows = store::RowSelection::range("fuzz", 20000, 0, store::kToEnd);
    if (reader.read(array, rows, slots)) return out;
    for (auto request : plan.finish()) {
      const auto tail = std::min<std::uint64_t>(request.tail, shard.size());
      if (by_ranges && tail > 0)
        request.range = {shard.size() - tail, shard.size() + 1};
      if (!by_ranges) request.range = std::nullopt;
      const auto range = request.range.value_or(ByteRange{0, shard.size()});
      const auto end = std::min<std::uint64_t>(range.end, shard.size());
      const auto begin = std::min(range.begin, end);
      const auto part = shard.subspan(static_cast<std::size_t>(begin),
                                      static_cast<std::size_t>(end - begin));
      store.supply(request, std::vector<std::byte>(part.begin(), part.end()));
    }
  }
  throw std::logic_error("a shard is asked for without end");
}

std::optional<Values> shard_or_error(Bytes shard, bool by_ranges) {
  try {
    return read_shard(shard, by_ranges);
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

void zip_target(Bytes input) {
  try {
    ZipReader reader({input.begin(), input.end()});
    for (const auto& member : reader.directory.members()) {
      if (member.size <= kMaxBytes) check_member(reader, member);
    }
  } catch (const Error&) {
    return;
  }
}

void shard_target(Bytes input) {
  hold(shard_or_error(input, true) == shard_or_error(input, false),
       "a shard read by ranges differs from the whole");
}

}  // namespace bev::test
