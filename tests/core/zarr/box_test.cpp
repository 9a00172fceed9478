#include "core/zarr/box.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "tests/support/records.hpp"

namespace box_test {

using bev::Errc;
using bev::Error;
using bev::test::Random;
using namespace bev::zarr;

namespace {

using Lengths = std::vector<std::uint64_t>;

// Rows [begin, end) of an array.
struct Rows {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

Box box_of(const ArrayMeta& meta, Rows rows) {
  Box box = whole_box(meta);
  if (!box.empty()) box[0] = {rows.begin, rows.end - rows.begin};
  return box;
}

std::vector<ChunkIndex> chunks_of_rows(const ArrayMeta& meta, Rows rows) {
  return chunks_of_box(meta, box_of(meta, rows));
}

std::size_t size_of(std::uint64_t count) {
  return static_cast<std::size_t>(count);
}

ArrayMeta make(Lengths shape, Lengths chunks, char order, const char* dtype = "<u2") {
  ArrayMeta meta;
  meta.shape = std::move(shape);
  meta.chunks = std::move(chunks);
  meta.order = order;
  meta.dtype = parse_dtype(nlohmann::json(dtype), "a");
  meta.fill.assign(meta.dtype.size(), std::byte{0xee});
  return meta;
}

// Returns an element's position in its chunk, by the definition of the orders.
std::uint64_t place_in_chunk(const ArrayMeta& meta, const Lengths& at) {
  std::uint64_t place = 0;
  const std::size_t axes = at.size();
  for (std::size_t i = 0; i < axes; ++i) {
    const std::size_t axis = meta.order == 'C' ? i : axes - 1 - i;
    place = place * meta.chunks[axis] + at[axis] % meta.chunks[axis];
  }
  return place;
}

std::vector<std::byte> plainly(const ArrayMeta& meta,
                               const std::vector<std::vector<std::byte>>& chunks,
                               Rows rows) {
  const std::size_t item = meta.dtype.size();
  std::vector<std::byte> out;
  Lengths at(meta.shape.size(), 0);
  std::uint64_t count = rows.end - rows.begin;
  for (std::size_t i = 1; i < at.size(); ++i) count *= meta.shape[i];
  for (std::uint64_t n = 0; n < count; ++n) {
    std::uint64_t rest = n;
    for (std::size_t i = at.size(); i-- > 0;) {
      const std::uint64_t length = i == 0 ? count : meta.shape[i];
      at[i] = rest % length + (i == 0 ? rows.begin : 0);
      rest /= length;
    }
    std::uint64_t chunk = 0;
    for (std::size_t i = 0; i < at.size(); ++i) {
      chunk =
          chunk * ((meta.shape[i] - 1) / meta.chunks[i] + 1) + at[i] / meta.chunks[i];
    }
    const std::byte* from =
        chunks[size_of(chunk)].data() + size_of(place_in_chunk(meta, at)) * item;
    out.insert(out.end(), from, from + item);
  }
  return out;
}

std::uint64_t number_of(const ArrayMeta& meta, const ChunkIndex& index) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < index.size(); ++i) {
    number = number * ((meta.shape[i] - 1) / meta.chunks[i] + 1) + index[i];
  }
  return number;
}

std::vector<std::byte> by_boxes(const ArrayMeta& meta,
                                const std::vector<std::vector<std::byte>>& chunks,
                                Rows rows) {
  std::vector<std::byte> out(size_of(rows.end - rows.begin) * row_bytes(meta));
  for (const ChunkIndex& index : chunks_of_rows(meta, rows)) {
    copy_box(meta, index, chunks[size_of(number_of(meta, index))], box_of(meta, rows),
             out);
  }
  return out;
}

AxisRange any_range(Random& random, std::uint64_t length) {
  AxisRange range;
  range.first = random.below(size_of(length));
  range.step = 1 + random.below(4);
  range.count = random.below(size_of((length - 1 - range.first) / range.step) + 2);
  range.falling = random.below(2) == 0;
  return range;
}

// Copies each element of the box by itself, from the whole array.
std::vector<std::byte> box_plainly(const ArrayMeta& meta,
                                   const std::vector<std::byte>& array,
                                   const Box& box) {
  const std::size_t item = meta.dtype.size();
  std::uint64_t count = 1;
  for (const auto& range : box) count *= range.count;
  std::vector<std::byte> out;
  for (std::uint64_t n = 0; n < count; ++n) {
    std::uint64_t rest = n;
    std::uint64_t place = 0;
    std::uint64_t stride = 1;
    for (std::size_t i = box.size(); i-- > 0;) {
      const auto& range = box[i];
      const auto at = rest % range.count;
      const auto position = range.falling ? range.count - 1 - at : at;
      place += (range.first + position * range.step) * stride;
      stride *= meta.shape[i];
      rest /= range.count;
    }
    const std::byte* from = array.data() + size_of(place) * item;
    out.insert(out.end(), from, from + item);
  }
  return out;
}

struct StoredArray {
  ArrayMeta meta;
  std::vector<std::vector<std::byte>> chunks;

