#include "core/store/held_chunk.hpp"

#include <doctest/doctest.h>

#include <string>

#include "core/base/error.hpp"
#include "tests/support/big_chunks.hpp"
#include "tests/support/records.hpp"

namespace held_chunk_test {

using bev::ByteRange;
using bev::Engine;
using bev::Errc;
using bev::Error;
using bev::Rows;
using bev::store::Request;
using bev::test::MemoryStore;
using bev::test::part_of;
using namespace bev::test::big_chunks;

namespace {

/// x: three equal chunks of 1.2 MB each.
MemoryStore big_store(const char* compressor = kBlosc) {
  MemoryStore store;
  store.text("x/.zarray", std::string(R"({"zarr_format": 2, "filters": null,
    "fill_value": null, "order": "C", "shape": [36000], "chunks": [12000],
    "dtype": "|V100", "compressor": )") +
                              compressor + "}");
  const auto chunk = chunk_for(compressor);
  for (const auto* key : {"x/0", "x/1", "x/2"}) store.put(key, chunk);
  return store;
}

/// x: ten rows in one chunk without a compressor.
MemoryStore small_store() {
  MemoryStore store;
  store.text("x/.zarray", R"({"zarr_format": 2, "filters": null, "fill_value": null,
    "order": "C", "shape": [10], "chunks": [10], "dtype": "|V100",
    "compressor": null})");
  const auto& all = records();
  store.put("x/0", std::span(all).first(10 * kRecord));
  return store;
}

}  // namespace

