#include "core/futures/text_lines.hpp"

#include <doctest/doctest.h>

#include "core/base/error.hpp"
#include "tests/support/error_code.hpp"

namespace text_lines_test {
namespace {

using namespace bev::futures;
using bev::Errc;

std::vector<std::string> lines_in(std::string_view text) {
  TextLines lines("made", text.size());
  std::vector<std::string> out;
  lines.supply(
      std::as_bytes(std::span(text.data(), text.size())),
      [&](std::string_view line, std::uint64_t begin) {
        CHECK(text.substr(static_cast<std::size_t>(begin), line.size()) == line);
        CHECK(lines.line() == out.size() + 1);
        out.emplace_back(line);
      });
  CHECK_FALSE(lines.missing());
  return out;
}

TEST_SUITE("futures/text_lines") {
  TEST_CASE("lines have their ends, the last one may lack it") {
    CHECK(lines_in("a\nb\r\n\nc") ==
          std::vector<std::string>{"a\n", "b\r\n", "\n", "c"});
    CHECK(lines_in("a\n") == std::vector<std::string>{"a\n"});
  }

  TEST_CASE("bare lines have neither end nor byte order mark") {
    CHECK(bare_line("\xef\xbb\xbf"
                    "a\r\n",
                    0) == "a");
    CHECK(bare_line("\xef\xbb\xbf"
                    "a\n",
                    9) ==
          "\xef\xbb\xbf"
          "a");
    std::vector<std::string> out;
    each_line("a\r\n\nb", [&](std::string_view line) { out.emplace_back(line); });
    CHECK(out == std::vector<std::string>{"a", "b"});
  }

  TEST_CASE("cells may be quoted whole") {
    Cells cells;
    CHECK(split_cells("a,,\"b,c\",", cells));
    CHECK(cells == Cells{"a", "", "b,c", ""});
    CHECK_FALSE(split_cells("\"a", cells));
    CHECK_FALSE(split_cells("\"a\"b,c", cells));
  }

  TEST_CASE("long lines, and few rows of many poses, are refused") {
    CHECK(bev::test::error_code([] { lines_in(std::string(kMaxCsvLine + 1, 'a')); }) ==
          Errc::limit_exceeded);
    CHECK_NOTHROW(check_sparse(1, 1U << 20U));
    CHECK(bev::test::error_code([] { check_sparse(1, (1U << 20U) + 1); }) ==
          Errc::limit_exceeded);
    CHECK_NOTHROW(check_sparse(1U << 15U, 1U << 21U));
  }
}

}  // namespace
}  // namespace text_lines_test
