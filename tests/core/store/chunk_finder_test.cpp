#include "core/store/chunk_finder.hpp"

#include <doctest/doctest.h>

#include <string>

#include "core/base/error.hpp"
#include "tests/support/fixtures.hpp"

using bev::Errc;
using bev::Error;
using bev::store::Store;
using bev::test::Fixture;

namespace {

using Bytes = std::vector<std::byte>;

constexpr std::size_t kBudget = std::size_t{16} << 20;

Bytes rows_of(const Fixture& fixture, const std::string& array, std::size_t begin,
              std::size_t end, std::size_t size) {
  const auto& all = fixture.expected(array);
  return {all.begin() + static_cast<std::ptrdiff_t>(begin * size),
          all.begin() + static_cast<std::ptrdiff_t>(end * size)};
}

// What reading the array gives, or "corrupt" if that was said of the object.
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

  TEST_CASE("a chunk that its shard leaves out is fill values and no request") {
    Fixture fixture("version3.zip");
    Store store(kBudget);
    fixture.supply_documents(store);
    CHECK(fixture.read(store, "shards_long", 1000, 1500) ==
          rows_of(fixture, "shards_long", 1000, 1500, 8));
    CHECK(fixture.rounds == 1);
  }

  TEST_CASE("whatever byte of a shard is wrong, it is refused or read as it was") {
    Fixture fixture("version3.zip");
    const auto found = fixture.objects.lower_bound("shards/");
    const auto key = found->first;
    const auto whole = found->second;
    CAPTURE(key);
    for (std::size_t at = 0; at < whole.size(); ++at) {
      fixture.objects[key][at] ^= std::byte{0x41};
      CAPTURE(at);
      CHECK(outcome(fixture, "shards", key) == "corrupt");
      fixture.objects[key] = whole;
    }
  }

  TEST_CASE("wherever a shard is cut, it is refused") {
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

  TEST_CASE("a shard that was refused is asked for again") {
    Fixture fixture("version3.zip");
    const auto key = fixture.objects.lower_bound("shards_long/")->first;
    const auto whole = fixture.objects[key];
    fixture.objects[key].back() ^= std::byte{1};
    Store store(kBudget);
    fixture.supply_documents(store);
    CHECK_THROWS_AS(fixture.read(store, "shards_long", 0, 10), Error);
    fixture.objects[key] = whole;
    CHECK(fixture.read(store, "shards_long", 0, 10) ==
          rows_of(fixture, "shards_long", 0, 10, 8));
  }
}
