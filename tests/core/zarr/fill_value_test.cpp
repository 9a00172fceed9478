#include "core/zarr/fill_value.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "tests/support/records.hpp"

namespace fill_value_test {

using bev::Error;
using bev::load_be;
using bev::load_le;
using bev::test::Packed;
using nlohmann::json;
using namespace bev::zarr;

namespace {

DType type_of(const char* dtype) {
  return parse_dtype(dtype[0] == '[' ? json::parse(dtype) : json(dtype), "a");
}

std::vector<std::byte> fill(const char* dtype, const char* value) {
  return parse_fill_value(json::parse(value), type_of(dtype), "a/.zarray");
}

bool is_zero(const std::vector<std::byte>& element) {
  return element == std::vector<std::byte>(element.size());
}

}  // namespace

TEST_SUITE("zarr/fill_value") {
  TEST_CASE("null means zeros for every type") {
    for (const char* dtype : {"<f8", ">i2", "|b1", "<U3", "|S4", "|V5", "<M8[s]",
                              "<c16", R"([["x","<f4",[2]],["y","|u1"]])"}) {
      CAPTURE(dtype);
      CHECK(is_zero(fill(dtype, "null")));
      CHECK(fill(dtype, "null").size() == type_of(dtype).size());
    }
  }

  TEST_CASE("integers have the type's byte order") {
    CHECK(load_le<std::int32_t>(fill("<i4", "-7").data()) == -7);
    CHECK(load_be<std::int32_t>(fill(">i4", "-7").data()) == -7);
    CHECK(load_be<std::uint64_t>(fill(">u8", "18446744073709551615").data()) ==
          18446744073709551615u);
    CHECK(load_le<std::int64_t>(fill("<i8", "-9223372036854775808").data()) ==
          std::numeric_limits<std::int64_t>::min());
    CHECK(load_le<std::int16_t>(fill("<i2", "3.0").data()) == 3);
    CHECK(fill("|b1", "true")[0] == std::byte{1});
    CHECK(fill("|b1", "0")[0] == std::byte{0});
  }

  TEST_CASE("reals may be NaN and Infinity by name") {
    CHECK(std::isnan(load_le<double>(fill("<f8", R"("NaN")").data())));
    CHECK(load_be<float>(fill(">f4", R"("-Infinity")").data()) ==
          -std::numeric_limits<float>::infinity());
    CHECK(load_le<float>(fill("<f4", "0.1").data()) == 0.1f);
    CHECK(load_le<float>(fill("<f4", "1e300").data()) ==
          std::numeric_limits<float>::infinity());
    CHECK(load_le<std::uint16_t>(fill("<f2", "1.5").data()) == 0x3e00);
    CHECK(std::signbit(load_le<double>(fill("<f8", "-0.0").data())));
  }

  TEST_CASE("complex numbers are pairs") {
    const auto element = fill("<c16", R"([1.5, "NaN"])");
    CHECK(load_le<double>(element.data()) == 1.5);
    CHECK(std::isnan(load_le<double>(element.data() + 8)));
    CHECK(load_be<float>(fill(">c8", "[0, -2]").data() + 4) == -2);
    CHECK(load_le<float>(fill("<c8", "3").data()) == 3);
  }

  TEST_CASE("dates are integers or NaT") {
    CHECK(load_le<std::int64_t>(fill("<M8[ns]", "-1").data()) == -1);
    CHECK(load_be<std::int64_t>(fill(">m8[s]", R"("NaT")").data()) ==
          std::numeric_limits<std::int64_t>::min());
  }

  TEST_CASE("U is padded text, S is Base64") {
    const auto text = fill("<U3", R"("a\u20ac")");
    CHECK(load_le<std::uint32_t>(text.data() + 4) == 0x20ac);
    CHECK(load_le<std::uint32_t>(text.data() + 8) == 0);
    CHECK(fill("|S4", R"("Zm9v")") == Packed().text("foo").zeros(1).bytes());
    CHECK(fill("|V3", R"("Zm9v")") == Packed().text("foo").bytes());
    CHECK(fill(R"([["x","|u1"],["y","<u2"]])", R"("Zm9v")") ==
          Packed().text("foo").bytes());
  }

  TEST_CASE("0 means zeros for non-numeric types") {
    for (const char* dtype : {"<U3", "|S4", "|V5", R"([["x","<f4"]])"}) {
      CAPTURE(dtype);
      CHECK(is_zero(fill(dtype, "0")));
    }
  }

  TEST_CASE("an oversized element is refused before allocation") {
    for (const char* dtype : {"|V268435457", "<U67108865", "|S2000000000",
                              R"([["x","|V99"],["y","|S1",[300000,1000]]])"}) {
      CAPTURE(dtype);
      try {
        fill(dtype, "0");
        FAIL("accepted");
      } catch (const Error& error) {
        CHECK(error.code() == bev::Errc::unsupported);
        CHECK(std::string(error.what()).find("a/.zarray: elements too large (found ") ==
              0);
      }
    }
  }

  TEST_CASE("a value of the wrong type is refused") {
    const char* wrong[][2] = {{"<i4", "1.5"},
                              {"<i4", R"("1")"},
                              {"|i1", "128"},
                              {"|i1", "-129"},
                              {"|u1", "256"},
                              {"<u4", "-1"},
                              {"<i8", "9223372036854775808"},
                              {"|b1", "2"},
                              {"<f4", R"("nan")"},
                              {"<f4", "[]"},
                              {"<f4", "true"},
                              {"<c8", "[1]"},
                              {"<c8", R"([1,"x"])"},
                              {"<U2", R"("abc")"},
                              {"<U2", "1"},
                              {"|S2", R"("Zm9v")"},
                              {"|S2", R"("?")"},
                              {"|V3", R"("Zg==")"},
                              {"<M8[s]", "1.5"},
                              {R"([["x","<f4"]])", "1"}};
    for (const auto& pair : wrong) {
      const auto& dtype = pair[0];
      const auto& value = pair[1];
      CAPTURE(dtype);
      CAPTURE(value);
      CHECK_THROWS_AS(fill(dtype, value), Error);
    }
    CHECK_THROWS_WITH_AS(fill("<i4", "1.5"),
                         "a/.zarray: fill_value 1.5 is not a value of dtype \"<i4\"",
                         Error);
  }

  TEST_CASE("written values are read back as the same bytes") {
    bev::test::Random random(7);
    for (const char* dtype :
         {"|b1", "|i1", ">i2", "<i4", ">i8", "|u1", "<u8", ">f4", "<f8", "<c8", ">c16",
          "|S5", "|V5", "<M8[ns]", ">m8[D]", R"([["x",">f4",[2]],["y","|S3"]])"}) {
      const DType type = type_of(dtype);
      for (int i = 0; i < 20; ++i) {
        auto element = random.bytes(type.size());
        if (type.kind == Kind::boolean) element[0] &= std::byte{1};
        const json written = fill_value_json(element, type);
        const bool has_nan = written.dump().find("NaN") != std::string::npos;
        CAPTURE(dtype);
        CAPTURE(written.dump());
        if (!has_nan) CHECK(parse_fill_value(written, type, "a") == element);
      }
    }
    const auto text = fill(">U3", R"("a\u20ac")");
    CHECK(fill_value_json(text, type_of(">U3")) == "a\xe2\x82\xac");
    CHECK(fill_value_json(fill("<f2", R"("-Infinity")"), type_of("<f2")) ==
          "-Infinity");
  }

  TEST_CASE("Base64: the examples of RFC 4648, both ways") {
    const char* pairs[][2] = {{"f", "Zg=="},         {"fo", "Zm8="},
                              {"foo", "Zm9v"},       {"foob", "Zm9vYg=="},
                              {"fooba", "Zm9vYmE="}, {"foobar", "Zm9vYmFy"}};
    for (const auto& pair : pairs) {
      const auto bytes = Packed().text(pair[0]).bytes();
      const auto type = type_of(("|V" + std::to_string(bytes.size())).c_str());
      CAPTURE(pair[0]);
      CHECK(fill_value_json(bytes, type) == json(pair[1]));
      CHECK(parse_fill_value(json(pair[1]), type, "a") == bytes);
    }
    CHECK(is_zero(fill("|S3", "\"\"")));
  }

  TEST_CASE("Base64: bytes of every length are restored") {
    bev::test::Random random(1);
    for (std::size_t size = 1; size < 70; ++size) {
      const auto type = type_of(("|V" + std::to_string(size)).c_str());
      const auto bytes = random.bytes(size);
      CHECK(parse_fill_value(fill_value_json(bytes, type), type, "a") == bytes);
    }
  }

  TEST_CASE("Base64: invalid text is refused") {
    const auto type = type_of("|S9");
    for (const char* text :
         {"A", "AB", "ABC", "AB C", "AB=C", "A===", "====", "AB\nC", "-_=="}) {
      CAPTURE(text);
      CHECK_THROWS_AS(parse_fill_value(json(text), type, "a"), Error);
    }
  }
}

}  // namespace fill_value_test
