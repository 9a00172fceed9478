#include "core/store/held_ranges.hpp"

#include <doctest/doctest.h>

using bev::store::ByteRange;
using bev::store::HeldRanges;
using bev::store::joined;
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
  TEST_CASE("holes are what a plain loop finds") {
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

  TEST_CASE("what is held can be copied, piece by piece") {
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

  TEST_CASE("a part is what is held of a range, counted from there") {
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

  TEST_CASE("a piece that holds all of a range is found, and no other") {
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

  TEST_CASE("ranges are joined where they touch or overlap") {
    CHECK(joined({{5, 9}, {0, 3}, {3, 4}, {6, 7}}) == Ranges{{0, 4}, {5, 9}});
    CHECK(joined({}).empty());
  }
}
