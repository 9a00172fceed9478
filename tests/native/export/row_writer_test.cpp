#include "native/export/row_writer.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "core/base/error.hpp"

namespace row_writer_test {

using bev::native::RowLayout;

namespace {

/// Writes rows of single bytes in two batches; returns the output.
std::string written(const char* format, const char* dtype, std::string_view rows,
                    std::optional<std::uint64_t> count,
                    const std::vector<std::size_t>& shape = {}) {
  RowLayout layout = {bev::zarr::parse_dtype(nlohmann::json::parse(dtype), "test"), "a",
                      count};
  layout.row.shape.insert(layout.row.shape.begin(), shape.begin(), shape.end());
  const auto row_bytes = layout.row.size();
  std::string out;
  const auto writer = bev::native::make_row_writer(
      format, layout, [&](std::span<const std::byte> bytes) {
        out.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      });
  const auto bytes = std::as_bytes(std::span(rows));
  const auto total = count.value_or(1);
  const auto head = total / 2;
  writer->rows(head, bytes.first(head * row_bytes));
  writer->rows(total - head, bytes.subspan(head * row_bytes));
  writer->finish();
  return out;
}

constexpr auto* kText = "\"|S2\"";
constexpr auto* kPair = R"([["k", "|u1"], ["v", "|i1", [2]]])";

}  // namespace

TEST_SUITE("native/export/row_writer") {
  TEST_CASE("csv has a line of names, then a line per row") {
    CHECK(written("csv", kText, "abcd", 2) == "a\nab\ncd\n");
    CHECK(written("csv", kPair, "\x01\x02\xff\x03\x04\x05", 2) ==
          "k,v_0,v_1\n1,2,-1\n3,4,5\n");
    CHECK(written("csv", "\"|u1\"", "\x01\x02\x03\x04", 2, {2}) ==
          "a_0,a_1\n1,2\n3,4\n");
    CHECK(written("csv", kPair, "\x01\x02\x03\x04\x05\x06", 1, {2}) ==
          "a_0.k,a_0.v_0,a_0.v_1,a_1.k,a_1.v_0,a_1.v_1\n1,2,3,4,5,6\n");
  }

  TEST_CASE("csv quotes separators") {
    CHECK(written("csv", kText, "a,\"b", 2) == "a\n\"a,\"\n\"\"\"b\"\n");
    CHECK(written("csv", kText, "a\n\rb", 2) == "a\n\"a\n\"\n\"\rb\"\n");
  }

  TEST_CASE("json is a list of rows") {
    CHECK(written("json", kText, "ab\"\\", 2) == "[\n\"ab\",\n\"\\\"\\\\\"\n]\n");
    CHECK(written("json", kPair, "\x01\x02\xff", 1) ==
          "[\n{\"k\": 1, \"v\": [2, -1]}\n]\n");
    CHECK(written("json", "\"|u1\"", "\x01\x02\x03\x04", 2, {2, 1}) ==
          "[\n[[1], [2]],\n[[3], [4]]\n]\n");
    CHECK(written("json", "\"|u1\"", "", 0) == "[\n]\n");
  }

  TEST_CASE("rows without bytes are written") {
    CHECK(written("json", "\"|u1\"", "", 3, {0}) == "[\n[],\n[],\n[]\n]\n");
    CHECK(written("csv", "\"|u1\"", "", 2, {0}) == "\n\n\n");
  }

  TEST_CASE("an array without axes is a single value") {
    CHECK(written("json", "\"|u1\"", "\x07", std::nullopt) == "7\n");
    CHECK(written("csv", "\"|u1\"", "\x07", std::nullopt) == "a\n7\n");
  }

  TEST_CASE("npy is a header and the bytes") {
    const auto npy = written("npy", kText, "abcd", 2);
    CHECK(npy.starts_with("\x93NUMPY"));
    CHECK(npy.ends_with("\nabcd"));
  }

  TEST_CASE("unknown formats are named") {
    CHECK_THROWS_WITH_AS(written("xml", kText, "", 0),
                         "unknown format \"xml\" (expected npy, csv, json or arrow)",
                         bev::Error);
  }
}

}  // namespace row_writer_test
