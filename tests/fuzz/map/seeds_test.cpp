#include <doctest/doctest.h>

#include <random>

#include "core/map/semantic_map.hpp"
#include "tests/fuzz/map/target.hpp"
#include "tests/support/small_map.hpp"

using bev::test::map_seeds;
using bev::test::map_target;
using bev::test::Seed;

namespace {

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

}  // namespace

TEST_SUITE("fuzz/map") {
  TEST_CASE("the seeds are maps, but for the one that is a meta.json") {
    for (const Seed& seed : map_seeds()) {
      CAPTURE(seed.name);
      if (seed.name == "meta") {
        CHECK_NOTHROW(bev::map::parse_meta(seed.bytes));
      } else {
        CHECK_NOTHROW(bev::map::SemanticMap::parse(bytes_of(seed.bytes),
                                                   bev::test::equator_meta()));
      }
    }
  }

  TEST_CASE("the properties hold for every seed, whole and cut anywhere") {
    for (const Seed& seed : map_seeds()) {
      CAPTURE(seed.name);
      for (std::size_t size = 0; size <= seed.bytes.size(); ++size) {
        CAPTURE(size);
        CHECK_NOTHROW(map_target(bytes_of(seed.bytes).first(size)));
      }
    }
  }

  TEST_CASE("the properties hold for seeds with wrong bytes in them") {
    std::mt19937 random(11);
    for (const Seed& seed : map_seeds()) {
      CAPTURE(seed.name);
      for (int round = 0; round < 400; ++round) {
        CAPTURE(round);
        std::string bytes = seed.bytes;
        const auto flips = 1 + random() % 3;
        for (std::uint32_t i = 0; i < flips && !bytes.empty(); ++i) {
          bytes[random() % bytes.size()] = static_cast<char>(random() % 256);
        }
        REQUIRE_NOTHROW(map_target(bytes_of(bytes)));
      }
    }
  }
}
