#include "core/store/held_ranges.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "tests/support/records.hpp"

using bev::ByteRange;
using bev::store::HeldRanges;
using bev::store::merged;
using bev::store::Object;
using Ranges = std::vector<ByteRange>;

namespace {

/// Bytes 10 to 19 and 30 to 39; each byte's value is its offset. The second piece ends
/// the object.
HeldRanges two_pieces() {
  HeldRanges pieces;
  for (const std::uint64_t begin : {10U, 30U}) {
    std::vector<std::byte> bytes;
    for (auto at = begin; at < begin + 10; ++at) {
      bytes.push_back(static_cast<std::byte>(at));
    }
    pieces.add(begin, std::make_shared<const Object>(
                          Object{std::move(bytes), false, true, begin == 30}));
  }
  return pieces;
}

}  // namespace

TEST_SUITE("store/held_ranges") {
  TEST_CASE("holes equal those of a plain loop") {
    const auto pieces = two_pieces();
    for (std::uint64_t begin = 0; begin <= 45; ++begin) {
      for (auto end = begin; end <= 45; ++end) {
        std::vector<bool> expected(46);
        for (auto at = begin; at < end; ++at) {
          expected[static_cast<std::size_t>(at)] =
              !(at >= 10 && at < 20) && !(at >= 30 && at < 40);
        }
        std::vector<bool> found(46);
        for (const auto hole : pieces.holes({begin, end})) {
          CHECK(hole.begin < hole.end);
          for (auto at = hole.begin; at < hole.end; ++at) {
            found[static_cast<std::size_t>(at)] = true;
          }
        }
        REQUIRE(found == expected);
      }
    }
  }

  TEST_CASE("ranges in memory are copied across pieces") {
    const auto pieces = two_pieces();
    std::vector<std::byte> out(4);
    pieces.copy({14, 18}, out.data());
    CHECK(out[0] == std::byte{14});
    CHECK(out[3] == std::byte{17});
    CHECK(pieces.within({0, 31}).size() == 2);
    CHECK(pieces.within({20, 30}).empty());
    CHECK(pieces.touches({19, 25}));
    CHECK_FALSE(pieces.touches({20, 30}));
    CHECK(pieces.end() == 40);
    CHECK_FALSE(HeldRanges().end().has_value());
  }

  TEST_CASE("a part has the pieces of a range, with relative offsets") {
    const auto pieces = two_pieces();
    const auto part = pieces.part({15, 35});
    CHECK(part.end() == 20);
    CHECK(part.holes({0, 20}) == Ranges{{5, 15}});
    std::vector<std::byte> out(5);
    part.copy({15, 20}, out.data());
    CHECK(out[0] == std::byte{30});
    CHECK(out[4] == std::byte{34});
    CHECK(part.part({1, 4}).holes({0, 3}).empty());
    CHECK(pieces.part({35, 50}).end() == 5);  // the object ends there
    CHECK(pieces.part({60, 70}).end() == 0);
    CHECK(pieces.part({22, 28}).empty());
  }

  TEST_CASE("sole finds the one piece that covers a range") {
    const auto pieces = two_pieces();
    const auto sole = pieces.sole({12, 17});
    REQUIRE(sole);
    CHECK(sole->bytes.size() == 5);
    CHECK(sole->bytes[0] == std::byte{12});
    CHECK(sole->owner->bytes.size() == 10);
    CHECK(pieces.part({11, 18}).sole({1, 7})->bytes[0] == std::byte{12});
    CHECK_FALSE(pieces.sole({5, 12}));
    CHECK_FALSE(pieces.sole({15, 25}));
    CHECK_FALSE(pieces.sole({40, 41}));
  }

  TEST_CASE("touching and overlapping ranges are merged") {
    CHECK(merged({{5, 9}, {0, 3}, {3, 4}, {6, 7}}) == Ranges{{0, 4}, {5, 9}});
    CHECK(merged({}).empty());
  }

  TEST_CASE("random pieces: parts, sole pieces and copies agree with the bytes") {
    bev::test::Random random(5);
    for (int i = 0; i < 200; ++i) {
      HeldRanges pieces;
      std::vector<int> bytes(100, -1);
      std::vector<std::size_t> piece_at(100, 0);
      std::size_t number = 0;
      for (std::size_t at = random.below(9); at < 100; at += random.below(9)) {
        const auto size = std::min<std::size_t>(100 - at, 1 + random.below(20));
        std::vector<std::byte> content(size);
        ++number;
        for (std::size_t k = 0; k < size; ++k) {
          content[k] = static_cast<std::byte>(at + k);
          bytes[at + k] = static_cast<int>(at + k);
          piece_at[at + k] = number;
        }
        pieces.add(at, std::make_shared<const Object>(
                           Object{std::move(content), false, true, false}));
        at += size;
      }
      const std::uint64_t begin = random.below(100);
      const std::uint64_t end =
          begin + 1 + random.below(static_cast<std::size_t>(100 - begin));
      const auto part = pieces.part({begin, end});
      bool covered = true;
      bool one = true;
      const auto first = static_cast<std::size_t>(begin);
      for (auto at = first; at < end; ++at) {
        covered = covered && bytes[at] >= 0;
        one = one && piece_at[at] == piece_at[first];
        const bool held = pieces.touches({at, at + 1});
        REQUIRE(held == (bytes[at] >= 0));
        REQUIRE(part.touches({at - begin, at - begin + 1}) == held);
      }
      REQUIRE(part.holes({0, end - begin}).empty() == covered);
      REQUIRE(pieces.sole({begin, end}).has_value() == (covered && one));
      if (!covered) continue;
      const auto all = part.all(static_cast<std::size_t>(end - begin));
      for (std::size_t k = 0; k < all.size(); ++k) {
        REQUIRE(all.span()[k] == static_cast<std::byte>(begin + k));
      }
    }
  }

  TEST_CASE("random ranges merge to the same bytes, without touching") {
    bev::test::Random random(6);
    for (int i = 0; i < 200; ++i) {
      std::vector<bool> expected(60);
      Ranges ranges;
      for (auto count = random.below(8); count > 0; --count) {
        const std::uint64_t begin = random.below(50);
        ranges.push_back({begin, begin + 1 + random.below(10)});
        for (auto at = static_cast<std::size_t>(begin); at < ranges.back().end; ++at) {
          expected[at] = true;
        }
      }
      std::vector<bool> found(60);
      std::uint64_t last = 0;
      for (const auto range : merged(ranges)) {
        REQUIRE((range.begin > last || last == 0));
        for (auto at = static_cast<std::size_t>(range.begin); at < range.end; ++at) {
          found[at] = true;
        }
        last = range.end;
      }
      REQUIRE(found == expected);
    }
  }

  TEST_CASE("no pieces cover nothing and know no end") {
    const HeldRanges none;
    CHECK(none.empty());
    CHECK(none.holes({3, 9}) == Ranges{{3, 9}});
    CHECK(none.holes({3, 3}).empty());
    CHECK_FALSE(none.end());
    CHECK_FALSE(none.sole({0, 1}));
    CHECK(none.within({0, 9}).empty());
    CHECK(none.part({2, 8}).end() == 6);
  }
}
