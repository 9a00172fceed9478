#include "native/town/random.hpp"

#include <doctest/doctest.h>

#include <cmath>

using bev::town::Random;

TEST_SUITE("town/random") {
  TEST_CASE("a seed and a stream are one sequence, on every machine") {
    Random random(7), same(7), other_stream(7, 1), other_seed(8);
    const auto first = random.bits();
    CHECK(first == 0x4f9136da37ddae4b);
    CHECK(same.bits() == first);
    CHECK(other_stream.bits() != first);
    CHECK(other_seed.bits() != first);
    CHECK(random.bits() != first);
  }

  TEST_CASE("numbers stay within their bounds") {
    Random random(1);
    for (int i = 0; i < 10000; ++i) {
      const double unit = random.unit(), between = random.between(-3, 5);
      REQUIRE(unit >= 0);
      REQUIRE(unit < 1);
      REQUIRE(between >= -3);
      REQUIRE(between < 5);
      const int index = random.index(6);
      REQUIRE(index >= 0);
      REQUIRE(index < 6);
    }
  }

  TEST_CASE("normal() has mean 0 and variance 1, chance() its probability") {
    Random random(3);
    double sum = 0, squares = 0;
    int hits = 0;
    constexpr int kDraws = 40000;
    for (int i = 0; i < kDraws; ++i) {
      const double value = random.normal();
      sum += value;
      squares += value * value;
      hits += random.chance(0.3) ? 1 : 0;
    }
    CHECK(std::fabs(sum / kDraws) < 0.02);
    CHECK(std::fabs(squares / kDraws - 1) < 0.03);
    CHECK(std::fabs(static_cast<double>(hits) / kDraws - 0.3) < 0.01);
  }
}
