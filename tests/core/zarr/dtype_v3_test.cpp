#include "core/zarr/dtype_v3.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "core/base/error.hpp"

namespace dtype_v3_test {

using bev::Errc;
using bev::Error;
using namespace bev::zarr;
using nlohmann::json;
using Bytes = std::vector<std::byte>;

namespace {

json in_v2(const char* type, char order = '<') {
  return dtype_from_v3(json::parse(type), order, "x");
}

Errc code_of(const std::string& type) {
  try {
    parse_dtype(dtype_from_v3(json::parse(type), '<', "x"), "x");
  } catch (const Error& error) {
    CHECK(std::string(error.what()).starts_with("x: "));
    return error.code();
  }
  return Errc::internal;
}

Bytes fill(const char* value, const char* dtype) {
  return fill_from_v3(json::parse(value), parse_dtype(json::parse(dtype), "x"), "x");
}

Bytes bytes(std::initializer_list<int> values) {
  Bytes out;
  for (const int value : values) out.push_back(static_cast<std::byte>(value));
  return out;
}

}  // namespace

TEST_SUITE("zarr/dtype_v3") {
  TEST_CASE("each name maps to a code of version 2") {
    CHECK(in_v2("\"bool\"") == "|b1");
    CHECK(in_v2("\"int8\"", '>') == "|i1");
    CHECK(in_v2("\"uint64\"") == "<u8");
    CHECK(in_v2("\"float16\"", '>') == ">f2");
    CHECK(in_v2("\"complex128\"") == "<c16");
    CHECK(in_v2("\"r24\"") == "|V3");
    CHECK(in_v2(R"({"name": "fixed_length_utf32",
                    "configuration": {"length_bytes": 64}})") == "<U16");
    CHECK(in_v2(R"({"name": "null_terminated_bytes",
                    "configuration": {"length_bytes": 7}})") == "|S7");
    CHECK(in_v2(R"({"name": "numpy.datetime64",
                    "configuration": {"unit": "s", "scale_factor": 25}})") ==
          "<M8[25s]");
    CHECK(in_v2(R"({"name": "numpy.timedelta64",
                    "configuration": {"unit": "ns", "scale_factor": 1}})") ==
          "<m8[ns]");
  }

  TEST_CASE("both spellings of records are supported, nested too") {
    const json expected = json::parse(R"([["a", "<f8"], ["b", [["c", "|u1"]]]])");
    CHECK(in_v2(R"({"name": "structured", "configuration": {"fields": [["a", "float64"],
      ["b", {"name": "structured", "configuration": {"fields": [["c", "uint8"]]}}]]}})") ==
          expected);
    CHECK(in_v2(R"({"name": "struct", "configuration": {"fields": [
      {"name": "a", "data_type": "float64"}, {"name": "b", "data_type": {"name": "struct",
      "configuration": {"fields": [{"name": "c", "data_type": "uint8"}]}}}]}})") ==
          expected);
  }

  TEST_CASE("unsupported and invalid types have their own errors") {
    CHECK(code_of("\"string\"") == Errc::unsupported);
    CHECK(code_of("\"r7\"") == Errc::unsupported);
    CHECK(code_of("\"r0\"") == Errc::unsupported);
    CHECK(code_of("7") == Errc::invalid_metadata);
    CHECK(code_of("{}") == Errc::invalid_metadata);
    CHECK(code_of(R"({"name": 3})") == Errc::invalid_metadata);
    CHECK(code_of(R"({"name": "struct"})") == Errc::invalid_metadata);
    CHECK(code_of(R"({"name": "struct", "configuration": {"fields": [3]}})") ==
          Errc::invalid_metadata);
    CHECK(
        code_of(R"({"name": "struct", "configuration": {"fields": [[3, "int8"]]}})") ==
        Errc::invalid_metadata);
    CHECK(code_of(R"({"name": "fixed_length_utf32"})") == Errc::invalid_metadata);
    CHECK(code_of(R"({"name": "fixed_length_utf32",
                      "configuration": {"length_bytes": 7}})") ==
          Errc::invalid_metadata);
    CHECK(code_of(R"({"name": "numpy.datetime64"})") == Errc::invalid_metadata);
    std::string deep = "\"int8\"";
    for (int i = 0; i < 40; ++i) {
      deep =
          R"({"name": "struct", "configuration": {"fields": [["f", )" + deep + "]]}}";
    }
    CHECK(code_of(deep) == Errc::invalid_metadata);
  }

  TEST_CASE("fill values follow version 3") {
    CHECK(fill("258", "\"<i2\"") == bytes({2, 1}));
    CHECK(fill("\"0x7fc00001\"", "\"<f4\"") == bytes({1, 0, 0xc0, 0x7f}));
    CHECK(fill("\"0x7e00\"", "\">f2\"") == bytes({0x7e, 0}));
    CHECK(fill("\"-Infinity\"", "\"<f4\"") == bytes({0, 0, 0x80, 0xff}));
    CHECK(fill("[1, 255]", "\"|V2\"") == bytes({1, 255}));
    CHECK(fill("\"AQI=\"", R"([["a", "|u1"], ["b", "|u1"]])") == bytes({1, 2}));
    CHECK(fill(R"({"a": 1, "b": 2})", R"([["b", "|u1"], ["a", "<i2"]])") ==
          bytes({2, 1, 0}));
    for (const char* wrong : {"\"0x7fc0\"", "\"0x7fc0000g\"", "[1, 2]", "{}"}) {
      CAPTURE(wrong);
      CHECK_THROWS_AS(fill(wrong, "\"<f4\""), Error);
    }
    CHECK_THROWS_AS(fill(R"({"a": 1})", R"([["a", "|u1"], ["b", "|u1"]])"), Error);
    CHECK_THROWS_AS(fill("[1, 256]", "\"|V2\""), Error);
    CHECK_THROWS_AS(fill("[1]", "\"|V2\""), Error);
  }
}

}  // namespace dtype_v3_test
