#include "core/sample/numpy_random.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using bev::sample::Generator;
using bev::sample::LegacyRandom;

// Expected values are from NumPy 1.24.
TEST_SUITE("sample/numpy_random") {
  TEST_CASE("the legacy generator gives NumPy's uniform numbers, to the bit") {
    LegacyRandom random(42);
    CHECK(random.uniform() == 0.3745401188473625);
    CHECK(random.uniform() == 0.9507143064099162);
    CHECK(random.uniform() == 0.7319939418114051);
    for (int i = 3; i < 999; ++i) random.uniform();
    CHECK(random.uniform() == 0.44600577295795574);
  }

  TEST_CASE("the generator's bits are those of default_rng") {
    Generator zero(0);
    CHECK(zero.next() == 11749869230777074271U);
    CHECK(zero.next() == 4976686463289251617U);
    Generator three(3);
    CHECK(three.next() == 1579948266424812280U);
    Generator large((std::uint64_t{1} << 40) + 7);
    CHECK(large.next() == 15307346044642009514U);
    CHECK(large.next() == 4709548916763817589U);
  }

  TEST_CASE("normal values are those of default_rng, the rare ones too") {
    struct Expected {
      std::uint64_t seed;
      double first, last, greatest, least, sum;
    };
    for (const auto& expected :
         {Expected{0, 0.1257302210933933, -0.49541294309578066, 4.731957688635529,
                   -4.494117040179167, -90.825077312059},
          Expected{3, 2.0409191213851825, -0.9907791535071947, 4.369477573047474,
                   -4.308423842333737, 74.28766527212771}}) {
      Generator random(expected.seed);
      double value = 0;
      double greatest = 0;
      double least = 0;
      double sum = 0;
      for (int i = 0; i < 100000; ++i) {
        value = random.normal();
        if (i == 0) CHECK(value == doctest::Approx(expected.first).epsilon(1e-13));
        greatest = std::max(greatest, value);
        least = std::min(least, value);
        sum += value;
      }
      CHECK(value == doctest::Approx(expected.last).epsilon(1e-13));
      CHECK(greatest == doctest::Approx(expected.greatest).epsilon(1e-13));
      CHECK(least == doctest::Approx(expected.least).epsilon(1e-13));
      CHECK(sum == doctest::Approx(expected.sum).epsilon(1e-9));
    }
  }
}
