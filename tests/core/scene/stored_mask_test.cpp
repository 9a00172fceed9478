#include "core/scene/stored_mask.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "core/scene/mask_writer.hpp"
#include "tests/support/memory_dataset.hpp"
#include "tests/support/small_scenes.hpp"

namespace stored_mask_test {

using bev::Errc;
using bev::Error;
using bev::scene::StoredMask;
using bev::test::error_code;
using bev::test::MemoryDataset;
using bev::test::MemoryStore;
using bev::test::small_store;
using Counts = std::vector<std::uint32_t>;

namespace {

constexpr std::uint64_t kAgents = 30;  // of small_store()

/// Returns the small data set, which documents of single arrays can be added to.
MemoryStore bare_store() {
  auto store = small_store();
  store.objects.erase(".zmetadata");
  return store;
}

Counts counting(std::uint64_t agents) {
  Counts counts(static_cast<std::size_t>(2 * agents));
  std::iota(counts.begin(), counts.end(), 0U);
  return counts;
}

MemoryStore store_with_mask(std::uint64_t agents) {
  auto store = bare_store();
  bev::scene::MaskWriter writer(store, "agents_mask/0.5", agents, {});
  writer.append(counting(agents));
  writer.close();
  return store;
}

/// Returns the metadata of an array of 4 rows per chunk.
std::string metadata(const std::string& dtype, const std::string& shape,
                     const std::string& chunks) {
  return R"({"zarr_format": 2, "dtype": )" + dtype + R"(, "shape": )" + shape +
         R"(, "chunks": )" + chunks +
         R"(, "compressor": null, "fill_value": 7, "filters": null, "order": "C"})";
}

StoredMask find(MemoryDataset& data, std::uint64_t agents = kAgents) {
  return *data.read([&](bev::store::Reader& reader) {
    return StoredMask::find(reader, "0.5", agents);
  });
}

Counts read(MemoryDataset& data, std::uint64_t begin, std::uint64_t end) {
  const auto mask = find(data);
  Counts counts{1, 2, 3};  // leftovers of another read
  data.read([&](bev::store::Reader& reader) {
    return mask.read(reader, begin, end, counts);
  });
  return counts;
}

/// Returns the message about a mask with this metadata.
std::string refusal(const std::string& zarray) {
  auto store = bare_store();
  store.text("agents_mask/0.5/.zarray", zarray);
  MemoryDataset data(store);
  try {
    find(data);
  } catch (const Error& error) {
    CHECK(error.code() == Errc::invalid_metadata);
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_SUITE("scene/stored_mask") {
  TEST_CASE("a data set without a mask has none, which is no error") {
    MemoryDataset data(bare_store());
    CHECK_FALSE(find(data).exists());
  }

  TEST_CASE("a mask under another threshold is another mask") {
    auto store = bare_store();
    bev::scene::MaskWriter writer(store, "agents_mask/0.8", kAgents, {});
    writer.append(counting(kAgents));
    writer.close();
    MemoryDataset data(store);
    CHECK_FALSE(find(data).exists());
  }

  TEST_CASE("counts of any agents are read") {
    MemoryDataset data(store_with_mask(kAgents));
    CHECK(read(data, 0, kAgents) == counting(kAgents));
    CHECK(read(data, 3, 5) == Counts{6, 7, 8, 9});
    CHECK(read(data, 29, 30) == Counts{58, 59});
    CHECK(read(data, 30, 30).empty());
  }

  TEST_CASE("agents beyond the mask are out of range") {
    MemoryDataset data(store_with_mask(kAgents));
    CHECK(error_code([&] { read(data, 29, 31); }) == Errc::out_of_range);
    CHECK(error_code([&] { read(data, 31, 31); }) == Errc::out_of_range);
  }

  TEST_CASE("rows are read across chunks, absent chunks as the fill value") {
    auto store = bare_store();
    store.text("agents_mask/0.5/.zarray", metadata("\"<u4\"", "[30, 2]", "[4, 2]"));
    store.objects["agents_mask/0.5/0.0"] = std::vector<std::byte>(32, std::byte{1});
    store.objects["agents_mask/0.5/1.0"] = std::vector<std::byte>(32, std::byte{2});
    MemoryDataset data(store);
    constexpr std::uint32_t kOnes = 0x01010101, kTwos = 0x02020202;
    CHECK(read(data, 3, 5) == Counts{kOnes, kOnes, kTwos, kTwos});
    CHECK(read(data, 7, 9) == Counts{kTwos, kTwos, 7, 7});
  }

  TEST_CASE("big-endian counts are the same counts") {
    auto store = bare_store();
    store.text("agents_mask/0.5/.zarray", metadata("\">u4\"", "[30, 2]", "[30, 2]"));
    std::vector<std::byte> chunk(240);
    chunk[3] = std::byte{5};  // past frames of agent 0
    chunk[6] = std::byte{1};  // future frames: 256
    store.objects["agents_mask/0.5/0.0"] = chunk;
    MemoryDataset data(store);
    CHECK(read(data, 0, 1) == Counts{5, 256});
  }

  TEST_CASE("a chunk of another length is damage") {
    auto store = store_with_mask(kAgents);
    store.objects.at("agents_mask/0.5/0.0").pop_back();
    MemoryDataset data(store);
    CHECK(error_code([&] { read(data, 0, 1); }) == Errc::corrupt_chunk);
  }

  TEST_CASE("a mask of another data set's length is refused with both lengths") {
    MemoryDataset data(store_with_mask(29));
    CHECK_THROWS_WITH_AS(find(data),
                         "agents_mask/0.5: wrong type or shape (found <u4 of shape "
                         "(29, 2), expected <u4 of shape (30, 2))",
                         Error);
    CHECK(find(data, 29).exists());
  }

  TEST_CASE("an array of another type or shape is refused with what was found") {
    const std::string expected = ", expected <u4 of shape (30, 2))";
    CHECK(refusal(metadata("\"<i4\"", "[30, 2]", "[30, 2]")) ==
          "agents_mask/0.5: wrong type or shape (found <i4 of shape (30, 2)" +
              expected);
    CHECK(refusal(metadata("\"<u8\"", "[30, 2]", "[30, 2]"))
              .find("found <u8 of shape (30, 2)") != std::string::npos);
    CHECK(refusal(metadata("\"<u4\"", "[60]", "[60]")) ==
          "agents_mask/0.5: wrong type or shape (found <u4 of shape (60)" + expected);
    CHECK(refusal(metadata("\"<u4\"", "[30, 2, 1]", "[30, 2, 1]"))
              .find("found <u4 of shape (30, 2, 1)") != std::string::npos);
    CHECK(refusal(metadata("\"<u4\"", "[2, 30]", "[2, 30]"))
              .find("found <u4 of shape (2, 30)") != std::string::npos);
  }
}

}  // namespace stored_mask_test
