#include "core/store/reader.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <string>

#include "core/base/error.hpp"
#include "tests/support/memory_store.hpp"

namespace reader_test {

using bev::Engine;
using bev::Errc;
using bev::Error;
using bev::Rows;
using bev::test::MemoryStore;
using bev::test::run;

namespace {

std::string meta(const std::string& shape, const std::string& chunks,
                 const std::string& dtype, char order = 'C') {
  return R"({"zarr_format": 2, "compressor": null, "filters": null, "fill_value": 0,)"
         R"("shape": )" +
         shape + R"(, "chunks": )" + chunks + R"(, "dtype": ")" + dtype +
         R"(", "order": ")" + order + "\"}";
}

template <class T>
void put(MemoryStore& store, const std::string& key, const std::vector<T>& values) {
  store.put(key, std::as_bytes(std::span(values)));
}

/// x: 25 rows 0 to 24 in chunks of 10; the last one is padded with 99.
MemoryStore plain_store() {
  MemoryStore store;
  store.text("x/.zarray", meta("[25]", "[10]", "<i4"));
  for (int chunk = 0; chunk < 3; ++chunk) {
    std::vector<std::int32_t> values(10);
    for (int i = 0; i < 10; ++i) {
      const int row = chunk * 10 + i;
      values[static_cast<std::size_t>(i)] = row < 25 ? row : 99;
    }
    put(store, "x/" + std::to_string(chunk), values);
  }
  return store;
}

std::vector<std::int32_t> read(const MemoryStore& store, Rows rows) {
  Engine engine;
  const auto query = engine.rows(std::move(rows));
  return run(engine, *query, store).values<std::int32_t>("");
}

using Values = std::vector<std::int32_t>;
using Slices = std::vector<bev::store::AxisSlice>;

/// g: 3 x 5 x 2 in chunks of 2 x 3 x 2; the values are 100 i + 10 j + k.
MemoryStore box_store(char order) {
  MemoryStore store;
  store.text("g/.zarray", meta("[3, 5, 2]", "[2, 3, 2]", "<i4", order));
  for (int chunk = 0; chunk < 4; ++chunk) {
    const int corner = 200 * (chunk / 2) + 30 * (chunk % 2);
    Values values;
    for (int n = 0; n < 12; ++n) {
      values.push_back(corner + (order == 'C'
                                     ? 100 * (n / 6) + 10 * (n / 2 % 3) + n % 2
                                     : 100 * (n % 2) + 10 * (n / 2 % 3) + n / 6));
    }
    const auto name = std::to_string(chunk / 2) + "." + std::to_string(chunk % 2);
    put(store, "g/" + name + ".0", values);
  }
  return store;
}

Rows box_of(const char* array, Slices slices, std::vector<std::string> fields = {}) {
  Rows rows{array};
  rows.axes = std::move(slices);
  rows.fields = std::move(fields);
  return rows;
}

bev::store::AxisSlice at(std::int64_t index) {
  return {{}, {}, 1, index};
}

struct Got {
  Values values;
  std::vector<std::size_t> shape;
  std::set<std::string> keys;
};

Got got(const MemoryStore& store, Rows rows) {
  Engine engine;
  const auto query = engine.rows(std::move(rows));
  const auto all = run(engine, *query, store);
  Got out{{}, all.arrays.front().shape, all.keys};
  out.values = all.values<std::int32_t>(all.arrays.front().name);
  return out;
}

}  // namespace