  explicit StoredArray(Random& random, char order) {
    Lengths shape;
    Lengths lengths;
    std::uint64_t count = 1;
    for (std::size_t axes = 1 + random.below(4); shape.size() < axes;) {
      shape.push_back(1 + random.below(6));
      lengths.push_back(1 + random.below(7));
      count *= (shape.back() - 1) / lengths.back() + 1;
    }
    meta = make(shape, lengths, order);
    chunks.resize(size_of(count));
    for (auto& chunk : chunks) chunk = random.bytes(meta.chunk_bytes());
  }

  Rows rows() const { return {0, meta.shape[0]}; }
};

}  // namespace

TEST_SUITE("zarr/box") {
  TEST_CASE("any rows of any array, C and F order") {
    Random random(11);
    for (int i = 0; i < 400; ++i) {
      const StoredArray array(random, i % 2 == 0 ? 'C' : 'F');
      const auto length = array.meta.shape[0];
      const std::uint64_t begin = random.below(size_of(length) + 1);
      const Rows rows{begin, begin + random.below(size_of(length - begin) + 1)};
      if (by_boxes(array.meta, array.chunks, rows) !=
          plainly(array.meta, array.chunks, rows))
        FAIL("case " << i);
    }
  }

  TEST_CASE("any box of any array, C and F order") {
    Random random(12);
    for (int i = 0; i < 1000; ++i) {
      const StoredArray array(random, i % 2 == 0 ? 'C' : 'F');
      Box box;
      for (const auto length : array.meta.shape) {
        box.push_back(any_range(random, length));
      }
      const auto all = plainly(array.meta, array.chunks, array.rows());
      const auto expected = box_plainly(array.meta, all, box);
      std::vector<std::byte> out(expected.size());
      for (const ChunkIndex& index : chunks_of_box(array.meta, box)) {
        const auto& chunk = array.chunks[size_of(number_of(array.meta, index))];
        copy_box(array.meta, index, chunk, box, out);
      }
      if (out != expected) FAIL("case " << i);
    }
  }

  TEST_CASE("chunks between the elements of a box are skipped") {
    const ArrayMeta meta = make({20, 9}, {2, 3}, 'C');
    CHECK(chunks_of_box(meta, {{1, 3, 8}, {7, 1}}) ==
          std::vector<ChunkIndex>{{0, 2}, {4, 2}, {8, 2}});
    CHECK(chunks_of_box(meta, {{5, 3, 1, true}, {0, 2, 4}}) ==
          std::vector<ChunkIndex>{{2, 0}, {2, 1}, {3, 0}, {3, 1}});
    CHECK(chunks_of_box(meta, {{0, 0}, {0, 9}}).empty());
  }

  TEST_CASE("the part of a box in an absent chunk becomes the fill value") {
    const ArrayMeta meta = make({4, 4}, {2, 2}, 'C');
    std::vector<std::byte> out(2 * 2 * 2);
    fill_box(meta, {1, 0}, {{1, 2, 2, true}, {0, 2, 2}}, out);
    // Rows 3 and 1, columns 0 and 2: the chunk overlaps row 3, column 0.
    for (std::size_t i = 0; i < out.size(); ++i) {
      CHECK(out[i] == (i < 2 ? std::byte{0xee} : std::byte{0}));
    }
  }

  TEST_CASE("boxes outside the array are refused") {
    constexpr auto kMax = ~std::uint64_t{0};
    const ArrayMeta meta = make({10, 3}, {4, 3}, 'C');
    CHECK_NOTHROW(chunks_of_box(meta, {{1, 3, 4}, {2, 1, kMax}}));
    for (const AxisRange range :
         {AxisRange{1, 4, 4}, AxisRange{10, 1}, AxisRange{0, 11}, AxisRange{0, 1, 0},
          AxisRange{9, 2, kMax}, AxisRange{kMax, 1}, AxisRange{0, kMax, kMax}}) {
      CHECK_THROWS_AS(chunks_of_box(meta, {range, {0, 3}}), Error);
    }
    CHECK_THROWS_AS(chunks_of_box(meta, {{0, 1}}), Error);
    std::vector<std::byte> out(4);
    const std::vector<std::byte> chunk(meta.chunk_bytes());
    CHECK_THROWS_AS(copy_box(meta, {0, 0}, chunk, {{0, 1}, {0, 3}}, out), Error);
  }

  TEST_CASE("an absent chunk fills only its part of the output") {
    const ArrayMeta meta = make({3, 5}, {2, 3}, 'F');
    std::vector<std::byte> out(3 * 5 * 2);
    fill_box(meta, {1, 1}, whole_box(meta), out);
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::size_t row = i / 10;
      const std::size_t column = i % 10 / 2;
      CHECK(out[i] == (row == 2 && column >= 3 ? std::byte{0xee} : std::byte{0}));
    }
  }

  TEST_CASE("an absent row repeats the fill value of its elements") {
    ArrayMeta meta = make({4, 3}, {2, 3}, 'C');
    meta.fill = {std::byte{1}, std::byte{2}};
    const auto rows = by_row(meta);
    REQUIRE(rows);
    std::vector<std::byte> out(4 * 3 * 2);
    fill_box(*rows, {1}, whole_box(*rows), out);
    for (std::size_t i = 0; i < out.size(); ++i) {
      CHECK(out[i] == static_cast<std::byte>(i < 12 ? 0 : 1 + i % 2));
    }
  }

  TEST_CASE("only the chunks of the rows are listed") {
    const ArrayMeta meta = make({10, 5}, {4, 3}, 'C');
    CHECK(chunks_of_rows(meta, {4, 9}) ==
          std::vector<ChunkIndex>{{1, 0}, {1, 1}, {2, 0}, {2, 1}});
    CHECK(chunks_of_rows(meta, {4, 8}).size() == 2);
    CHECK(chunks_of_rows(meta, {4, 4}).empty());
  }

  TEST_CASE("an array without axes has one row, in one chunk") {
    const ArrayMeta meta = make({}, {}, 'C');
    CHECK(row_bytes(meta) == 2);
    CHECK(chunks_of_rows(meta, {0, 1}) == std::vector<ChunkIndex>{{}});
    const auto chunk = bev::test::Packed().add(std::uint16_t{513}).bytes();
    std::vector<std::byte> out(2);
    copy_box(meta, {}, chunk, {}, out);
    CHECK(out == chunk);
  }

  TEST_CASE("an axis of length 0 has no chunks") {
    CHECK(chunks_of_rows(make({0}, {5}, 'C'), {0, 0}).empty());
    CHECK(chunks_of_rows(make({3, 0}, {2, 1}, 'C'), {0, 3}).empty());
  }

  TEST_CASE("indices and sizes outside the array are refused") {
    const ArrayMeta meta = make({10}, {4}, 'C');
    std::vector<std::byte> chunk(8);
    std::vector<std::byte> out(20);
    const Box all = whole_box(meta);
    CHECK_THROWS_WITH_AS(chunks_of_rows(meta, {0, 11}),
                         "box: axis 0: range is outside the array", Error);
    CHECK_THROWS_AS(copy_box(meta, {3}, chunk, all, out), Error);
    CHECK_THROWS_AS(copy_box(meta, {0, 0}, chunk, all, out), Error);
    CHECK_THROWS_AS(copy_box(meta, {0}, std::span(chunk).first(7), all, out), Error);
    CHECK_THROWS_AS(copy_box(meta, {0}, chunk, {{0, 9}}, out), Error);
    CHECK_THROWS_AS(fill_box(meta, {0}, box_of(meta, {5, 4}), out), Error);
  }

  TEST_CASE("the number of chunks and the row size are bounded") {
    try {
      chunks_of_rows(make({1, 1 << 30}, {1, 1}, 'C'), {0, 1});
      FAIL("listed");
    } catch (const Error& error) {
      CHECK(error.code() == Errc::limit_exceeded);
    }
    const Lengths huge{1, std::uint64_t{1} << 40, std::uint64_t{1} << 30};
    CHECK_THROWS_AS(row_bytes(make(huge, huge, 'C')), Error);
  }
}

}  // namespace box_test
