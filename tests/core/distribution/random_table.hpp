#pragma once

#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "core/distribution/table.hpp"

namespace bev::distribution::test {

/// Random numbers of 32 bits.
class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}
  std::uint32_t operator()() { return static_cast<std::uint32_t>(engine_()); }

 private:
  std::mt19937 engine_;
};

/// Rows with random values: a category column of 3, whole numbers, numbers with outliers,
/// and a flag; about every tenth value is missing.
struct RandomRows {
  RowIds ids;
  std::vector<double> values;

  std::size_t count() const { return ids.scenes.size(); }
  double value(std::size_t column, std::size_t row) const {
    return values[column * count() + row];
  }
};

inline std::vector<Column> random_columns() {
  return {{"model", 3}, {"count"}, {"error"}, {"miss", 2}};
}

inline RandomRows random_rows(Random& random, std::size_t count) {
  RandomRows out;
  const auto below = [&](std::uint32_t end) { return random() % end; };
  for (std::size_t i = 0; i < count; ++i) {
    out.ids.scenes.push_back(below(5));
    out.ids.frames.push_back(below(20));
    out.ids.tracks.push_back(below(9));
  }
  const auto add = [&](auto&& value) {
    for (std::size_t i = 0; i < count; ++i) {
      const bool known = below(10) > 0;
      out.values.push_back(known ? value() : std::numeric_limits<double>::quiet_NaN());
    }
  };
  add([&] { return static_cast<double>(below(3)); });
  add([&] { return static_cast<double>(below(40)) - 20; });
  add([&] {
    const double usual = below(1000) / 250.0;
    return below(60) == 0 ? 1e5 * usual : usual;
  });
  add([&] { return static_cast<double>(below(2)); });
  return out;
}

}  // namespace bev::distribution::test