TEST_SUITE("store/held_chunk") {
  TEST_CASE("a few rows of a chunk take two rounds and a fraction of its bytes") {
    const auto store = big_store();
    auto engine = opened(store);
    Traffic traffic;
    CHECK(read(engine, store, {"x", 5000, 5084}, traffic) == expected(5000, 5084));
    CHECK(traffic.rounds == 2);
    REQUIRE(traffic.requests.size() == 2);
    CHECK(traffic.requests[0] == Request{"x/0", ByteRange{0, 512}, true});
    CHECK(traffic.bytes * 12 < store.objects.at("x/0").size());
    CHECK(read(engine, store, {"x", 5100, 5184}, traffic) == expected(5100, 5184));
    CHECK(traffic.rounds == 2);  // in the same block
  }

  TEST_CASE("uncompressed rows take one round") {
    const auto store = big_store("null");
    auto engine = opened(store);
    Traffic traffic;
    CHECK(read(engine, store, {"x", 5000, 5084}, traffic) == expected(5000, 5084));
    CHECK(traffic.rounds == 1);
    CHECK(traffic.bytes * 12 < store.objects.at("x/0").size());
  }

  TEST_CASE("rows read forward fetch each byte once, then the chunk is one object") {
    for (const auto* compressor : {R"({"id": "blosc", "cname": "lz4"})", "null"}) {
      const auto store = big_store(compressor);
      auto engine = opened(store);
      Traffic traffic;
      for (std::int64_t row = 0; row < 36000; row += 80) {
        const auto begin = static_cast<std::size_t>(row);
        REQUIRE(read(engine, store, {"x", row, row + 80}, traffic) ==
                expected(begin, begin + 80));
      }
      CHECK(traffic.bytes == 3 * store.objects.at("x/0").size());
      CHECK(traffic.rounds < 25);
      CHECK(engine.cache().bytes_held == traffic.bytes);
    }
  }

  TEST_CASE("a chunk is requested whole if most of it is needed") {
    const auto store = big_store();
    auto engine = opened(store);
    Traffic traffic;
    CHECK(read(engine, store, {"x", 100, 24000}, traffic) == expected(100, 24000));
    CHECK(traffic.requests == std::vector<Request>{{"x/0"}, {"x/1"}});
    CHECK(traffic.rounds == 1);
  }

  TEST_CASE("scattered rows of a chunk take one round after its table") {
    const auto store = big_store();
    auto engine = opened(store);
    Traffic traffic;
    Rows rows{"x"};
    rows.indices = {11999, 0, 6000, 1};
    auto all = expected(11999, 12000);
    for (const std::size_t row : {0U, 6000U, 1U}) {
      const auto one = expected(row, row + 1);
      all.insert(all.end(), one.begin(), one.end());
    }
    CHECK(read(engine, store, rows, traffic) == all);
    CHECK(traffic.rounds == 2);
    CHECK(traffic.requests.size() == 4);
  }

  TEST_CASE("a row repeated in a list counts once") {
    const auto store = big_store();
    auto engine = opened(store);
    Traffic traffic;
    Rows rows{"x"};
    rows.indices = std::vector<std::int64_t>(kRows + 1, 5000);
    CHECK(read(engine, store, rows, traffic).size() == (kRows + 1) * kRecord);
    CHECK(traffic.requests[0] == Request{"x/0", ByteRange{0, 512}, true});
    CHECK(traffic.bytes * 12 < store.objects.at("x/0").size());
    auto small = small_store();
    auto other = opened(small);
    Traffic once;
    Rows many{"x"};
    many.indices = std::vector<std::int64_t>(100, 5);
    CHECK(read(other, small, many, once).size() == 100 * kRecord);
    CHECK(once.requests == std::vector<Request>{{"x/0"}});
  }

  TEST_CASE("a whole object answers a request for a range, and ranges may overlap") {
    const auto store = big_store();
    const auto& chunk = store.objects.at("x/0");
    auto engine = opened(store);
    const auto query = engine.rows({"x", 5000, 5084});
    REQUIRE(query->missing().size() == 1);
    engine.supply({"x/0", ByteRange{0, 512}, true}, part_of(chunk, ByteRange{0, 512}));
    const ByteRange more{100, 700000};
    for (int i = 0; i < 2; ++i) {
      engine.supply({"x/0", more, true}, part_of(chunk, more));
      CHECK(engine.cache().bytes_held == 700000 + 2 * 128);
    }
    CHECK(query->missing().empty());
    engine.supply({"x/0"}, chunk);
    CHECK(engine.cache().bytes_held == chunk.size());
    Traffic traffic;
    CHECK(read(engine, store, {"x", 11000, 11500}, traffic) == expected(11000, 11500));
    CHECK(traffic.rounds == 0);
  }

  TEST_CASE("random rows stay within the budget, and are right") {
    const auto store = big_store();
    constexpr std::size_t kBudget = 300000;
    auto engine = opened(store, kBudget);
    bev::test::Random random(3);
    Traffic traffic;
    for (int i = 0; i < 500; ++i) {
      const auto row = random.below(35900);
      const auto begin = static_cast<std::int64_t>(row);
      REQUIRE(read(engine, store, {"x", begin, begin + 90}, traffic) ==
              expected(row, row + 90));
      REQUIRE(engine.cache().bytes_held <= kBudget);
    }
    CHECK(engine.cache().evictions > 100);
  }

  TEST_CASE("rows above the budget are an error with the bytes needed") {
    const auto store = big_store();
    auto engine = opened(store, 50000);
    Traffic traffic;
    try {
      read(engine, store, {"x", 5000, 5084}, traffic);
      FAIL("read within 50000 bytes");
    } catch (const Error& error) {
      CHECK(error.code() == Errc::out_of_memory);
    }
  }

  TEST_CASE("a truncated object is an error until forget_failures") {
    auto store = big_store();
    const auto sound = store.objects.at("x/0");
    for (const std::size_t size : {0U, 5U, 16U, 90U, 96U, 100U, 512U, 600000U}) {
      CAPTURE(size);
      store.objects["x/0"].assign(sound.begin(),
                                  sound.begin() + static_cast<std::ptrdiff_t>(size));
      auto engine = opened(store);
      Traffic traffic;
      try {
        read(engine, store, {"x", 11900, 11984}, traffic);
        FAIL("read of a chunk cut short");
      } catch (const Error& error) {
        CHECK(error.code() == Errc::corrupt_chunk);
        CHECK(std::string(error.what()).starts_with("x/0: "));
      }
      store.objects["x/0"] = sound;
      CHECK_THROWS_AS(read(engine, store, {"x", 11900, 11984}, traffic), Error);
      engine.forget_failures();
      CHECK(read(engine, store, {"x", 11900, 11984}, traffic) ==
            expected(11900, 11984));
    }
  }

  TEST_CASE("a damaged head is an error or irrelevant; reading continues") {
    auto store = big_store();
    const auto sound = store.objects.at("x/0");
    for (std::size_t at = 0; at < 100; ++at) {
      for (const unsigned bits : {0x01U, 0x80U, 0xffU}) {
        CAPTURE(at);
        store.objects["x/0"] = sound;
        store.objects["x/0"][at] ^= static_cast<std::byte>(bits);
        auto engine = opened(store);
        Traffic traffic;
        std::size_t size = 84 * kRecord;
        try {
          size = read(engine, store, {"x", 5000, 5084}, traffic).size();
        } catch (const Error& error) {
          const bool typed =
              error.code() == Errc::corrupt_chunk || error.code() == Errc::unsupported;
          CHECK(typed);
          CHECK(std::string(error.what()).starts_with("x/0: "));
        }
        CHECK(size == 84 * kRecord);
        CHECK(traffic.rounds <= 4);
      }
    }
  }

  TEST_CASE("an absent chunk takes one request and reads as fill") {
    auto store = big_store();
    store.objects.erase("x/1");
    auto engine = opened(store);
    Traffic traffic;
    CHECK(read(engine, store, {"x", 13000, 13084}, traffic) == Bytes(84 * kRecord));
    CHECK(traffic.rounds == 1);
    CHECK(engine.absent_chunks() == std::vector<std::string>{"x/1"});
  }
}

}  // namespace held_chunk_test
