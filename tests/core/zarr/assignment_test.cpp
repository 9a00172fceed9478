#include "core/zarr/assignment.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/records.hpp"

namespace assignment_test {

using bev::Errc;
using bev::test::error_code;
using bev::test::Random;
using namespace bev::zarr;

namespace {

using Bytes = std::vector<std::byte>;
using Lengths = std::vector<std::uint64_t>;

constexpr std::size_t kItem = 6;

/// An array of records {a: <u2, b: <u4} with these axes.
ArrayMeta make(Lengths shape, Lengths chunks, char order) {
  ArrayMeta meta;
  meta.shape = std::move(shape);
  meta.chunks = std::move(chunks);
  meta.order = order;
  meta.dtype = parse_dtype(nlohmann::json::array({nlohmann::json::array({"a", "<u2"}),
                                                  nlohmann::json::array({"b", "<u4"})}),
                           "test");
  meta.fill.assign(kItem, std::byte{0xee});
  return meta;
}

/// All elements in C order, of chunks by index.
Bytes joined(const ArrayMeta& meta, const std::map<ChunkIndex, Bytes>& chunks) {
  const auto whole = whole_box(meta);
  Bytes out(static_cast<std::size_t>(count_of(whole)) * kItem);
  for (const auto& chunk : chunks_of_box(meta, whole)) {
    copy_box(meta, chunk, chunks.at(chunk), whole, out);
  }
  return out;
}

std::map<ChunkIndex, Bytes> filled(const ArrayMeta& meta) {
  std::map<ChunkIndex, Bytes> out;
  for (const auto& chunk : chunks_of_box(meta, whole_box(meta))) {
    out[chunk] = fill_chunk(meta);
  }
  return out;
}

AxisRange random_range(Random& random, std::uint64_t length) {
  if (length == 0) return {0, 0};
  const std::uint64_t first = random.below(static_cast<std::size_t>(length));
  const std::uint64_t step = 1 + random.below(3);
  const auto most = (length - 1 - first) / step + 1;
  return {first, random.below(static_cast<std::size_t>(most) + 1), step,
          random.below(2) == 0};
}

/// The places in C order of the elements of a target.
std::vector<std::size_t> places(const ArrayMeta& meta, const Target& target) {
  std::vector<std::size_t> out{0};
  for (std::size_t axis = 0; axis < meta.shape.size(); ++axis) {
    std::vector<std::size_t> next;
    const auto& range = target.box[axis];
    const bool by_rows = axis == 0 && target.by_rows;
    const auto count = by_rows ? target.rows.size() : range.count;
    for (const auto before : out) {
      for (std::uint64_t i = 0; i < count; ++i) {
        const auto n = range.falling && !by_rows ? count - 1 - i : i;
        const auto at = by_rows ? target.rows[static_cast<std::size_t>(i)]
                                : range.first + n * range.step;
        next.push_back(before * static_cast<std::size_t>(meta.shape[axis]) +
                       static_cast<std::size_t>(at));
      }
    }
    out = std::move(next);
  }
  return out;
}

Target random_target(Random& random, const ArrayMeta& meta) {
  Target target;
  for (const auto length : meta.shape)
    target.box.push_back(random_range(random, length));
  target.by_rows = !meta.shape.empty() && random.below(3) == 0;
  if (!target.by_rows) return target;
  const auto length = static_cast<std::size_t>(meta.shape.front());
  for (std::size_t n = length == 0 ? 0 : random.below(12); n > 0; --n) {
    target.rows.push_back(random.below(length));
  }
  return target;
}

}  // namespace

TEST_SUITE("zarr/assignment") {
  TEST_CASE("equals assigning element by element, for any target, field and order") {
    Random random(7);
    int replaced = 0;
    for (int round = 0; round < 1500; ++round) {
      Lengths shape, chunks;
      for (std::size_t axes = random.below(4); axes > 0; --axes) {
        shape.push_back(random.below(9));
        chunks.push_back(1 + random.below(5));
      }
      const auto meta = make(shape, chunks, random.below(2) == 0 ? 'C' : 'F');
      auto stored = filled(meta);
      for (auto& [index, chunk] : stored) chunk = random.bytes(chunk.size());
      auto expected = joined(meta, stored);

      const auto target = random_target(random, meta);
      const ElementPart part =
          std::vector<ElementPart>{{0, 6}, {0, 2}, {2, 4}}[random.below(3)];
      const auto at = places(meta, target);
      const auto bytes = random.bytes(at.size() * part.size);
      std::vector<std::uint8_t> where;
      if (!target.by_rows && random.below(2) == 0) {
        for (std::size_t i = 0; i < at.size(); ++i)
          where.push_back(random.below(2) == 0);
      }
      for (std::size_t i = 0; i < at.size(); ++i) {
        if (!where.empty() && where[i] == 0) continue;
        std::memcpy(expected.data() + at[i] * kItem + part.offset,
                    bytes.data() + i * part.size, part.size);
      }

      const Assignment assignment(target, {{part, bytes, where}});
      auto untouched = stored;
      for (const auto& chunk : assignment.chunks(meta)) {
        untouched.erase(chunk);
        auto& elements = stored.at(chunk);
        if (assignment.replaces(meta, chunk)) {
          ++replaced;
          elements = fill_chunk(meta);
        }
        assignment.apply(meta, chunk, elements);
      }
      REQUIRE((joined(meta, stored) == expected));
      for (const auto& [index, chunk] : untouched) REQUIRE((stored.at(index) == chunk));
    }
    CHECK(replaced > 50);
  }

  TEST_CASE("parts that together are whole elements replace a chunk") {
    const auto meta = make({4}, {4}, 'C');
    const Bytes a(8), b(16);
    const auto covers = [&](std::vector<BoxValues> values) {
      return Assignment({{{0, 4}}}, std::move(values)).replaces(meta, {0});
    };
    CHECK(covers({{{2, 4}, b, {}}, {{0, 2}, a, {}}}));
    CHECK_FALSE(covers({{{0, 2}, a, {}}}));
    CHECK_FALSE(covers({{{2, 4}, b, {}}}));
    const std::vector<std::uint8_t> where(4, 1);
    CHECK_FALSE(covers({{{0, 2}, a, where}, {{2, 4}, b, {}}}));
  }

  TEST_CASE("values and targets that do not fit are refused") {
    const auto meta = make({4, 2}, {2, 2}, 'C');
    const Bytes values(2 * 2 * kItem);
    const auto apply = [&](Target target, ElementPart part, std::size_t size,
                           std::vector<std::uint8_t> where = {}) {
      return error_code([&] {
        const Assignment assignment(std::move(target),
                                    {{part, std::span(values).first(size), where}});
        for (const auto& chunk : assignment.chunks(meta)) {
          auto elements = fill_chunk(meta);
          assignment.apply(meta, chunk, elements);
        }
      });
    };
    const Box two{{0, 2}, {0, 2}};
    CHECK(apply({two}, {0, kItem}, 4 * kItem) == std::nullopt);
    CHECK(apply({two}, {0, kItem}, 4 * kItem - 1) == Errc::invalid_argument);
    CHECK(apply({two}, {4, 4}, 16) == Errc::invalid_argument);
    CHECK(apply({two}, {7, 0}, 0) == Errc::invalid_argument);
    CHECK(apply({two}, {0, kItem}, 4 * kItem, {1, 1}) == Errc::invalid_argument);
    CHECK(apply({{{3, 2}, {0, 2}}}, {0, kItem}, 4 * kItem) == Errc::invalid_argument);
    CHECK(apply({{{0, 2}}}, {0, kItem}, 2 * kItem) == Errc::invalid_argument);
    CHECK(apply({two, {0, 3}, true}, {0, kItem}, 4 * kItem) == std::nullopt);
    CHECK(apply({two, {0, 4}, true}, {0, kItem}, 4 * kItem) == Errc::out_of_range);
    CHECK(apply({two, {0, 3}, true}, {0, kItem}, 3 * kItem) == Errc::invalid_argument);
    CHECK(apply({two, {0, 3}, true}, {0, kItem}, 4 * kItem, {1, 1, 1, 1}) ==
          Errc::invalid_argument);
    CHECK(apply({{}, {0}, true}, {0, kItem}, kItem) == Errc::invalid_argument);
  }
}

}  // namespace assignment_test