TEST_SUITE("store/reader") {
  TEST_CASE("every range and step equals a plain loop") {
    const auto store = plain_store();
    for (std::int64_t begin = 0; begin <= 25; begin += 3) {
      for (std::int64_t end = begin; end <= 25; ++end) {
        for (const std::int64_t step : {1, 2, 7, 11}) {
          Values expected;
          for (auto row = begin; row < end; row += step) {
            expected.push_back(static_cast<std::int32_t>(row));
          }
          CAPTURE(begin);
          CAPTURE(end);
          CAPTURE(step);
          REQUIRE(read(store, {"x", begin, end, step}) == expected);
        }
      }
    }
  }

  TEST_CASE("a negative step reverses the rows") {
    const auto store = plain_store();
    CHECK(read(store, {"x", 24, 8, -5}) == Values{24, 19, 14, 9});
    CHECK(read(store, {"x", 11, 8, -1}) == Values{11, 10, 9});
  }

  TEST_CASE("a mask selects rows") {
    Rows rows{"x"};
    rows.mask.emplace(25, std::uint8_t{0});
    for (const std::size_t row : {3u, 10u, 24u}) (*rows.mask)[row] = 1;
    CHECK(read(plain_store(), rows) == Values{3, 10, 24});
  }

  TEST_CASE("a list of rows keeps its order and repeats") {
    Rows rows{"x"};
    rows.indices = {24, 0, 9, 10, 0, 24};
    CHECK(read(plain_store(), rows) == Values{24, 0, 9, 10, 0, 24});
    rows.indices = std::vector<std::int64_t>{};
    CHECK(read(plain_store(), rows).empty());
  }

  TEST_CASE("only the chunks of the rows are requested") {
    const auto store = plain_store();
    Engine engine;
    Rows rows{"x"};
    rows.indices = {24, 3};
    const auto query = engine.rows(rows);
    const auto got = run(engine, *query, store);
    CHECK(got.keys == std::set<std::string>{"x/.zarray", "x/0", "x/2"});
  }

  TEST_CASE("long runs and cached short runs give the same values") {
    MemoryStore store;
    store.text("x/.zarray", meta("[20000]", "[16000]", "<i4"));
    std::vector<std::int32_t> values(16000);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = static_cast<std::int32_t>(i * 3);
    }
    put(store, "x/0", values);
    const auto all = read(store, {"x"});
    REQUIRE(all.size() == 20000);
    CHECK(all[15999] == 47997);
    CHECK(all[16000] == 0);  // an absent chunk
    for (const std::ptrdiff_t begin : {0, 2040, 4090, 15990}) {
      const auto some = read(store, {"x", begin, begin + 20});
      CHECK(some == Values(all.begin() + begin, all.begin() + begin + 20));
    }
  }

  TEST_CASE("grids of any order give rows in C order") {
    // 3 x 5 in chunks of 2 x 3; the values are 10 row + column.
    for (const char order : {'C', 'F'}) {
      CAPTURE(order);
      MemoryStore store;
      store.text("g/.zarray", meta("[3, 5]", "[2, 3]", "<i4", order));
      for (int r = 0; r < 2; ++r) {
        for (int c = 0; c < 2; ++c) {
          Values chunk(6);
          for (int i = 0; i < 6; ++i) {
            const int row = order == 'C' ? i / 3 : i % 2;
            const int column = order == 'C' ? i % 3 : i / 2;
            chunk[static_cast<std::size_t>(i)] = 10 * (2 * r + row) + 3 * c + column;
          }
          put(store, "g/" + std::to_string(r) + "." + std::to_string(c), chunk);
        }
      }
      CHECK(read(store, {"g", 1, 3}) == Values{10, 11, 12, 13, 14, 20, 21, 22, 23, 24});
      Rows rows{"g"};
      rows.indices = {2, 0, 2};
      CHECK(read(store, rows) ==
            Values{20, 21, 22, 23, 24, 0, 1, 2, 3, 4, 20, 21, 22, 23, 24});
      store.objects.erase("g/0.1");
      CHECK(read(store, {"g", 0, 1}) == Values{0, 1, 2, 0, 0});
      store.objects["g/0.0"].pop_back();
      CHECK_THROWS_AS(read(store, {"g", 0, 1}), Error);
    }
  }

  TEST_CASE("a box is read from chunks of any order") {
    for (const char order : {'C', 'F'}) {
      CAPTURE(order);
      const auto store = box_store(order);
      const auto some = got(store, box_of("g", {{{}, {}, -2}, {1, -1}, at(-1)}));
      CHECK(some.shape == std::vector<std::size_t>{2, 3});
      CHECK(some.values == Values{211, 221, 231, 11, 21, 31});
      const auto one = got(store, box_of("g", {at(1), at(-2), at(0)}));
      CHECK(one.shape.empty());
      CHECK(one.values == Values{130});
      CHECK(one.keys == std::set<std::string>{"g/.zarray", "g/0.1.0"});
      const auto all = got(store, box_of("g", {}));
      CHECK(all.shape == std::vector<std::size_t>{3, 5, 2});
      CHECK(all.values == read(store, {"g"}));
      CHECK(got(store, box_of("g", {{2, 2}})).values.empty());
    }
  }

  TEST_CASE("a box of a one-dimensional array reads rows, of a scalar its value") {
    const auto rows = got(plain_store(), box_of("x", {{-2, 8, -5}}));
    CHECK(rows.values == Values{23, 18, 13});
    CHECK(rows.keys == std::set<std::string>{"x/.zarray", "x/1", "x/2"});
    MemoryStore single;
    single.text("s/.zarray", meta("[]", "[]", "<i4"));
    put(single, "s/0", Values{42});
    const auto value = got(single, box_of("s", {}));
    CHECK(value.values == Values{42});
    CHECK(value.shape.empty());
  }

  TEST_CASE("an absent chunk of a box reads as fill, a damaged one fails") {
    auto store = box_store('C');
    store.objects.erase("g/0.0.0");
    const auto rows = box_of("g", {{0, 3, 2}, at(2), at(1)});
    CHECK(got(store, rows).values == Values{0, 221});
    store.objects["g/1.0.0"].pop_back();
    CHECK_THROWS_AS(got(store, rows), Error);
  }

  TEST_CASE("a box of records reads one field") {
    MemoryStore store;
    store.text("r/.zarray", R"({"zarr_format": 2, "compressor": null, "filters": null,
      "fill_value": null, "shape": [2, 2], "chunks": [2, 2], "order": "C",
      "dtype": [["a", "<i4"], ["b", "<i4", [2]]]})");
    put(store, "r/0.0", Values{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
    const auto field = got(store, box_of("r", {{{}, {}, -1}, at(1)}, {"b"}));
    CHECK(field.shape == std::vector<std::size_t>{2, 2});
    CHECK(field.values == Values{11, 12, 5, 6});
    CHECK_THROWS_WITH_AS(got(store, box_of("r", {})),
                         "r: box requires one field (found 2)", Error);
  }

  TEST_CASE("an array without axes has one row") {
    MemoryStore store;
    store.text("s/.zarray", meta("[]", "[]", "<i4"));
    put(store, "s/0", Values{42});
    CHECK(read(store, {"s"}) == Values{42});
  }

  TEST_CASE("oversized shapes are errors, not allocations") {
    const auto code_of = [](const std::string& shape, const std::string& chunks) {
      MemoryStore store;
      store.text("x/.zarray", meta(shape, chunks, "<i4"));
      try {
        read(store, {"x"});
      } catch (const Error& error) {
        return error.code();
      }
      return Errc::internal;
    };
    // A size beyond 64 bits is an error of the metadata.
    CHECK(code_of("[4611686018427387904]", "[1]") == Errc::invalid_metadata);
    CHECK(code_of("[1000000000]", "[10]") == Errc::limit_exceeded);
    CHECK(code_of("[1, 1000000000000]", "[1, 1]") == Errc::limit_exceeded);
    CHECK(code_of("[2, 4294967296, 4294967296]", "[1, 1, 1]") ==
          Errc::invalid_metadata);
    CHECK(code_of("[2, 200000000]", "[1, 1]") == Errc::limit_exceeded);
  }
}

}  // namespace reader_test
