#include "core/engine/host_loop.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "core/base/error.hpp"
#include "tests/support/fixtures.hpp"

using bev::ReadRequest;
using bev::Source;

namespace {

constexpr auto* kArray =
    R"({"zarr_format": 2, "shape": [6], "chunks": [2], "dtype": "|u1", "order": "C",
        "compressor": null, "fill_value": 9, "filters": null})";

class MemorySource final : public Source {
 public:
  std::optional<std::vector<std::byte>> read(
      const std::string& key, const std::optional<bev::ByteRange>& range) override {
    if (key == failing) throw bev::Error(bev::Errc::network, key + ": broken disk");
    const auto hit = objects.find(key);
    if (hit == objects.end()) return std::nullopt;
    const auto bytes = std::as_bytes(std::span(hit->second));
    const auto begin = range ? range->begin : 0;
    const auto end = range ? range->end : bytes.size();
    return std::vector<std::byte>(bytes.begin() + static_cast<std::ptrdiff_t>(begin),
                                  bytes.begin() + static_cast<std::ptrdiff_t>(end));
  }
  std::optional<std::uint64_t> size(const std::string&) override {
    return std::nullopt;
  }

  std::map<std::string, std::string> objects = {
      {".zarray", kArray}, {"0", "\x01\x02"}, {"2", "\x05\x06"}};
  std::string failing;
};

/// A fixture's store, optionally with object sizes.
class FixtureSource final : public Source {
 public:
  std::optional<std::vector<std::byte>> read(
      const std::string& key, const std::optional<bev::ByteRange>& range) override {
    const auto found = fixture.objects.find(key);
    if (found == fixture.objects.end()) return std::nullopt;
    const std::span<const std::byte> whole = found->second;
    const auto end = std::min<std::uint64_t>(range ? range->end : ~0ULL, whole.size());
    const auto begin = std::min(range ? range->begin : 0, end);
    const auto bytes = whole.subspan(static_cast<std::size_t>(begin),
                                     static_cast<std::size_t>(end - begin));
    if (key.starts_with("shards_long/0")) read_of_shard += bytes.size();
    return std::vector<std::byte>(bytes.begin(), bytes.end());
  }
  std::optional<std::uint64_t> size(const std::string& key) override {
    if (!sized || !fixture.objects.contains(key)) return std::nullopt;
    return fixture.objects.at(key).size();
  }

  bev::test::Fixture fixture{"version3.zip"};
  bool sized = true;
  std::size_t read_of_shard = 0;
};

std::vector<int> all_rows(Source& source) {
  bev::Engine engine;
  const auto query = engine.rows({});
  bev::run(engine, *query, source);
  std::vector<int> values;
  for (const auto byte : query->build().front().bytes) {
    values.push_back(std::to_integer<int>(byte));
  }
  return values;
}

}  // namespace

TEST_SUITE("engine/host_loop") {
  TEST_CASE("reads missing chunks; absent ones are the fill value") {
    MemorySource source;
    CHECK(all_rows(source) == std::vector<int>{1, 2, 9, 9, 5, 6});
  }

  TEST_CASE("reads an object's end by range if its size is known") {
    for (const bool sized : {true, false}) {
      CAPTURE(sized);
      FixtureSource source;
      source.sized = sized;
      bev::Engine engine;
      bev::run(engine, *engine.open(), source);
      bev::Rows rows{"shards_long", 600, 601};
      const auto query = engine.rows(rows);
      bev::run(engine, *query, source);
      const auto bytes = query->build().front().bytes;
      const auto& all = source.fixture.expected("shards_long");
      CHECK(std::equal(bytes.begin(), bytes.end(), all.begin() + 600 * 8));
      const auto& shard = source.fixture.objects.at("shards_long/0");
      CHECK((source.read_of_shard < shard.size() / 2) == sized);
    }
  }

  TEST_CASE("a failed read is never a fill value") {
    MemorySource source;
    source.failing = "1";
    CHECK_THROWS_WITH_AS(all_rows(source), "1: broken disk", bev::Error);
  }
}
