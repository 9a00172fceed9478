#include "core/sample/reference_order.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <string_view>
#include <vector>

namespace reference_order_test {

using bev::sample::argsort;
using bev::sample::PythonSet;
using Rows = std::vector<std::uint32_t>;
using Values = std::vector<std::uint64_t>;

namespace {

Rows sorted(std::string_view digits) {
  std::vector<double> keys;
  for (const char digit : digits) keys.push_back(digit - '0');
  Rows rows;
  argsort(keys, rows);
  return rows;
}

Values listed(const Values& values) {
  PythonSet set;
  for (const auto value : values) set.add(value);
  Values out;
  set.list(out);
  return out;
}

}  // namespace

// Expected values are from NumPy 1.24 and CPython 3.11.
TEST_SUITE("sample/reference_order") {
  TEST_CASE("up to 16 keys are sorted stably, 17 are not") {
    CHECK(sorted("") == Rows{});
    CHECK(sorted("3131221203131221") ==
          Rows{8, 1, 3, 6, 10, 12, 15, 4, 5, 7, 13, 14, 0, 2, 9, 11});
    CHECK(sorted("31312212031312213") ==
          Rows{8, 1, 3, 6, 15, 10, 12, 14, 4, 5, 7, 13, 0, 9, 2, 11, 16});
  }

  TEST_CASE("equal keys come as NumPy's quicksort leaves them") {
    CHECK(sorted("5850017624524247717067610188387365134814") ==
          Rows{19, 24, 3,  4,  23, 25, 38, 17, 34, 5,  11, 13, 8,  28,
               35, 31, 36, 39, 9,  12, 14, 2,  33, 10, 0,  7,  32, 20,
               22, 21, 16, 30, 6,  15, 18, 26, 27, 29, 1,  37});
    CHECK(
        sorted("0531204122106136543513600221342660011530055645624353503434645410420524"
               "11024404164102312442260126620651246065512154205015013116544") ==
        Rows{0,   23,  24,  33,  34,  40,  105, 115, 98,  92,  63,  66,  72, 82,  76,
             53,  117, 39,  11,  120, 5,   118, 123, 101, 62,  109, 10,  85, 36,  35,
             7,   111, 78,  13,  20,  124, 121, 81,  3,   93,  71,  70,  27, 73,  68,
             65,  86,  89,  90,  83,  4,   97,  94,  25,  26,  114, 30,  9,  110, 8,
             102, 47,  18,  21,  14,  2,   38,  51,  122, 84,  56,  28,  54, 49,  88,
             103, 87,  80,  113, 64,  77,  6,   17,  29,  44,  48,  55,  57, 128, 61,
             74,  59,  127, 75,  69,  108, 19,  112, 37,  41,  107, 119, 42, 16,  67,
             45,  100, 1,   50,  52,  126, 60,  116, 12,  125, 15,  58,  31, 32,  106,
             79,  43,  99,  46,  96,  95,  91,  22,  104});
  }

  TEST_CASE("keys that make a quicksort slow are sorted all the same") {
    std::vector<double> keys;
    for (int i = 0; i < 20'000; ++i) keys.push_back((i * 7919) % 20'011 % 977);
    Rows rows;
    argsort(keys, rows);
    CHECK(std::is_sorted(rows.begin(), rows.end(),
                         [&](auto a, auto b) { return keys[a] < keys[b]; }));
    std::sort(rows.begin(), rows.end());
    CHECK(rows.size() == keys.size());
    CHECK(std::adjacent_find(rows.begin(), rows.end()) == rows.end());
  }

  TEST_CASE("a set is listed in the order of CPython's") {
    CHECK(listed({}) == Values{});
    CHECK(listed({3, 1, 2, 3, 1}) == Values{1, 2, 3});
    CHECK(listed({17, 1, 9, 25, 33, 2305843009213693951, 2305843009213693952,
                  9223372036854775813U, 1000003, 482, 419, 550, 392}) ==
          Values{2305843009213693951, 33, 1, 2305843009213693952, 1000003, 482, 419,
                 550, 392, 9, 9223372036854775813U, 17, 25});
  }

  TEST_CASE("a cleared set starts anew") {
    PythonSet set;
    for (std::uint64_t i = 0; i < 100; ++i) set.add(i * 37);
    CHECK(set.size() == 100);
    set.clear();
    set.add(9);
    set.add(1);
    Values out;
    set.list(out);
    CHECK(out == Values{9, 1});
  }

  TEST_CASE("values that are equal modulo 2^61 - 1 collide as in CPython") {
    constexpr auto kMax = ~std::uint64_t{0};
    CHECK(listed({kMax, 2305843009213693951, 2305843009213693952, 0, 8, 16}) ==
          Values{2305843009213693951, 2305843009213693952, 0, kMax, 8, 16});
  }

  TEST_CASE("the order depends on what was added, not on repeats of it") {
    Values falling;
    for (std::uint64_t value = 100; value > 60; value -= 5) falling.push_back(value);
    const Values expected{65, 100, 70, 75, 80, 85, 90, 95};
    CHECK(listed(falling) == expected);
    falling.push_back(100);
    falling.push_back(65);
    CHECK(listed(falling) == expected);
  }

  TEST_CASE("a set that has grown is listed as CPython's of that size") {
    Values values;
    for (std::uint64_t i = 0; i < 25; ++i) values.push_back(1000 * i + 7);
    CHECK(listed(values) == Values{22007, 7,     16007, 5007,  21007, 10007, 15007,
                                   4007,  20007, 9007,  14007, 3007,  19007, 8007,
                                   24007, 13007, 18007, 2007,  7007,  23007, 12007,
                                   1007,  17007, 6007,  11007});
  }

  TEST_CASE("a set of more than 50,000 values grows by two, not by four") {
    Values values;
    for (std::uint64_t i = 0; i < 60'000; ++i) {
      values.push_back(i * 2654435761U % (std::uint64_t{1} << 40));
    }
    std::uint64_t digest = 0;
    for (const auto value : listed(values)) digest = digest * 31 + value;
    CHECK(digest == 9157366951467569508U);
  }

  TEST_CASE("listing replaces what was there, and leaves the set as it is") {
    PythonSet set;
    set.add(5);
    set.add(5);
    CHECK(set.size() == 1);
    Values out{1, 2, 3};
    set.list(out);
    CHECK(out == Values{5});
    set.list(out);
    CHECK(out == Values{5});
  }

  TEST_CASE("infinite keys are sorted to the ends, zeros of either sign are equal") {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const std::vector<double> keys{1, kInfinity, -kInfinity, -0.0, 0.0};
    Rows rows{9, 9, 9, 9, 9, 9, 9};
    argsort(keys, rows);
    CHECK(rows == Rows{2, 3, 4, 0, 1});
  }
}

}  // namespace reference_order_test
