#include <doctest/doctest.h>

#include <array>
#include <span>
#include <string>
#include <vector>

#include "core/store/reader.hpp"
#include "tests/support/big_chunks.hpp"

namespace store = bev::store;
using bev::test::big_chunks::Bytes;
using bev::test::big_chunks::chunk_for;
using bev::test::big_chunks::expected;
using bev::test::big_chunks::kBlosc;
using bev::test::big_chunks::kRecord;
using bev::test::big_chunks::kRows;

namespace {

/// An array of one chunk in memory: 20 blocks of 600 records.
class Loaded {
 public:
  explicit Loaded(const char* compressor) : plan_(store_, "test") {
    const auto meta =
        R"({"zarr_format": 2, "filters": null, "fill_value": null, "order": "C",)"
        R"("dtype": "|V100", "shape": [12000], "chunks": [12000], "compressor": )" +
        std::string(compressor) + "}";
    const auto text = std::as_bytes(std::span(meta));
    store_.supply({".zarray"}, std::vector<std::byte>(text.begin(), text.end()));
    store_.supply({"0"}, chunk_for(compressor));
  }

  Bytes read(std::size_t begin, std::size_t end) {
    const auto from = static_cast<std::int64_t>(begin);
    return read(
        store::RowSelection::range("x", kRows, from, static_cast<std::int64_t>(end)));
  }

  Bytes read(const store::RowSelection& rows) {
    Bytes out(rows.count * kRecord);
    const std::array slots{bev::zarr::ColumnSlot{0, kRecord, out}};
    plan_.begin();
    store::Reader reader(store_, plan_);
    REQUIRE(reader.read(**reader.array(""), rows, slots));
    return out;
  }

  std::size_t tier_bytes() { return store_.blocks().bytes_held(); }

 private:
  store::Store store_{std::size_t{16} << 20};
  store::Plan plan_;
};

}  // namespace

TEST_SUITE("store/column_reader") {
  TEST_CASE("few rows of a new block are decoded alone, then the whole block") {
    Loaded array(kBlosc);
    CHECK(array.read(610, 640) == expected(610, 640));
    CHECK(array.tier_bytes() == 0);
    CHECK(array.read(700, 730) == expected(700, 730));
    CHECK(array.tier_bytes() == 600 * kRecord);
    CHECK(array.read(1100, 1190) == expected(1100, 1190));
    CHECK(array.tier_bytes() == 600 * kRecord);
  }

  TEST_CASE("many rows of a block cache it at once") {
    Loaded array(kBlosc);
    CHECK(array.read(0, 151) == expected(0, 151));
    CHECK(array.tier_bytes() == 600 * kRecord);
  }

  TEST_CASE("each block of a run is judged separately") {
    Loaded array(kBlosc);
    CHECK(array.read(590, 1210) == expected(590, 1210));
    CHECK(array.tier_bytes() == 600 * kRecord);
  }

  TEST_CASE("rows of a list share cached blocks") {
    Loaded array(kBlosc);
    const std::array<std::int64_t, 3> rows{1201, 5, 1202};
    const auto got = array.read(store::RowSelection::list("x", kRows, rows));
    auto wanted = expected(1201, 1202);
    for (const std::size_t row : {5u, 1202u}) {
      const auto one = expected(row, row + 1);
      wanted.insert(wanted.end(), one.begin(), one.end());
    }
    CHECK(got == wanted);
    CHECK(array.tier_bytes() == 2 * 600 * kRecord);
  }

  TEST_CASE("chunks without blocks are cached on the first read") {
    Loaded array("null");
    CHECK(array.read(610, 640) == expected(610, 640));
    CHECK(array.tier_bytes() == 2048 * kRecord);
  }
}
