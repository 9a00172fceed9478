#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/records.hpp"

namespace grid_reader_test {

using bev::Engine;
using bev::Errc;
using bev::Error;
using bev::Rows;
using bev::test::MemoryStore;
using bev::test::Random;
using bev::test::run;
using Lengths = std::vector<std::uint64_t>;
using Values = std::vector<std::int32_t>;
using Keys = std::set<std::string>;

namespace {

/// An array of int32 whose values are their C-order positions.
struct Grid {
  Lengths shape, chunks;
  char order = 'C';

  Lengths counts() const {
    Lengths out;
    for (std::size_t i = 0; i < shape.size(); ++i) {
      out.push_back((shape[i] + chunks[i] - 1) / chunks[i]);
    }
    return out;
  }
};

std::uint64_t product(const Lengths& lengths) {
  std::uint64_t out = 1;
  for (const auto length : lengths) out *= length;
  return out;
}

/// Splits a C-order position into one index per axis.
Lengths indices(std::uint64_t position, const Lengths& lengths) {
  Lengths out(lengths.size());
  for (std::size_t i = lengths.size(); i-- > 0;) {
    out[i] = position % lengths[i];
    position /= lengths[i];
  }
  return out;
}

Values chunk_of(const Grid& grid, const Lengths& chunk) {
  Values values;
  auto lengths = grid.chunks;
  if (grid.order == 'F') std::reverse(lengths.begin(), lengths.end());
  for (std::uint64_t n = 0; n < product(lengths); ++n) {
    auto inside = indices(n, lengths);
    if (grid.order == 'F') std::reverse(inside.begin(), inside.end());
    std::uint64_t value = 0;
    bool padding = false;
    for (std::size_t i = 0; i < chunk.size(); ++i) {
      const auto at = chunk[i] * grid.chunks[i] + inside[i];
      padding = padding || at >= grid.shape[i];
      value = value * grid.shape[i] + at;
    }
    values.push_back(padding ? -9 : static_cast<std::int32_t>(value));
  }
  return values;
}

MemoryStore store_of(const Grid& grid) {
  MemoryStore store;
  const nlohmann::json meta = {
      {"zarr_format", 2},    {"compressor", nullptr},
      {"filters", nullptr},  {"fill_value", -1},
      {"dtype", "<i4"},      {"order", std::string(1, grid.order)},
      {"shape", grid.shape}, {"chunks", grid.chunks}};
  store.text("g/.zarray", meta.dump());
  const auto counts = grid.counts();
  for (std::uint64_t n = 0; n < product(counts); ++n) {
    std::string key = "g/";
    const auto chunk = indices(n, counts);
    for (std::size_t i = 0; i < chunk.size(); ++i) {
      key += (i == 0 ? "" : ".") + std::to_string(chunk[i]);
    }
    const auto values = chunk_of(grid, chunk);
    store.put(key, std::as_bytes(std::span(values)));
  }
  return store;
}

struct Got {
  Values values;
  std::size_t rounds = 0;
  Keys chunks;
};

Got read(const MemoryStore& store, Rows rows, Engine* engine = nullptr) {
  Engine fresh;
  auto& used = engine == nullptr ? fresh : *engine;
  const auto query = used.rows(std::move(rows));
  auto all = run(used, *query, store);
  all.keys.erase("g/.zarray");
  return {all.values<std::int32_t>(""), all.rounds, all.keys};
}

Rows list_of(std::vector<std::int64_t> rows) {
  Rows out{"g"};
  out.indices = std::move(rows);
  return out;
}

/// Rows of a grid, from its definition.
Values plainly(const Grid& grid, const std::vector<std::int64_t>& rows) {
  const auto inner = static_cast<std::int32_t>(product(grid.shape) / grid.shape[0]);
  Values out;
  for (const auto row : rows) {
    for (std::int32_t i = 0; i < inner; ++i) {
      out.push_back(static_cast<std::int32_t>(row) * inner + i);
    }
  }
  return out;
}

Errc code_of(const MemoryStore& store, Rows rows, Engine& engine) {
  try {
    read(store, std::move(rows), &engine);
  } catch (const Error& error) {
    return error.code();
  }
  return Errc::internal;
}

const Grid kGrid{{10, 4}, {3, 2}};

}  // namespace

TEST_SUITE("store/grid_reader") {
  TEST_CASE("a list with repeats requests each chunk once, in one round") {
    const auto store = store_of(kGrid);
    const std::vector<std::int64_t> rows{9, 0, 9, 1, 0, 0, 9};
    const auto got = read(store, list_of(rows));
    CHECK(got.values == plainly(kGrid, rows));
    CHECK(got.rounds == 2);  // metadata, chunks
    CHECK(got.chunks == Keys{"g/0.0", "g/0.1", "g/3.0", "g/3.1"});
  }

  TEST_CASE("a repeated query takes no round") {
    const auto store = store_of(kGrid);
    Engine engine;
    read(store, list_of({4, 4, 5}), &engine);
    const auto again = read(store, list_of({5, 4}), &engine);
    CHECK(again.rounds == 0);
    CHECK(again.values == plainly(kGrid, {5, 4}));
  }

  TEST_CASE("ranges around the chunks' edges read only their chunks") {
    const auto store = store_of(kGrid);
    for (std::int64_t begin = 0; begin <= 10; ++begin) {
      for (std::int64_t end = begin; end <= 10; ++end) {
        CAPTURE(begin);
        CAPTURE(end);
        std::vector<std::int64_t> rows;
        Keys chunks;
        for (auto row = begin; row < end; ++row) {
          rows.push_back(row);
          for (const auto* column : {".0", ".1"}) {
            chunks.insert("g/" + std::to_string(row / 3) + column);
          }
        }
        const auto got = read(store, {"g", begin, end});
        REQUIRE(got.values == plainly(kGrid, rows));
        REQUIRE(got.chunks == chunks);
      }
    }
  }

  TEST_CASE("negative steps reverse the rows across chunks") {
    const auto store = store_of(kGrid);
    for (const std::int64_t step : {-1, -2, -3, -4, -9, -100}) {
      CAPTURE(step);
      std::vector<std::int64_t> rows;
      for (std::int64_t row = 9; row >= 0; row += step) rows.push_back(row);
      Rows all{"g"};
      all.step = step;
      CHECK(read(store, all).values == plainly(kGrid, rows));
    }
    CHECK(read(store, {"g", 6, 5, -1}).values == plainly(kGrid, {6}));
    CHECK(read(store, {"g", 0, -1, -1}).values == plainly(kGrid, {0}));
    CHECK(read(store, {"g", 5, 5, -1}).values.empty());
  }

  TEST_CASE("random lists and steps of arrays of any order equal a plain loop") {
    Random random(31);
    for (int i = 0; i < 120; ++i) {
      Grid grid;
      grid.order = i % 2 == 0 ? 'C' : 'F';
      for (std::size_t axes = 2 + random.below(3); grid.shape.size() < axes;) {
        grid.shape.push_back(1 + random.below(7));
        grid.chunks.push_back(1 + random.below(8));
      }
      const auto store = store_of(grid);
      const auto length = static_cast<std::int64_t>(grid.shape[0]);
      std::vector<std::int64_t> rows(random.below(12));
      for (auto& row : rows) {
        row = static_cast<std::int64_t>(
            random.below(static_cast<std::size_t>(grid.shape[0])));
      }
      CAPTURE(i);
      REQUIRE(read(store, list_of(rows)).values == plainly(grid, rows));
      const auto step = static_cast<std::int64_t>(1 + random.below(4));
      rows.clear();
      for (std::int64_t row = 0; row < length; row += step) rows.push_back(row);
      REQUIRE(read(store, {"g", 0, length, step}).values == plainly(grid, rows));
    }
  }

  TEST_CASE("a box with steps in both directions equals a plain loop") {
    const Grid grid{{7, 5, 3}, {2, 3, 2}, 'F'};
    const auto store = store_of(grid);
    for (const std::int64_t step : {1, 2, -1, -2, -7}) {
      Rows rows{"g"};
      rows.axes = {{{}, {}, step}, {1, 4, 2}, {{}, {}, -1}};
      Values expected;
      for (std::int64_t i = step > 0 ? 0 : 6; i >= 0 && i < 7; i += step) {
        for (const int j : {1, 3}) {
          for (const int k : {2, 1, 0}) {
            expected.push_back(static_cast<std::int32_t>(i) * 15 + j * 3 + k);
          }
        }
      }
      CAPTURE(step);
      CHECK(read(store, rows).values == expected);
    }
  }

  TEST_CASE("a box requests its chunks in one round, each once") {
    const auto store = store_of(kGrid);
    Rows rows{"g"};
    rows.axes = {{8, 1, -3}, {2, 4}};  // rows 8, 5, 2
    const auto got = read(store, rows);
    CHECK(got.values == Values{34, 35, 22, 23, 10, 11});
    CHECK(got.rounds == 2);
    CHECK(got.chunks == Keys{"g/0.1", "g/1.1", "g/2.1"});
  }

  TEST_CASE("empty selections request no chunk") {
    const auto store = store_of(kGrid);
    for (auto rows : {Rows{"g", 10, 10}, list_of({}), Rows{"g", 3, 3, -1}}) {
      const auto got = read(store, std::move(rows));
      CHECK(got.values.empty());
      CHECK(got.chunks.empty());
    }
    Rows box{"g"};
    box.axes = {{5, 5}, {}};
    CHECK(read(store, box).chunks.empty());
  }

  TEST_CASE("absent chunks read as fill in their part only") {
    auto store = store_of(kGrid);
    store.objects.erase("g/1.0");
    Engine engine;
    CHECK(read(store, {"g", 2, 5}, &engine).values ==
          Values{8, 9, 10, 11, -1, -1, 14, 15, -1, -1, 18, 19});
    CHECK(engine.absent_chunks() == std::vector<std::string>{"g/1.0"});
    CHECK(read(store, list_of({5, 5, 0}), &engine).values ==
          Values{-1, -1, 22, 23, -1, -1, 22, 23, 0, 1, 2, 3});
  }

  TEST_CASE("absent chunks are refused with Missing::error, by name") {
    auto store = store_of(kGrid);
    store.objects.erase("g/1.0");
    Engine engine(Engine::kByteBudget, bev::store::Missing::error);
    CHECK_THROWS_WITH_AS(read(store, {"g", 4, 5}, &engine),
                         "g/1.0: missing from the store (expected every chunk of g)",
                         Error);
    CHECK(read(store, {"g", 0, 3}, &engine).values == plainly(kGrid, {0, 1, 2}));
  }

  TEST_CASE("a damaged chunk is remembered and not requested again") {
    auto store = store_of(kGrid);
    store.objects.at("g/2.1").pop_back();
    Engine engine;
    CHECK(code_of(store, {"g", 6, 7}, engine) == Errc::corrupt_chunk);
    store = store_of(kGrid);
    CHECK(code_of(store, {"g", 8, 9}, engine) == Errc::corrupt_chunk);
    CHECK(read(store, {"g", 0, 6}, &engine).values ==
          plainly(kGrid, {0, 1, 2, 3, 4, 5}));
    CHECK(engine.forget_failures("g/2.1") == std::vector<std::string>{"g/2.1"});
    const auto got = read(store, {"g", 8, 9}, &engine);
    CHECK(got.values == plainly(kGrid, {8}));
    CHECK(got.chunks == Keys{"g/2.1"});
  }

  TEST_CASE("the budget must hold the chunks of one selection, not of the array") {
    const auto store = store_of(kGrid);
    constexpr std::size_t kChunk = 24;
    Engine engine(4 * kChunk);
    for (std::int64_t row = 0; row < 10; ++row) {
      CHECK(read(store, list_of({row, 9 - row}), &engine).values ==
            plainly(kGrid, {row, 9 - row}));
      CHECK(engine.cache().bytes_held <= 4 * kChunk);
    }
    CHECK(engine.cache().evictions > 0);
    CHECK(code_of(store, {"g", 0, 9}, engine) == Errc::out_of_memory);
    CHECK(read(store, {"g", 3, 6}, &engine).values == plainly(kGrid, {3, 4, 5}));
  }

  TEST_CASE("rows across too many chunks are refused before any request") {
    MemoryStore store;
    store.text("g/.zarray",
               R"({"zarr_format": 2, "compressor": null, "filters": null,
      "fill_value": 0, "dtype": "|i1", "order": "C", "shape": [2, 1048577],
      "chunks": [1, 1]})");
    Engine engine;
    const auto query = engine.rows({"g", 0, 1});
    for (const auto& request : query->missing()) store.answer(engine, request);
    CHECK_THROWS_WITH_AS(query->missing(),
                         "g: too many chunks per row (expected at most 1048576)",
                         Error);
  }

  TEST_CASE("fields of records are split out of grid chunks") {
    MemoryStore store;
    store.text("g/.zarray",
               R"({"zarr_format": 2, "compressor": null, "filters": null,
      "fill_value": null, "order": "C", "shape": [3, 2], "chunks": [2, 2],
      "dtype": [["a", "<i4"], ["b", "|u1"], ["c", "<i4"]]})");
    bev::test::Packed packed;
    for (std::int32_t i = 0; i < 4; ++i) {
      packed.add(i).add(static_cast<std::uint8_t>(100 + i)).add(-i);
    }
    store.put("g/0.0", packed.bytes());
    Engine engine;
    Rows rows{"g", 1, 3};
    rows.fields = {"c", "b"};
    const auto query = engine.rows(rows);
    const auto got = run(engine, *query, store);
    CHECK(got.values<std::int32_t>("c") == Values{-2, -3, 0, 0});
    CHECK(got.values<std::uint8_t>("b") == std::vector<std::uint8_t>{102, 103, 0, 0});
    CHECK(got["c"].shape == std::vector<std::size_t>{2, 2});
  }
}

}  // namespace grid_reader_test
