#include "core/zarr/column.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "tests/support/records.hpp"

using bev::Errc;
using bev::Error;
using bev::test::Packed;
using nlohmann::json;
using namespace bev::zarr;

namespace {

DType parse(const char* text) {
  return parse_dtype(json::parse(text), "a");
}

std::vector<std::string> paths_of(const std::vector<Column>& columns) {
  std::vector<std::string> paths;
  for (const Column& column : columns) paths.push_back(column.path);
  return paths;
}

using Paths = std::vector<std::string>;

const DType kNested =
    parse(R"([["id","<u2"],["pose",[["x","<f4"],["q",[["w","<f8"],["v","<f8",[3]]]]]],
              ["parts",[["a","|u1"],["b","<u2"]],[2]]])");

}  // namespace

TEST_SUITE("zarr/column") {
  TEST_CASE("without names, every field is returned, nested ones with dots") {
    const auto columns = columns_of(kNested, {});
    CHECK(paths_of(columns) == Paths{"id", "pose.x", "pose.q.w", "pose.q.v", "parts"});
    CHECK(columns[3].offset == 14);
    CHECK(columns[3].type.shape == std::vector<std::size_t>{3});
  }

  TEST_CASE("an array of records stays one column") {
    const auto columns = columns_of(kNested, Paths{"parts"});
    REQUIRE(columns.size() == 1);
    CHECK(columns[0].type.kind == Kind::record);
    CHECK(columns[0].type.size() == 6);
    CHECK_THROWS_AS(columns_of(kNested, Paths{"parts.a"}), Error);
  }

  TEST_CASE("columns have the requested order and may repeat") {
    const auto columns = columns_of(kNested, Paths{"pose.q", "id", "id"});
    CHECK(paths_of(columns) == Paths{"pose.q.w", "pose.q.v", "id", "id"});
  }

  TEST_CASE("a plain type is one column without a name") {
    const auto columns = columns_of(parse(R"(">i4")"), {});
    REQUIRE(columns.size() == 1);
    CHECK(columns[0] == Column{"", 0, parse(R"(">i4")")});
  }

  TEST_CASE("a name with a dot is found whole or as a path") {
    const DType type =
        parse(R"([["a",[["b","<f4"]]],["a.b","<f8"],["c.d",[["e","|u1"]]]])");
    CHECK(columns_of(type, Paths{"a.b"})[0].offset == 0);
    CHECK(columns_of(type, Paths{"c.d.e"})[0].offset == 12);
  }

  TEST_CASE("an unknown name is refused with the known ones") {
    CHECK_THROWS_WITH_AS(columns_of(parse(R"([["x","<f4"],["y","<f4"]])"), Paths{"z"}),
                         "unknown field \"z\" (expected one of x, y)", Error);
    CHECK_THROWS_WITH_AS(columns_of(parse(R"("<f4")"), Paths{"z"}),
                         "unknown field \"z\" (the array has no fields)", Error);
    for (const char* name : {"", "pose.", ".id", "pose.z", "id.x", "pos", "pose.xx"}) {
      CAPTURE(name);
      try {
        columns_of(kNested, Paths{name});
        FAIL("found");
      } catch (const Error& error) {
        CHECK(error.code() == Errc::not_found);
      }
    }
  }

  TEST_CASE("big-endian scalars are swapped by their own width") {
    const DType type = parse(
        R"([["a",">u2"],["b","|S3"],["c",">c8"],["d","<u4"],["e",">U2"],["f",[["g",">i2"]],[2]]])");
    auto data = Packed().text("ab").text("xyz").text("12345678").text("wxyz");
    data.text("ABCDabcd").text("0123").text("AB");
    auto two = data.bytes();
    const auto record = type.size();
    two.resize(record);
    two.insert(two.end(), two.begin(),
               two.begin() + static_cast<std::ptrdiff_t>(record));
    to_native(type, two);
    const auto expected = Packed().text("ba").text("xyz").text("43218765").text("wxyz");
    auto one = expected;
    one.text("DCBAdcba").text("1032");
    auto wanted = one.bytes();
    wanted.insert(wanted.end(), one.bytes().begin(), one.bytes().end());
    CHECK(two == wanted);
    CHECK(to_string(native_type(type).fields[4].type) == "<U2");
    CHECK(to_string(native_type(type).fields[5].type.fields[0].type) == "<i2");
  }

  TEST_CASE("truncated elements are refused") {
    std::vector<std::byte> data(7);
    CHECK_THROWS_WITH_AS(
        to_native(parse(R"(">i4")"), data),
        "to_native: wrong length (found 7 bytes, expected a multiple of 4)", Error);
  }

  TEST_CASE("a native type is little-endian throughout and of the same layout") {
    const auto type =
        parse(R"([["a",">f8"],["b",[["c",">u2",[2]],["d","|u1"],["e",">U3"]]]])");
    const auto native = native_type(type);
    CHECK(native ==
          parse(R"([["a","<f8"],["b",[["c","<u2",[2]],["d","|u1"],["e","<U3"]]]])"));
    CHECK(native.size() == type.size());
    CHECK(native_type(native) == native);
  }

  TEST_CASE("scalars of nested records and subarrays are swapped one by one") {
    const auto type = parse(R"([["n","|u1"],["r",[["x",">u2",[2]],["s","|S2"]],[2]]])");
    auto data = Packed().text("n").text("ABCDst").text("EFGHuv").bytes();
    to_native(type, data);
    CHECK(data == Packed().text("n").text("BADCst").text("FEHGuv").bytes());
  }

  TEST_CASE("both halves of a complex number and each code unit are swapped") {
    auto complex = Packed().text("abcdefgh").bytes();
    to_native(parse(R"(">c8")"), complex);
    CHECK(complex == Packed().text("dcbahgfe").bytes());
    auto text = Packed().text("abcdefgh").bytes();
    to_native(parse(R"(">U2")"), text);
    CHECK(text == Packed().text("dcbahgfe").bytes());
  }

  TEST_CASE("no elements are native already") {
    to_native(parse(R"(">f8")"), {});
    std::vector<std::byte> five(5);
    CHECK_THROWS_WITH_AS(
        to_native(parse(R"(">u2")"), five),
        "to_native: wrong length (found 5 bytes, expected a multiple of 2)", Error);
  }

  TEST_CASE("a path ends at a scalar, or has all below a record") {
    const Paths pose{"pose"};
    CHECK(paths_of(columns_of(kNested, pose)) ==
          Paths{"pose.x", "pose.q.w", "pose.q.v"});
    for (const std::string bad : {"", "pose.", ".x", "pose.q.w.z", "parts.a", "po"}) {
      CAPTURE(bad);
      const Paths paths{bad};
      CHECK_THROWS_AS(columns_of(kNested, paths), Error);
    }
  }
}
