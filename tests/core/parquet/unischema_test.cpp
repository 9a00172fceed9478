#include "core/parquet/unischema.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/error_code.hpp"
#include "tests/support/pickles.hpp"

namespace unischema_test {

using bev::Errc;
using bev::parquet::unischema_json;
using bev::test::bytes_of;
using nlohmann::json;

json fields_of(const std::string& pickled) {
  return json::parse(unischema_json(bytes_of(pickled)));
}

// Protocol 0 by hand: Unischema with fields, as pairs of its OrderedDict.
std::string schema(const std::string& pairs) {
  return "ccopy_reg\n_reconstructor\n(cpetastorm.unischema\nUnischema\n"
         "c__builtin__\nobject\nNtR(dS'_fields'\nccollections\nOrderedDict\n((l" +
         pairs + "tRsb.";
}

std::string pair(const std::string& name, const std::string& field) {
  return "(S'" + name + "'\n" + field + "ta";
}

std::string field(const std::string& name, const std::string& rest) {
  return "cpetastorm.unischema\nUnischemaField\n(S'" + name + "'\n" + rest + "tR";
}

std::string error_of(const std::string& pickled) {
  try {
    unischema_json(bytes_of(pickled));
  } catch (const bev::Error& error) {
    CHECK(error.code() == Errc::invalid_metadata);
    return error.what();
  }
  return "";
}

TEST_SUITE("parquet/unischema") {
  TEST_CASE("fields are read without being unpickled") {
    const auto code = schema(
        pair("points", field("points",
                             "cnumpy\nfloat32\n(NI3\nt"
                             "cpetastorm.codecs\nNdarrayCodec\n(tRI01\n")) +
        pair("code", field("code", "cnumpy\ndtype\n(S'u2'\nI0\nI1\ntR(tNI00\n")));
    CHECK(fields_of(code) == json::parse(R"([
        {"name": "points", "dtype": "float32", "shape": [null, 3], "codec": "NdarrayCodec",
         "image": "", "nullable": true},
        {"name": "code", "dtype": "u2", "shape": [], "codec": "", "image": "",
         "nullable": false}])"));
  }

  TEST_CASE("PySpark's named tuples are read by names") {
    const std::string restored =
        "cpyspark.serializers\n_restore\n(S'UnischemaField'\n(S'codec'\nS'name'\n"
        "S'shape'\nS'numpy_dtype'\nt(NS'a'\n(I2\ntcdecimal\nDecimal\nttR";
    const auto fields = fields_of(schema(pair("a", restored)));
    REQUIRE(fields.size() == 1);
    CHECK(fields[0]["name"] == "a");
    CHECK(fields[0]["dtype"] == "Decimal");
    CHECK(fields[0]["shape"] == json::array({2}));
  }

  TEST_CASE("images have the format of their codec") {
    const auto image = [](const std::string& state) {
      const auto codec =
          "cpetastorm.codecs\nCompressedImageCodec\n(tR" + state + "I00\n";
      const auto code =
          schema(pair("a", field("a", "cnumpy\nuint8\n(I2\nI2\nt" + codec)));
      return fields_of(code).at(0)["image"].get<std::string>();
    };
    CHECK(image("(dS'_image_codec'\nS'.jpeg'\nsb") == "jpeg");
    CHECK(image("") == "png");
  }

  TEST_CASE("names are quoted as JSON has them") {
    const auto code =
        schema(pair("a", "cm\nF\n(Va\"\\u000a\ncnumpy\nint8\n(tNI00\ntR"));
    CHECK(fields_of(code)[0]["name"] == "a\"\n");
  }

  TEST_CASE("other pickles are refused") {
    CHECK(error_of("cposix\nsystem\n(S'ls'\ntR.") ==
          "Unischema: not a Unischema with fields (found a call of posix.system)");
    CHECK(error_of("I7\n.") ==
          "Unischema: not a Unischema with fields (found an integer)");
    CHECK(error_of("") == "Unischema: offset 0: too few bytes (found 0, expected 1)");
    const auto of = [](const std::string& rest) {
      return error_of(schema(pair("a", field("a", rest))));
    };
    CHECK(of("cnumpy\nint8\nNNI00\n") == "Unischema: field a: invalid shape");
    CHECK(of("cnumpy\nint8\n(I-1\ntNI00\n") == "Unischema: field a: invalid shape");
    CHECK(of("cnumpy\nint8\n(tI5\nI00\n") ==
          "Unischema: field a: expected a codec (found an integer)");
    CHECK(of("cnumpy\nint8\n(tN(t") ==
          "Unischema: field a: nullable: expected a boolean (found a tuple)");
    CHECK(error_of(schema(pair("a", "N"))) ==
          "Unischema: expected a field (found None)");
    CHECK(error_of(schema("(S'a'\nta")) == "Unischema: expected pairs (found a tuple)");
    const auto once = pair("a", field("a", "cnumpy\nint8\n(tNI00\n"));
    CHECK(error_of(schema(once + once)) == "Unischema: field a is given twice");
    std::string many;
    for (int i = 0; i < 4097; ++i) {
      many += pair("a", field("a" + std::to_string(i), "cnumpy\nint8\n(tNI00\n"));
    }
    CHECK(error_of(schema(many)) == "Unischema: too many fields (limit 4096)");
  }

  TEST_CASE("more than 16 MiB are refused unread") {
    const std::string code((16U << 20) + 1, 'N');
    CHECK(bev::test::error_code([&] { unischema_json(bytes_of(code)); }) ==
          Errc::limit_exceeded);
  }
}

}  // namespace unischema_test
