#include "core/convert/map_output.hpp"

#include <doctest/doctest.h>

#include <span>

#include "core/convert/map_cell.hpp"
#include "core/map/map_parts.hpp"
#include "core/map/meta.hpp"
#include "core/map/semantic_map.hpp"
#include "tests/support/error_code.hpp"

namespace map_output_test {

using namespace bev;
using namespace bev::convert;

namespace {

SourceLane lane(const std::string& id, double y) {
  SourceLane out;
  out.id = id;
  out.left = {{0, y + 1.5, 0}, {20, y + 1.5, 0}};
  out.right = {{0, y - 1.5, 0}, {20, y - 1.5, 0}};
  return out;
}

/// Returns a map of two lanes, one of them in a junction, and a crosswalk.
SourceMap map_of(const std::string& prefix, double y = 0) {
  SourceMap out;
  out.prefix = prefix;
  out.lanes = {lane(prefix + "1", y), lane(prefix + "2", y + 3)};
  out.lanes[0].ahead = {prefix + "2"};
  out.lanes[1].in_junction = true;
  out.crosswalks = {{prefix + "3", {{0, y, 0}, {1, y, 0}, {1, y + 1, 0}}}};
  return out;
}

/// Collects pieces, and counts them.
struct Pieces {
  std::string bytes;
  std::size_t count = 0;
  bool fails = false;

