#include "core/store/chunk_finder.hpp"

#include <doctest/doctest.h>

#include <string>

#include "core/base/error.hpp"
#include "tests/support/big_chunks.hpp"
#include "tests/support/fixtures.hpp"

namespace chunk_finder_test {

using bev::ByteRange;
using bev::Errc;
using bev::Error;
using bev::store::Request;
using bev::store::Store;
using bev::test::Fixture;
using bev::test::MemoryStore;

namespace {

using namespace bev::test::big_chunks;

constexpr std::size_t kBudget = std::size_t{16} << 20;
#ifdef NDEBUG
constexpr std::size_t kApart = 1;
#else
constexpr std::size_t kApart = 5;  // sanitizers are slow
#endif

Bytes rows_of(const Fixture& fixture, const std::string& array, std::size_t begin,
              std::size_t end, std::size_t size) {
  const auto& all = fixture.expected(array);
  return {all.begin() + static_cast<std::ptrdiff_t>(begin * size),
          all.begin() + static_cast<std::ptrdiff_t>(end * size)};
}

// Returns whether the array reads right or wrong; "corrupt" if reading throws for the
// object.
std::string outcome(Fixture& fixture, const std::string& array,
                    const std::string& object) {
  Store store(kBudget);
  fixture.supply_documents(store);
  try {
    return fixture.read(store, array) == fixture.expected(array) ? "right" : "wrong";
  } catch (const Error& error) {
    CHECK(error.code() == Errc::corrupt_chunk);
    CHECK(std::string(error.what()).starts_with(object));
    return "corrupt";
  }
}

/// x: three big equal chunks in one shard with its index first, stored in reverse
/// order.
MemoryStore shard_store(const char* compressor) {
  MemoryStore store;
  store.text("zarr.json", R"({"zarr_format": 3, "node_type": "group"})");
  const std::string codec =
      compressor[0] == 'n'
          ? ""
          : R"(, {"name": "blosc", "configuration": {"cname": "lz4", "clevel": 5,
                 "shuffle": "noshuffle", "typesize": 100, "blocksize": 0}})";
  store.text("x/zarr.json", R"({"zarr_format": 3, "node_type": "array",
    "shape": [36000], "data_type": "r800", "fill_value": null,
    "chunk_key_encoding": {"name": "default"},
    "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [36000]}},
    "codecs": [{"name": "sharding_indexed", "configuration": {
      "chunk_shape": [12000], "index_location": "start",
      "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}],
      "codecs": [{"name": "bytes"})" +
                                codec + "]}}]}");
  const auto chunk = chunk_for(compressor);
  bev::test::Packed index;
  for (std::uint64_t i = 3; i-- > 0;) {
    index.add<std::uint64_t>(48 + i * chunk.size());
    index.add<std::uint64_t>(chunk.size());
  }
  Bytes shard = index.bytes();
  for (int i = 0; i < 3; ++i) shard.insert(shard.end(), chunk.begin(), chunk.end());
  store.put("x/c/0", shard);
  return store;
}

}  // namespace

TEST_SUITE("store/chunk_finder") {
  TEST_CASE("every array of version 3 reads as it was made") {
    Fixture fixture("version3.zip");
    CHECK(fixture.arrays().size() == 18);
    for (const bool tails : {true, false}) {
      fixture.reads_tails = tails;
      Store store(kBudget);
      fixture.supply_documents(store);
      REQUIRE(store.catalogue().version3());
      for (const auto& array : fixture.arrays()) {
        CAPTURE(array);
        CHECK(fixture.read(store, array) == fixture.expected(array));
      }
    }
  }

  TEST_CASE("arrays that are not consolidated are found by their own documents") {
    Fixture fixture("version3.zip");
    const std::string root = R"({"zarr_format": 3, "node_type": "group"})";
    const auto bytes = std::as_bytes(std::span(root));
    fixture.objects["zarr.json"].assign(bytes.begin(), bytes.end());
    Store store(kBudget);
    fixture.supply_documents(store);
    CHECK(fixture.read(store, "shards") == fixture.expected("shards"));
    CHECK(fixture.read(store, "plain") == fixture.expected("plain"));
  }

  TEST_CASE("every array with filters reads as zarr-python wrote it") {
    Fixture fixture("filters.zip");
    CHECK(fixture.arrays().size() == 12);
    Store store(kBudget);
    fixture.supply_documents(store);
    for (const auto& array : fixture.arrays()) {
      CAPTURE(array);
      CHECK(fixture.read(store, array) == fixture.expected(array));
    }
  }

  TEST_CASE("a few rows of a shard are its index and their chunks, no byte twice") {
    Fixture fixture("version3.zip");
    Store store(kBudget);
    fixture.supply_documents(store);
    CHECK(fixture.read(store, "shards_long", 600, 620) ==
          rows_of(fixture, "shards_long", 600, 620, 8));
    CHECK(fixture.rounds == 2);
    const auto shard = fixture.objects.at("shards_long/0").size();
    CHECK(fixture.fetched < shard / 10);
    const auto before = fixture.fetched;
    CHECK(fixture.read(store, "shards_long", 100, 990) ==
          rows_of(fixture, "shards_long", 100, 990, 8));
    CHECK(fixture.rounds == 1);
    CHECK(fixture.fetched > before);
    CHECK(fixture.read(store, "shards_long", 0, 1000) ==
          rows_of(fixture, "shards_long", 0, 1000, 8));
    CHECK(fixture.rounds == 0);
    CHECK(fixture.fetched < shard / 5);
  }

  TEST_CASE("a chunk absent from its shard reads as fill without a request") {
    Fixture fixture("version3.zip");
    Store store(kBudget);
    fixture.supply_documents(store);
    CHECK(fixture.read(store, "shards_long", 1000, 1500) ==
          rows_of(fixture, "shards_long", 1000, 1500, 8));
    CHECK(fixture.rounds == 1);
  }

  TEST_CASE("with any byte of a shard changed, it is refused") {
    Fixture fixture("version3.zip");
    const auto found = fixture.objects.lower_bound("shards/");
    const auto key = found->first;
    const auto whole = found->second;
    CAPTURE(key);
    for (std::size_t at = 0; at < whole.size(); at += kApart) {
      fixture.objects[key][at] ^= std::byte{0x41};
      CAPTURE(at);
      CHECK(outcome(fixture, "shards", key) == "corrupt");
      fixture.objects[key] = whole;
    }
  }

  TEST_CASE("a shard truncated anywhere is refused") {
    Fixture fixture("version3.zip");
    const auto key = fixture.objects.lower_bound("shards_long/")->first;
    const auto whole = fixture.objects[key];
    for (std::size_t i = 0; i < 40; ++i) {
      const auto size = static_cast<std::ptrdiff_t>(whole.size() * i / 40);
      fixture.objects[key] = {whole.begin(), whole.begin() + size};
      CAPTURE(size);
      CHECK(outcome(fixture, "shards_long", key) == "corrupt");
    }
  }

  TEST_CASE("forget_failures requests a refused shard again") {
    Fixture fixture("version3.zip");
    const auto key = fixture.objects.lower_bound("shards_long/")->first;
    const auto whole = fixture.objects[key];
    fixture.objects[key].back() ^= std::byte{1};
    Store store(kBudget);
    fixture.supply_documents(store);
    CHECK_THROWS_AS(fixture.read(store, "shards_long", 0, 10), Error);
    fixture.objects[key] = whole;
    CHECK_THROWS_AS(fixture.read(store, "shards_long", 0, 10), Error);
    store.forget_failures();
    CHECK(fixture.read(store, "shards_long", 0, 10) ==
          rows_of(fixture, "shards_long", 0, 10, 8));
  }

  TEST_CASE("a few rows of a chunk in a shard read a fraction of it") {
    for (const auto* compressor : {kBlosc, "null"}) {
      CAPTURE(compressor);
      const auto store = shard_store(compressor);
      auto engine = opened(store);
      Traffic traffic;
      CHECK(read(engine, store, {"x", 17000, 17084}, traffic) ==
            expected(17000, 17084));
      CHECK(traffic.requests[0] == Request{"x/c/0", ByteRange{0, 48}, true});
      CHECK(traffic.rounds == (compressor == kBlosc ? 3 : 2));
      CHECK(traffic.bytes * 36 < store.objects.at("x/c/0").size());
      for (std::int64_t row = 0; row < 36000; row += 720) {
        const auto begin = static_cast<std::size_t>(row);
        REQUIRE(read(engine, store, {"x", row, row + 720}, traffic) ==
                expected(begin, begin + 720));
      }
      CHECK(traffic.bytes == store.objects.at("x/c/0").size());  // no byte twice
    }
  }

  TEST_CASE("a chunk whose length differs from the shard index is refused") {
    auto store = shard_store(kBlosc);
    auto& shard = store.objects.at("x/c/0");
    const auto sound = shard;
    const auto message_of = [&] {
      auto engine = opened(store);
      Traffic traffic;
      try {
        read(engine, store, {"x", 35900, 35984}, traffic);
      } catch (const Error& error) {
        CHECK(error.code() == Errc::corrupt_chunk);
        return std::string(error.what());
      }
      return std::string("right");
    };
    CHECK(message_of() == "right");
    shard[40] ^= std::byte{4};  // length of the third entry, which is the first chunk
    CHECK(message_of().find("in the shard") != std::string::npos);
    shard = sound;
    shard.resize(100000);
    CHECK(message_of().starts_with("x/c/0"));
  }
}

}  // namespace chunk_finder_test
