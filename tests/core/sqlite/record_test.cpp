#include "core/sqlite/record.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>

#include "tests/support/error_code.hpp"
#include "tests/support/sqlite.hpp"

using namespace bev;
using namespace bev::sqlite;

namespace {

std::span<const std::byte> span_of_text(const std::string& bytes) {
  return std::as_bytes(std::span(bytes));
}

std::vector<Value> values_of(const std::string& record) {
  std::vector<Field> fields;
  read_fields(span_of_text(record), fields);
  std::vector<Value> out;
  for (const auto& field : fields) out.push_back(value_at(span_of_text(record), field));
  return out;
}

}  // namespace

TEST_SUITE("sqlite/record") {
  TEST_CASE("varints have seven bits a byte, and eight in the ninth") {
    for (const std::uint64_t value :
         {std::uint64_t{0}, std::uint64_t{127}, std::uint64_t{128},
          std::uint64_t{16383}, std::uint64_t{1} << 55U, (std::uint64_t{1} << 56U) - 1,
          std::uint64_t{1} << 56U, std::numeric_limits<std::uint64_t>::max()}) {
      const auto bytes = test::varint_bytes(value);
      const auto found = read_varint(span_of_text(bytes));
      REQUIRE(found);
      CHECK(found->value == value);
      CHECK(found->size == bytes.size());
      CHECK(!read_varint(span_of_text(bytes).first(bytes.size() - 1)));
    }
  }

  TEST_CASE("integers of every size have a sign") {
    using namespace std::string_literals;
    CHECK(values_of("\2\1\xff"s)[0].integer == -1);
    CHECK(values_of("\2\2\x80\0"s)[0].integer == -32768);
    CHECK(values_of("\2\3\x7f\xff\xff"s)[0].integer == 8388607);
    CHECK(values_of("\2\4\xff\xff\xff\xfe"s)[0].integer == -2);
    CHECK(values_of("\2\5\x80\0\0\0\0\0"s)[0].integer == -140737488355328);
    CHECK(values_of("\2\6\x80\0\0\0\0\0\0\0"s)[0].integer ==
          std::numeric_limits<std::int64_t>::min());
    CHECK(values_of("\3\10\11"s)[0].integer == 0);
    CHECK(values_of("\3\10\11"s)[1].integer == 1);
  }

  TEST_CASE("reals, texts, blobs and nulls are read; NaN is null") {
    const auto record = test::record_bytes({1.5,
                                            std::string("text"),
                                            test::Blob{"\1\2"},
                                            {},
                                            std::numeric_limits<double>::quiet_NaN()});
    const auto values = values_of(record);
    REQUIRE(values.size() == 5);
    CHECK(values[0].real == 1.5);
    CHECK(values[1].kind == Kind::text);
    CHECK(values[1].bytes == "text");
    CHECK(values[2].kind == Kind::blob);
    CHECK(values[2].bytes == "\1\2");
    CHECK(values[3].is_null());
    CHECK(values[4].is_null());
  }

  TEST_CASE("values beyond the record and reserved types are errors") {
    using namespace std::string_literals;
    for (const auto& record :
         {""s, "\0"s, "\5\1"s, "\2\6\0\0"s, "\2\x11\0"s, "\2\12\0"s, "\2\13\0"s,
          "\3\x81\x80"s, "\xff\xff\xff\xff\xff\xff\xff\xff\xff"s}) {
      CAPTURE(record.size());
      CHECK(test::error_code([&] { values_of(record); }) == Errc::corrupt_chunk);
    }
  }

  TEST_CASE("the order is null, numbers, text, blobs") {
    const auto record = test::record_bytes({{},
                                            -1.5,
                                            std::int64_t{2},
                                            2.5,
                                            std::string("a"),
                                            std::string("\xff"),
                                            test::Blob{"a"},
                                            test::Blob{"a\1"}});
    const auto values = values_of(record);
    for (std::size_t i = 0; i < values.size(); ++i) {
      for (std::size_t j = 0; j < values.size(); ++j) {
        CHECK(compare(values[i], values[j]) == (i < j ? -1 : (i > j ? 1 : 0)));
      }
    }
  }
}
