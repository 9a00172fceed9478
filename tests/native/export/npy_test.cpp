#include "native/export/npy.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "core/base/error.hpp"
#include "tests/support/npz.hpp"

namespace npy_test {

using bev::Errc;
using bev::Error;
using bev::native::npy_head;
using bev::native::NpyHead;
using bev::native::read_npy_head;
using bev::native::RowLayout;
using bev::zarr::ByteOrder;
using bev::zarr::Kind;

namespace {

RowLayout layout_of(const char* dtype, std::optional<std::uint64_t> count,
                    const std::vector<std::size_t>& shape = {}) {
  auto type = bev::zarr::parse_dtype(nlohmann::json::parse(dtype), "test");
  type.shape = shape;
  return {type, "", count};
}

/// Returns the text of a header without its padding; checks the rest of the header.
std::string text_of(const std::string& head) {
  CHECK(head.size() % 64 == 0);
  CHECK(head.substr(0, 6) == "\x93NUMPY");
  CHECK(head.back() == '\n');
  const bool is_long = head[6] == 2;
  const std::size_t before = is_long ? 12 : 10;
  const auto byte = [&](std::size_t i) {
    return std::size_t{static_cast<unsigned char>(head[i])};
  };
  CHECK((byte(8) | byte(9) << 8 | (is_long ? byte(10) << 16 : 0)) ==
        head.size() - before);
  return head.substr(before, head.find_last_of('}') - before + 1);
}

NpyHead read(const std::string& bytes) {
  return read_npy_head(std::as_bytes(std::span(bytes)), "m.npy");
}

Errc code_of(const std::string& bytes) {
  try {
    read(bytes);
  } catch (const Error& error) {
    return error.code();
  }
  return Errc::internal;
}

RowLayout counts(std::uint64_t rows) {
  RowLayout layout;
  layout.row.kind = Kind::unsigned_int;
  layout.row.order = ByteOrder::little;
  layout.row.item_size = 4;
  layout.row.shape = {2};
  layout.count = rows;
  return layout;
}

std::string with_text(const std::string& text) {
  std::string head = "\x93NUMPY\x01";
  head += '\0';
  head += static_cast<char>(text.size());
  head += '\0';
  return head + text;
}

}  // namespace

TEST_SUITE("native/export/npy") {
  TEST_CASE("a plain array has a code and a shape") {
    CHECK(text_of(npy_head(layout_of("\">f8\"", 3, {2}))) ==
          "{'descr': '>f8', 'fortran_order': False, 'shape': (3, 2), }");
    CHECK(text_of(npy_head(layout_of("\"|S3\"", 0))) ==
          "{'descr': '|S3', 'fortran_order': False, 'shape': (0,), }");
    CHECK(text_of(npy_head(layout_of("\"<M8[25s]\"", std::nullopt))) ==
          "{'descr': '<M8[25s]', 'fortran_order': False, 'shape': (), }");
  }

  TEST_CASE("a record lists its fields, with shapes and nested ones") {
    const auto* dtype =
        R"([["a", "<i4"], ["b", "<f4", [3, 3]], ["c", [["d", "|u1"]], [2]]])";
    CHECK(
        text_of(npy_head(layout_of(dtype, 1))) ==
        "{'descr': [('a', '<i4'), ('b', '<f4', (3, 3)), ('c', [('d', '|u1')], (2,))], "
        "'fortran_order': False, 'shape': (1,), }");
  }

  TEST_CASE("names are Python literals of ASCII alone") {
    const auto text = text_of(
        npy_head(layout_of(R"([["it's\\ \u00e9\u4e2d\ud83d\ude00", "|u1"]])", 1)));
    CHECK(text.find(R"('it\x27s\x5c \xe9\u4e2d\U0001f600')") != std::string::npos);
  }

  TEST_CASE("a head of more than 64 kB is version 2") {
    std::string dtype = "[";
    for (int i = 0; i < 5000; ++i) {
      dtype += (i == 0 ? "" : ",") + ("[\"field" + std::to_string(i)) + R"(", "|u1"])";
    }
    const auto head = npy_head(layout_of((dtype + "]").c_str(), 1));
    CHECK(head[6] == 2);
    CHECK(text_of(head).ends_with("'shape': (1,), }"));
  }

  TEST_CASE("reads what the writer writes") {
    const auto text = npy_head(counts(3));
    const auto head = read(text);
    CHECK(head.type.kind == Kind::unsigned_int);
    CHECK(head.type.item_size == 4);
    CHECK(head.shape == std::vector<std::uint64_t>{3, 2});
    CHECK(head.data_offset == text.size());
    const RowLayout single{.row = counts(0).row, .name = "", .count = std::nullopt};
    CHECK(read(npy_head(single)).shape == std::vector<std::uint64_t>{2});
  }

  TEST_CASE("reads what NumPy writes") {
    const std::string text =
        "{'descr': '|b1', 'fortran_order': False, 'shape': (248,), }   \n";
    const auto head = read(with_text(text));
    CHECK(head.type.kind == Kind::boolean);
    CHECK(head.shape == std::vector<std::uint64_t>{248});
    CHECK(head.data_offset == 10 + text.size());
  }

  TEST_CASE("other files and arrays are rejected") {
    CHECK(code_of("") == Errc::invalid_argument);
    CHECK(code_of("PK\x03\x04 a zip file, but not NumPy's") == Errc::invalid_argument);
    const auto whole = npy_head(counts(3));
    CHECK(code_of(whole.substr(0, 11)) == Errc::invalid_argument);
    CHECK(code_of(whole.substr(0, 60)) == Errc::invalid_argument);
    CHECK(code_of(with_text("{'descr': [('a', '<f4')], 'fortran_order': False, "
                            "'shape': (2,), }\n")) == Errc::unsupported);
    CHECK(code_of(with_text("{'descr': '<f4', 'fortran_order': True, "
                            "'shape': (2, 2), }\n")) == Errc::unsupported);
    CHECK(code_of(with_text("{'descr': '|O', 'fortran_order': False, "
                            "'shape': (2,), }\n")) == Errc::unsupported);
    CHECK(code_of(with_text("{'descr': '<f4', 'fortran_order': False, 'shape': "
                            "(99999999999999999999,), }\n")) == Errc::invalid_argument);
  }

  TEST_CASE("an array reads back under its name, with its checksum") {
    bev::zarr::DType type;
    type.kind = bev::zarr::Kind::unsigned_int;
    type.item_size = 1;
    auto npy = bev::native::npy_head({.row = type, .name = "", .count = 3});
    npy += "abc";
    const auto npz = bev::native::npz_of(std::as_bytes(std::span(npy)), "mask");
    const auto arrays = bev::test::parse_npz(npz);
    REQUIRE(arrays.size() == 1);
    CHECK(arrays.at("mask").shape == std::vector<std::size_t>{3});
    CHECK(arrays.at("mask").as<char>() == std::vector<char>{'a', 'b', 'c'});
  }
}

}  // namespace npy_test
