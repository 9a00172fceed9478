#include "native/export/npy.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using bev::native::npy_head;
using bev::native::RowLayout;

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
}
