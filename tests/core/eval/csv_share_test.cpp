#include "core/eval/csv_share.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/base/error.hpp"

using bev::Error;
using namespace bev::eval;

namespace {

/// Returns the lines that a share passes on, of a file in pieces of some bytes.
std::string shared(const std::string& text, AgentShare share, std::size_t step) {
  CsvShare lines("gt.csv", share);
  std::string out;
  for (std::size_t at = 0; at < text.size(); at += step) {
    lines.add(std::string_view(text).substr(at, step), out);
  }
  lines.finish(out);
  return out;
}

std::size_t rows_in(const std::string& text) {
  std::size_t rows = 0;
  for (std::size_t at = 0; (at = text.find("row", at)) != std::string::npos; ++at) {
    ++rows;
  }
  return rows;
}

}  // namespace

TEST_SUITE("eval/csv_share") {
  TEST_CASE("each row is in one share, whatever the pieces") {
    std::string text = "timestamp,track_id,x\r\n";
    for (int i = 0; i < 200; ++i) {
      text += std::to_string(100 + i / 7) + "," + std::to_string(i % 7) + ",row\r\n";
    }
    std::size_t rows = 0;
    for (std::uint64_t i = 0; i < 3; ++i) {
      const auto whole = shared(text, {i, 3}, text.size());
      CHECK(shared(text, {i, 3}, 1) == whole);
      CHECK(shared(text, {i, 3}, 17) == whole);
      CHECK(rows_in(whole) > 30);
      rows += rows_in(whole);
    }
    CHECK(rows == 200);
    CHECK(shared(text, {0, 1}, 5) == text);
  }

  TEST_CASE("other rows become empty lines, so that line numbers remain") {
    const std::string text = "x,track_id,timestamp\n1,7,100\n\n1,8,100";
    for (std::uint64_t i = 0; i < 16; ++i) {
      const AgentShare share{i, 16};
      std::string expected = "x,track_id,timestamp\n";
      expected += share.contains(100, 7) ? "1,7,100\n" : "\n";
      expected += "\n";
      expected += share.contains(100, 8) ? "1,8,100" : "\n";
      CHECK(shared(text, share, 4) == expected);
    }
  }

  TEST_CASE("a row without numbers is passed on by every share, to its reader") {
    const std::string text = "timestamp,track_id\n1.5,2\nx\n";
    for (std::uint64_t i = 0; i < 3; ++i) CHECK(shared(text, {i, 3}, 3) == text);
  }

  TEST_CASE("headers without the columns, and long lines, are errors") {
    CHECK_THROWS_WITH_AS(shared("timestamp,x\n", {0, 1}, 4),
                         "gt.csv: column track_id not found (expected L5Kit's file of "
                         "ground truth or predictions)",
                         Error);
    CHECK_THROWS_WITH_AS(shared("a,track_id\n", {0, 1}, 4),
                         "gt.csv: column timestamp not found (expected L5Kit's file of "
                         "ground truth or predictions)",
                         Error);
    const std::string line(CsvShare::kMaxLine + 1, 'x');
    CHECK_THROWS_WITH_AS(
        shared("timestamp,track_id\n" + line, {0, 1}, 1 << 20),
        "gt.csv line 2: line is too long (found 4194305 bytes or more, "
        "expected at most 4194304)",
        Error);
    CHECK_THROWS_WITH_AS(CsvShare("gt.csv", {2, 2}),
                         "share: index out of range (found 2 of 2)", Error);
  }
}
