#include "native/files/map_parts.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/support/error_code.hpp"
#include "tests/support/small_map.hpp"
#include "tests/support/temp_folder.hpp"

namespace map_parts_test {

using namespace bev;
using namespace bev::native;
using namespace bev::test;

namespace {

/// Maps of a lane each, 100 m apart, in one file.
struct Parts {
  std::string bytes;
  std::vector<map::MapPart> parts;

  explicit Parts(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const auto x = 100 * static_cast<std::int32_t>(i);
      const auto one = fragment({lane("L" + std::to_string(i), x)});
      const auto begin = bytes.size();
      bytes += one.text();
      parts.push_back({begin, bytes.size(), {x - 50., -50., x + 50., 50.}});
    }
  }

  std::string meta_json() const {
    std::string ends, areas;
    for (const auto& part : parts) {
      const auto begin = ends.empty() ? "" : ",";
      ends += begin + std::to_string(part.end);
      areas += begin + std::string("[") + std::to_string(part.area.min_x) + "," +
               std::to_string(part.area.min_y) + "," + std::to_string(part.area.max_x) +
               "," + std::to_string(part.area.max_y) + "]";
    }
    auto out = equator_meta_json();
    out.pop_back();
    return out + R"(,"map_parts":{"ends":[)" + ends + R"(],"areas":[)" + areas + "]}}";
  }

  ReadMapBytes read() const {
    return [this](std::uint64_t begin, std::uint64_t end) {
      ++reads;
      const auto all = std::as_bytes(std::span(bytes));
      return std::vector<std::byte>(all.begin() + static_cast<std::ptrdiff_t>(begin),
                                    all.begin() + static_cast<std::ptrdiff_t>(end));
    };
  }

  mutable std::size_t reads = 0;
};

}  // namespace

TEST_SUITE("files/map_parts") {
  TEST_CASE("a part is found by its area and read once") {
    const Parts made(30);
    const auto source = map_source(made.meta_json(), made.bytes.size(), made.read());
    REQUIRE(source.parts() != nullptr);
    CHECK(source.parts()->count() == 30);
    CHECK(made.reads == 0);
    for (const double x : {0.0, 700.0, 2900.0, 700.0, 0.0}) {
      CAPTURE(x);
      const auto map = source.at({x, 10});
      REQUIRE(map->lanes().size() == 1);
      CHECK(map->lanes()[0].id == "L" + std::to_string(static_cast<int>(x) / 100));
      CHECK(source.at({x, 49}) == map);
    }
    CHECK(made.reads == 3);
    CHECK(source.at({0, 60})->lanes().empty());
    CHECK(!source.parts()->find({-60, 0}).has_value());
    CHECK(test::error_code([&] { source.parts()->part(30); }) == Errc::out_of_range);
  }

  TEST_CASE("parts that were used last are kept, to a number of bytes") {
    const auto part = fragment({lane("L", 0)}).text();
    std::vector<map::MapPart> listed;
    for (std::size_t i = 0; i < 3; ++i) {
      listed.push_back({i * part.size(), (i + 1) * part.size(), {}});
    }
    std::vector<std::size_t> read;
    const ReadMapParts parts(
        equator_meta(), listed,
        [&](std::uint64_t begin, std::uint64_t) {
          read.push_back(static_cast<std::size_t>(begin / part.size()));
          const auto all = std::as_bytes(std::span(part));
          return std::vector<std::byte>(all.begin(), all.end());
        },
        2 * part.size());
    for (const std::size_t i : {0U, 1U, 0U, 2U, 0U, 1U}) {
      CHECK(parts.part(i)->lanes().size() == 1);
    }
    CHECK(read == std::vector<std::size_t>{0, 1, 2, 1});
  }

  TEST_CASE("threads read parts at the same time") {
    const Parts made(8);
    const TempFolder folder;
    const auto path = folder.write("map.pb", made.bytes);
    const auto source = map_source_of_file(path, made.meta_json());
    std::vector<std::size_t> wrong(4);
    std::vector<std::thread> threads;
    for (auto& count : wrong) {
      threads.emplace_back([&] {
        for (int i = 0; i < 80; ++i) {
          const auto map = source.at({100.0 * (i % 8), 0});
          count += map->lanes()[0].id == "L" + std::to_string(i % 8) ? 0 : 1;
        }
      });
    }
    for (auto& thread : threads) thread.join();
    for (const auto count : wrong) CHECK(count == 0);
  }

  TEST_CASE("a map without parts is read as a whole") {
    Parts made(3);
    made.parts.clear();
    const auto source = map_source(made.meta_json(), made.bytes.size(), made.read());
    REQUIRE(source.whole() != nullptr);
    CHECK(source.whole()->lanes().size() == 3);
    CHECK(made.reads == 1);
    CHECK(test::error_code([&] {
            map_source(made.meta_json(), map::Limits().bytes + 1, made.read());
          }) == Errc::limit_exceeded);
    CHECK(made.reads == 1);
  }

  TEST_CASE("parts of another file, damaged and too large ones are named") {
    Parts made(3);
    CHECK(test::error_code([&] {
            map_source(made.meta_json(), made.bytes.size() - 1, made.read());
          }) == Errc::changed);
    const auto source = map_source(made.meta_json(), made.bytes.size(), made.read());
    made.bytes[made.parts[1].begin] = '\x7f';
    CHECK(source.parts()->part(0)->lanes().size() == 1);
    try {
      source.parts()->part(1);
      FAIL("not refused");
    } catch (const Error& error) {
      CHECK(error.code() == Errc::corrupt_chunk);
      CHECK(std::string(error.what()).starts_with("part 1: "));
    }
    const ReadMapParts cut(equator_meta(), made.parts,
                           [](auto, auto) { return std::vector<std::byte>(3); });
    CHECK(test::error_code([&] { cut.part(2); }) == Errc::changed);
    made.parts[2].end += map::Limits().bytes;
    const ReadMapParts large(equator_meta(), made.parts, made.read());
    const auto reads = made.reads;
    CHECK(test::error_code([&] { large.part(2); }) == Errc::limit_exceeded);
    CHECK(made.reads == reads);
  }

  TEST_CASE("a file that is gone or replaced is an error, one that is open is read") {
    const Parts made(3);
    const TempFolder folder;
    const auto path = folder.write("map.pb", made.bytes);
    const auto source = map_source_of_file(path, made.meta_json());
    std::filesystem::remove(path);
    CHECK(source.at({100, 0})->lanes()[0].id == "L1");
    CHECK(test::error_code([&] { map_source_of_file(path, made.meta_json()); }) ==
          Errc::not_found);
    folder.write("map.pb", made.bytes + made.bytes);
    CHECK(test::error_code([&] { map_source_of_file(path, made.meta_json()); }) ==
          Errc::changed);
  }
}

}  // namespace map_parts_test
