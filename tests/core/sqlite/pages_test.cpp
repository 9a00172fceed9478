#include "core/sqlite/pages.hpp"

#include <doctest/doctest.h>

#include <span>
#include <string>
#include <vector>

#include "tests/support/error_code.hpp"
#include "tests/support/sqlite.hpp"

using namespace bev;
using namespace bev::sqlite;

namespace {

/// Returns a file of pages that are filled with their number.
std::string numbered_file(std::size_t pages, std::uint32_t page_size) {
  auto out = test::SqliteMaker(page_size).finish();
  for (std::size_t i = 2; i <= pages; ++i) {
    out += std::string(page_size, static_cast<char>(i));
  }
  return out;
}

}  // namespace

TEST_SUITE("sqlite/pages") {
  TEST_CASE("a page has its bytes, without the reserved ones") {
    auto file = numbered_file(100, 1024);
    file[20] = 32;
    Pages pages(test::reader_of(file), file.size());
    CHECK(pages.count() == 100);
    CHECK(pages.page(1).start == 100);
    const auto page = pages.page(77);
    CHECK(page.start == 0);
    CHECK(page.bytes.size() == 992);
    CHECK(page.bytes[0] == std::byte{77});
    CHECK(page.bytes[991] == std::byte{77});
  }

  TEST_CASE("a page stays valid when its block is evicted") {
    const auto file = numbered_file(250, 4096);
    Pages pages(test::reader_of(file), file.size(), {.max_cached = 1, .max_read = 1});
    const auto first = pages.page(2);
    for (std::uint32_t i = 3; i <= 250; ++i) pages.page(i);
    const auto reads = pages.reads();
    CHECK(first.bytes[9] == std::byte{2});
    pages.page(2);
    CHECK(pages.reads() == reads + 1);
  }

  TEST_CASE("sequential misses read ahead, others one block") {
    const auto file = numbered_file(250, 4096);
    Pages pages(test::reader_of(file), file.size());
    for (std::uint32_t i = 1; i <= 250; ++i) pages.page(i);
    CHECK(pages.bytes_read() == file.size());
    CHECK(pages.reads() < 12);
    Pages other(test::reader_of(file), file.size());
    other.page(240);
    CHECK(other.bytes_read() == 8192);
  }

  TEST_CASE("reading ahead leaves out what is kept") {
    const auto file = numbered_file(250, 4096);
    Pages pages(test::reader_of(file), file.size());
    for (const std::uint32_t page : {21U, 22U, 90U}) pages.page(page);
    for (std::uint32_t i = 1; i <= 250; ++i) pages.page(i);
    CHECK(pages.bytes_read() == file.size());
    CHECK(pages.reads() < 16);
  }

  TEST_CASE("what a host does not have yet is asked for again") {
    const auto file = numbered_file(20, 4096);
    const auto read = test::reader_of(file);
    bool has = true;
    Pages pages(
        [&](std::uint64_t at, std::span<std::byte> out) {
          if (!has) throw Missing{at, out.size()};
          return read(at, out);
        },
        file.size());
    has = false;
    for (int round = 0; round < 2; ++round) {
      try {
        pages.page(10);
        FAIL("bytes that the host does not have");
      } catch (const Missing& missing) {
        CHECK(missing.offset == 32768);
        CHECK(missing.size == 8192);
      }
    }
    has = true;
    CHECK(pages.page(10).bytes[0] == std::byte{10});
  }

  TEST_CASE("pages are read ahead in few ranges, which are announced together") {
    const auto file = numbered_file(250, 4096);
    std::vector<std::vector<std::uint64_t>> announced;
    PagesOptions options;
    options.announce = [&](std::span<const Missing> ranges) {
      announced.emplace_back();
      for (const auto& one : ranges) {
        announced.back().insert(announced.back().end(), {one.offset, one.size});
      }
    };
    Pages pages(test::reader_of(file), file.size(), options);
    pages.page(21);
    const auto reads = pages.reads();
    // Blocks have two pages: those of 8 and 14 are near; 21 is kept.
    const std::uint32_t numbers[] = {100, 0, 7, 8, 14, 21, 251, 250};
    pages.prefetch(numbers);
    using Ranges = std::vector<std::uint64_t>;
    REQUIRE(announced.size() == 1);
    CHECK(announced[0] ==
          Ranges{3 * 8192, 4 * 8192, 49 * 8192, 8192, 124 * 8192, 8192});
    CHECK(pages.reads() == reads + 3);
    CHECK(pages.holds(8));
    CHECK(pages.holds(11));
    CHECK(!pages.holds(15));
    CHECK(!pages.holds(0));
    pages.prefetch(numbers);
    CHECK(announced.size() == 1);
    CHECK(pages.page(14).bytes[0] == std::byte{14});
    CHECK(pages.reads() == reads + 3);
  }

  TEST_CASE("a host without the ranges throws, and has them the second time") {
    const auto file = numbered_file(40, 4096);
    PagesOptions options;
    options.announce = [](std::span<const Missing> ranges) { throw ranges.size(); };
    Pages pages(test::reader_of(file), file.size(), options);
    const std::uint32_t numbers[] = {4, 40};
    CHECK_THROWS_AS(pages.prefetch(numbers), std::size_t);
    CHECK(!pages.holds(4));
  }

  TEST_CASE("files that are not of SQLite, or truncated, are refused") {
    const auto refused = [](const std::string& file) {
      return test::error_code([&] {
        Pages pages(test::reader_of(file), file.size());
        for (std::uint32_t i = 1; i <= 3; ++i) pages.page(i);
      });
    };
    auto file = numbered_file(3, 1024);
    CHECK(!refused(file));
    CHECK(refused("") == Errc::corrupt_chunk);
    CHECK(refused(std::string(4096, 'x')) == Errc::corrupt_chunk);
    CHECK(refused(file.substr(0, 99)) == Errc::corrupt_chunk);
    CHECK(refused(file.substr(0, 1000)) == Errc::corrupt_chunk);
    CHECK(refused(file.substr(0, 2500)) == Errc::corrupt_chunk);
    auto other = file;
    other[16] = 3;  // a page size that is no power of two
    CHECK(refused(other) == Errc::corrupt_chunk);
    other = numbered_file(3, 512);
    other[20] = 33;
    CHECK(refused(other) == Errc::corrupt_chunk);
    other = file;
    other[59] = 2;  // UTF-16
    CHECK(refused(other) == Errc::unsupported);
  }

  TEST_CASE("pages outside are errors") {
    const auto file = numbered_file(3, 1024);
    Pages pages(test::reader_of(file), file.size());
    for (const std::uint32_t number : {0U, 4U, 0xffffffffU}) {
      CHECK(test::error_code([&] { pages.page(number); }) == Errc::corrupt_chunk);
    }
  }
}
