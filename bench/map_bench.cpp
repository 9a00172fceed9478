#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "bench/bench.hpp"
#include "core/map/flat_map.hpp"
#include "core/map/lane_lights.hpp"
#include "core/map/semantic_map.hpp"
#include "tests/support/small_map.hpp"

// A map of 10,000 lanes, slightly more than the real one, with 20 points per side; and
// one of the 100 lanes in its middle, where a query should cost the same.

namespace {

using namespace bev::test;
using bev::map::Box;
using bev::map::SemanticMap;

constexpr std::int32_t kSide = 100;    // lanes in a row, and rows
constexpr std::int32_t kApart = 5000;  // centimetres

/// A lane of 40 m from a corner of the grid, with typical fields.
Message grid_lane(std::int32_t column, std::int32_t row) {
  std::vector<std::int32_t> x(20, 200), left(20, 7), right(20, 6);
  x[0] = column * kApart;
  left[0] = row * kApart;
  right[0] = row * kApart - 370;
  const auto id = std::to_string(row * kSide + column);
  const auto more = Message()
                        .id(1, "junction")
                        .message(2, geo_frame(0, 0))
                        .message(3, boundary(x, left))
                        .message(4, boundary(x, right))
                        .id(5, std::to_string(row * kSide + column + 1))
                        .id(8, "face")
                        .varint(12, 2);
  return map_element(id, kLane, more);
}

// One loop: clang 14 crashes on two loops here when compiling for wasm.
Message grid(std::int32_t begin, std::int32_t end) {
  Message out =
      fragment({control("face", 13), map_element("junction", kJunction, Message())});
  const std::int32_t side = end - begin;
  for (std::int32_t i = 0; i < side * side; ++i) {
    out.message(2, grid_lane(begin + i % side, begin + i / side));
  }
  return out;
}

std::vector<std::uint32_t> scan(const SemanticMap& map, double x, double y, double r) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t i = 0; i < map.lanes().size(); ++i) {
    if (map.lanes()[i].bounds.is_near(x, y, r)) rows.push_back(i);
  }
  return rows;
}

constexpr double kMiddle = kSide / 2 * (kApart / 100.0);
constexpr double kRadius = 112;  // more than a raster of 224 pixels at half a metre

/// Checks correctness before measuring: counts, one position, and the index against a
/// scan.
bool is_right(const SemanticMap& map) {
  const auto row = map.lane_row("5050");
  if (map.lanes().size() != 10000 || !row) return false;
  const auto& points = map.lanes()[*row].left.points;
  const bool is_there = points.size() == 20 && std::abs(points[0].x - kMiddle) < 1e-3 &&
                        std::abs(points[0].y - kMiddle) < 1e-3;
  const auto near = map.lanes_near(kMiddle, kMiddle, kRadius);
  return is_there && !near.empty() && near == scan(map, kMiddle, kMiddle, kRadius);
}

/// Runs a thousand queries: a single one takes less than the clock's resolution.
void query(const SemanticMap& map) {
  for (int i = 0; i < 1000; ++i) {
    const auto rows = map.lanes_near(kMiddle + i * 0.01, kMiddle, kRadius);
    bev::bench::keep(rows.data());
  }
}

}  // namespace

int main() {
  const auto meta = equator_meta();
  const auto bytes = grid(0, kSide);
  const auto few = grid(kSide / 2 - 5, kSide / 2 + 5);
  const auto map = SemanticMap::parse(bytes.span(), meta);
  const auto small = SemanticMap::parse(few.span(), meta);
  if (!is_right(map)) return EXIT_FAILURE;

  const std::size_t size = bytes.text().size();
  bev::bench::report("map/parse 10,000 lanes", size, [&] {
    bev::bench::keep(SemanticMap::parse(bytes.span(), meta).lanes().data());
  });
  bev::bench::report("map/flatten 10,000 lanes", size, [&] {
    bev::bench::keep(bev::map::flatten(map).left.points.data());
  });
  const bev::map::LaneLights lights(map);
  const std::vector<std::string_view> lit = {"face"};
  bev::bench::report("map/colours of 10,000 lanes", size,
                     [&] { bev::bench::keep(lights.colours(lit).data()); });
  const double of_many = bev::bench::median_seconds([&] { query(map); });
  const double of_few = bev::bench::median_seconds([&] { query(small); });
  std::printf("map/near: %.2f us in 10,000 lanes, %.2f us in 100 nearby: %.2fx\n",
              of_many * 1e3, of_few * 1e3, of_many / of_few);
  bev::bench::report("map/scan of 10,000 lanes, once", size, [&] {
    bev::bench::keep(scan(map, kMiddle, kMiddle, kRadius).data());
  });
  return EXIT_SUCCESS;
}