  MapOutput::Append append() {
    return [this](std::span<const std::byte> piece) {
      if (fails) throw Error(Errc::io, "disk full");
      bytes.append(reinterpret_cast<const char*>(piece.data()), piece.size());
      ++count;
    };
  }
};

map::SemanticMap parsed(const MapOutput& output, const std::string& bytes) {
  return map::SemanticMap::parse(std::as_bytes(std::span(bytes)),
                                 map::parse_meta(output.meta_json()));
}

}  // namespace

TEST_SUITE("convert/map_output") {
  TEST_CASE("separate maps are passed on when they are added") {
    Pieces pieces;
    MapOutput output(pieces.append());
    std::size_t size = 0;
    for (int i = 0; i < 4; ++i) {
      output.add(map_of(std::to_string(i) + ":"), "s");
      CHECK(pieces.bytes.size() > size);
      size = pieces.bytes.size();
    }
    CHECK(output.finish().empty());
    const auto map = parsed(output, pieces.bytes);
    CHECK(map.lanes().size() == 8);
    CHECK(map.crosswalks().size() == 4);
    const auto counts = output.counts();
    CHECK(counts.lanes == 8);
    CHECK(counts.crosswalks == 4);
    CHECK(counts.junctions == 4);
    CHECK(counts.duplicates == 0);
  }

  TEST_CASE("without a function the same bytes are kept") {
    Pieces pieces;
    MapOutput streamed(pieces.append()), kept;
    for (const auto* prefix : {"0:", "1:", ""}) {
      streamed.add(map_of(prefix), "s");
      kept.add(map_of(prefix), "s");
    }
    CHECK(streamed.finish().empty());
    CHECK(kept.finish() == pieces.bytes);
    CHECK(kept.meta_json() == streamed.meta_json());
  }

  TEST_CASE("joined maps are passed on at the end, each element once") {
    Pieces pieces;
    MapOutput output(pieces.append());
    output.add(map_of(""), "a");
    output.add(map_of(""), "b");
    CHECK(pieces.count == 0);
    output.finish();
    CHECK(pieces.count == 1);
    CHECK(parsed(output, pieces.bytes).lanes().size() == 2);
    CHECK(output.counts().duplicates == 3);
    CityMap city;
    city.add(map_of(""), "a");
    city.add(map_of(""), "b");
    CHECK(city.semantic_map() == pieces.bytes);
  }

  TEST_CASE("the limits apply to all maps together, and an error adds nothing") {
    MapOutput one;
    one.add(map_of("0:"), "s");
    const std::size_t size = one.finish().size();
    map::Limits limits;
    limits.bytes = 2 * size;  // the second map lacks the name
    Pieces pieces;
    MapOutput output(pieces.append(), limits);
    output.add(map_of("0:"), "s");
    output.add(map_of("1:"), "s");
    const std::string before = pieces.bytes;
    const auto add = [&] { output.add(map_of("2:"), "s"); };
    CHECK(test::error_code(add) == Errc::limit_exceeded);
    CHECK(test::error_code(add) == Errc::limit_exceeded);
    CHECK(pieces.bytes == before);
    CHECK(output.counts().lanes == 4);
    output.finish();
    CHECK(parsed(output, pieces.bytes).lanes().size() == 4);
  }

  TEST_CASE("maps with a cell are parts, of which each is a map alone") {
    map::Limits limits;
    limits.elements = 8;  // of one map
    Pieces pieces;
    MapOutput output(pieces.append(), limits);
    for (int i = 0; i < 5; ++i) {
      auto one = map_of(std::to_string(i) + ":", kMapCellM * i);
      one.cell = geom::Vec2{0, kMapCellM * i};
      output.add(one, "s");
    }
    output.finish();
    CHECK(output.counts().lanes == 10);
    const auto meta = map::parse_meta(output.meta_json());
    const auto parts = map::parse_map_parts(output.meta_json());
    REQUIRE(parts.size() == 5);
    CHECK(parts.back().end == pieces.bytes.size());
    const auto bytes = std::as_bytes(std::span(pieces.bytes));
    const auto whole = map::SemanticMap::parse(bytes, meta);
    CHECK(whole.lanes().size() == 10);
    for (std::size_t i = 0; i < 5; ++i) {
      const auto& part = parts[i];
      const auto map = map::SemanticMap::parse(
          bytes.subspan(static_cast<std::size_t>(part.begin),
                        static_cast<std::size_t>(part.end - part.begin)),
          meta);
      REQUIRE(map.lanes().size() == 2);
      CHECK(map.crosswalks().size() == 1);
      CHECK(map.lanes()[0].left.points == whole.lanes()[2 * i].left.points);
      CHECK(part.area.min_x == -kMapCellM / 2);
      CHECK(part.area.min_y == kMapCellM * (static_cast<double>(i) - 0.5));
      CHECK(part.area.max_y == kMapCellM * (static_cast<double>(i) + 0.5));
    }
  }

  TEST_CASE("maps with and without a cell are not of one output") {
    auto placed = map_of("0:");
    placed.cell = geom::Vec2{0, 0};
    for (const bool is_first : {false, true}) {
      MapOutput output;
      output.add(is_first ? placed : map_of("1:"), "s");
      CHECK(test::error_code([&] {
              output.add(is_first ? map_of("1:") : placed, "s");
            }) == Errc::invalid_argument);
      CHECK(output.counts().lanes == 2);
    }
  }

  TEST_CASE("a map that could not be stored can be added again") {
    Pieces pieces;
    MapOutput output(pieces.append());
    output.add(map_of("0:"), "s");
    pieces.fails = true;
    CHECK(test::error_code([&] { output.add(map_of("1:"), "s"); }) == Errc::io);
    CHECK(output.counts().lanes == 2);
    pieces.fails = false;
    output.add(map_of("1:"), "s");
    output.finish();
    CHECK(parsed(output, pieces.bytes).lanes().size() == 4);
  }

  TEST_CASE("a prefix twice, another frame, and no map are rejected") {
    MapOutput output;
    CHECK(test::error_code([&] { output.finish(); }) == Errc::invalid_argument);
    CHECK(test::error_code([&] { output.meta_json(); }) == Errc::invalid_argument);
    output.add(map_of("0:"), "s");
    CHECK(test::error_code([&] { output.add(map_of("0:"), "s"); }) ==
          Errc::invalid_argument);
    auto other = map_of("1:");
    other.frame.lat_e7 = 1;
    CHECK(test::error_code([&] { output.add(other, "s"); }) == Errc::invalid_argument);
    CHECK(output.counts().lanes == 2);
  }
}

}  // namespace map_output_test
