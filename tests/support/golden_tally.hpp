#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "tests/support/memory_store.hpp"
#include "tests/support/npz.hpp"

namespace bev::test {

/// Counts compared values of reference samples by key, with the largest deviation.
class GoldenTally {
 public:
  /// Compares a sample with the arrays whose names begin with its number: "00017.yaw".
  /// Ignores images.
  void compare(const std::map<std::string, NpyArray>& arrays, std::int64_t number,
               const Run& sample) {
    CAPTURE(number);
    char prefix[16];
    std::snprintf(prefix, sizeof prefix, "%05lld.", static_cast<long long>(number));
    std::size_t expected_keys = 0;
    for (const auto& [name, array] : arrays) {
      if (!name.starts_with(prefix)) continue;
      const auto key = name.substr(std::strlen(prefix));
      if (key == "image") continue;
      compare(key, sample[key], array);
      ++expected_keys;
    }
    CHECK(expected_keys > 20);
    CHECK(sample.arrays.size() == expected_keys);
  }

  std::size_t keys() const noexcept { return tallies_.size(); }

  void print() const {
    for (const auto& [key, tally] : tallies_) {
      CHECK(tally.values > 0);
      std::printf("  %-40s %8zu values, largest difference %.3g\n", key.c_str(),
                  tally.values, tally.most);
    }
  }

 private:
  struct Tally {
    std::size_t values = 0;
    double most = 0;
  };

  static double tolerance(const std::string& key, const std::string& dtype,
                          double expected) {
    if (dtype == "<f8") return 1e-9 * std::max(1.0, std::abs(expected));
    if (dtype != "<f4") return 0;
    return key.ends_with("velocities") || key.ends_with("speed") ? 1e-4 : 1e-5;
  }

  template <class T>
  static std::vector<double> widened(std::span<const std::byte> bytes) {
    std::vector<T> values(bytes.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    return {values.begin(), values.end()};
  }

  static std::vector<double> numbers(const std::string& dtype,
                                     std::span<const std::byte> bytes) {
    if (dtype == "<f4") return widened<float>(bytes);
    if (dtype == "<f8") return widened<double>(bytes);
    return widened<std::uint8_t>(bytes);
  }

  void compare(const std::string& key, const ResultArray& got,
               const NpyArray& expected) {
    CAPTURE(key);
    auto& tally = tallies_[key];
    REQUIRE("'" + got.dtype + "'" == expected.descr);
    REQUIRE(got.shape == expected.shape);
    REQUIRE(got.bytes.size() == expected.bytes.size());
    if (got.dtype == "<i8") {  // too wide for a double
      CHECK(std::equal(got.bytes.begin(), got.bytes.end(), expected.bytes.begin()));
      tally.values += expected.count();
      return;
    }
    const auto a = numbers(got.dtype, got.bytes);
    const auto b = numbers(got.dtype, expected.bytes);
    for (std::size_t i = 0; i < a.size(); ++i) {
      const auto off = std::abs(a[i] - b[i]);
      const bool near = off <= tolerance(key, got.dtype, b[i]);
      if (!near) CHECK_MESSAGE(near, key, "[", i, "] is ", a[i], ", expected ", b[i]);
      tally.most = std::max(tally.most, off);
    }
    tally.values += a.size();
  }

  std::map<std::string, Tally> tallies_;
};

}  // namespace bev::test
