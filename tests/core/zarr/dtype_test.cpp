#include "core/zarr/dtype.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/base/error.hpp"

namespace dtype_test {

using bev::Errc;
using bev::Error;
using nlohmann::json;
using namespace bev::zarr;

namespace {

DType parse(const char* text) {
  return parse_dtype(json::parse(text), "a/.zarray");
}

Errc code_of(const char* text) {
  try {
    parse(text);
  } catch (const Error& error) {
    return error.code();
  }
  return Errc::internal;
}

constexpr const char* kAgents = R"([["centroid","<f8",[2]],["extent","<f4",[3]],
  ["yaw","<f4"],["velocity","<f4",[2]],["track_id","<u8"],
  ["label_probabilities","<f4",[17]]])";

}  // namespace

TEST_SUITE("zarr/dtype") {
  TEST_CASE("every NumPy code is parsed and written back unchanged") {
    for (const char* code :
         {"|b1",      "|i1",  "<i2",     ">i4",  "<i8", "|u1",     ">u2",
          "<u4",      ">u8",  "<f2",     ">f4",  "<f8", "<c8",     ">c16",
          "|S1",      "|S12", "<U3",     ">U16", "|V5", "<M8[ns]", ">M8[D]",
          "<m8[25s]", "<M8",  "<m8[as]", "|S0",  "<U0"}) {
      CAPTURE(code);
      // In a record, which allows an element of no bytes too.
      const json list =
          json::array({json::array({"pad", "|u1"}), json::array({"x", code})});
      const DType type = parse_dtype(list, "a/.zarray");
      CHECK(to_string(type.fields[1].type) == code);
      CHECK(to_json(type) == list);
    }
  }

  TEST_CASE("a code gives kind, byte order and size") {
    const DType unicode = parse(R"(">U16")");
    CHECK(unicode.kind == Kind::unicode);
    CHECK(unicode.order == ByteOrder::big);
    CHECK(unicode.item_size == 64);
    const DType date = parse(R"("<M8[25s]")");
    CHECK(date.kind == Kind::datetime);
    CHECK(date.unit == "25s");
    CHECK(date.item_size == 8);
    CHECK(parse(R"("<i1")").order == ByteOrder::none);
    CHECK(parse(R"("|a3")").kind == Kind::bytes);
  }

  TEST_CASE("a record is packed: each field starts where the one before ends") {
    const DType agents = parse(kAgents);
    CHECK(agents.kind == Kind::record);
    CHECK(agents.size() == 116);
    CHECK(to_string(agents) == "|V116");
    std::vector<std::size_t> offsets;
    for (const Field& field : agents.fields) offsets.push_back(field.offset);
    CHECK(offsets == std::vector<std::size_t>{0, 16, 28, 32, 40, 48});
    CHECK(agents.fields[0].type.shape == std::vector<std::size_t>{2});
    CHECK(agents.fields[0].type.size() == 16);
    CHECK(to_json(agents) == json::parse(kAgents));
  }

  TEST_CASE("records nest, with subarrays of records") {
    const char* text = R"([["id","|u1"],["pose",[["x","<f8"],["q",">f4",[2,2]]],[3]]])";
    const DType type = parse(text);
    CHECK(type.size() == 1 + 3 * 24);
    CHECK(type.fields[1].type.item_size == 24);
    CHECK(type.fields[1].type.fields[1].type.size() == 16);
    CHECK(to_json(type) == json::parse(text));
  }

  TEST_CASE("a number as shape means one axis") {
    CHECK(parse(R"([["x","<f4",3]])").fields[0].type.shape ==
          std::vector<std::size_t>{3});
  }

  TEST_CASE("objects and long doubles are refused by name") {
    CHECK_THROWS_WITH_AS(parse(R"("|O")"),
                         "a/.zarray: dtype \"|O\": objects are not supported", Error);
    for (const char* text : {R"("|O")", R"("<f16")", R"("<c32")", R"([["x","|O8"]])"}) {
      CAPTURE(text);
      CHECK(code_of(text) == Errc::unsupported);
    }
  }

  TEST_CASE("invalid types are invalid metadata, and the message names the field") {
    for (const char* text : {R"("")",
                             R"("f")",
                             R"("f8")",
                             R"("=f8")",
                             R"("<f3")",
                             R"("<i0")",
                             R"("<x4")",
                             R"("|f8")",
                             R"("|U4")",
                             R"("<f")",
                             R"("<f-8")",
                             R"("<f8 ")",
                             R"("<M8[fortnight]")",
                             R"("<M8[0s]")",
                             R"("<M8[]")",
                             R"("<M4")",
                             R"("|S0")",
                             "3",
                             "null",
                             "[]",
                             "{}",
                             R"([["x"]])",
                             R"([["x","<f4",[2],1]])",
                             R"([[1,"<f4"]])",
                             R"([["x","<f4",[-1]]])",
                             R"([["x","<f4",[1.5]]])",
                             R"([["x","<f4","2"]])",
                             R"([["x","<f4"],["x","<f8"]])",
                             R"([["x","<f4",[0]]])",
                             R"(["<f4"])"}) {
      CAPTURE(text);
      CHECK(code_of(text) == Errc::invalid_metadata);
    }
    CHECK_THROWS_WITH_AS(parse(R"([["yaw","<f3"]])"),
                         "a/.zarray: field \"yaw\": dtype \"<f3\": invalid size",
                         Error);
  }

  TEST_CASE("sizes that overflow are refused") {
    CHECK(code_of(R"([["x","<f8",[4294967296,4294967296]]])") ==
          Errc::invalid_metadata);
    CHECK(code_of(R"("<U9223372036854775807")") == Errc::invalid_metadata);
    CHECK(code_of(R"("|S99999999999999999999999")") == Errc::invalid_metadata);
  }

  TEST_CASE("nesting depth is bounded") {
    json deep = "<f4";
    for (int i = 0; i < 40; ++i) deep = json::array({json::array({"x", deep})});
    CHECK_THROWS_AS(parse_dtype(deep, "a"), Error);
  }

  TEST_CASE("a record is written back as the list it was read from") {
    const auto list = json::parse(kAgents);
    CHECK(to_json(parse_dtype(list, "a")) == list);
    const auto nested = json::parse(R"([["r",[["x",">f4"],["u","<U4"]],[2,3]]])");
    CHECK(to_json(parse_dtype(nested, "a")) == nested);
    CHECK(to_string(parse_dtype(nested, "a")) == "|V120");
  }

  TEST_CASE("a nested field is named with all it is in") {
    CHECK_THROWS_WITH_AS(
        parse(R"([["a",[["b","<f3"]]]])"),
        "a/.zarray: field \"a\": field \"b\": dtype \"<f3\": invalid size", Error);
    CHECK_THROWS_WITH_AS(parse(R"([["x","<f4"],["x","<f8"]])"),
                         "a/.zarray: duplicate field \"x\"", Error);
    CHECK_THROWS_WITH_AS(parse(R"([["x","<f4","2"]])"),
                         "a/.zarray: field \"x\": invalid shape (found \"2\", expected "
                         "a list of lengths)",
                         Error);
    CHECK_THROWS_WITH_AS(parse(R"("|S0")"),
                         "a/.zarray: dtype \"|S0\": size must not be 0", Error);
  }

  TEST_CASE("records whose fields together overflow are refused") {
    CHECK(code_of(R"([["a","|V9223372036854775807"],["b","|V9223372036854775807"],
                      ["c","|V9223372036854775807"]])") == Errc::invalid_metadata);
  }

  TEST_CASE("a record of records may repeat a name at another level") {
    const auto type = parse(R"([["x","<f4"],["r",[["x","<u2"]]]])");
    CHECK(type.fields[1].type.fields[0].name == "x");
    CHECK(type.fields[1].offset == 4);
    CHECK(type.size() == 6);
  }

  TEST_CASE("records nested as deep as the limit are read, one deeper is not") {
    const auto nested = [](int depth) {
      json type = "<f4";
      for (int i = 0; i < depth; ++i) type = json::array({json::array({"x", type})});
      return type;
    };
    CHECK(parse_dtype(nested(32), "a").size() == 4);
    CHECK_THROWS_WITH_AS(parse_dtype(nested(33), "a"),
                         doctest::Contains("records nested deeper than 32"), Error);
  }
}

}  // namespace dtype_test
