#include "core/parquet/thrift.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/error_code.hpp"
#include "tests/support/parquet_by_hand.hpp"

namespace thrift_test {
namespace {

using bev::Errc;
using bev::parquet::Thrift;
using bev::test::error_code;
using bev::test::ThriftBytes;
using namespace std::string_literals;

Thrift thrift_of(const std::string& text) {
  return Thrift(std::as_bytes(std::span(text.data(), text.size())));
}

std::optional<Errc> skipped(const std::string& text) {
  return error_code([&] { thrift_of(text).skip(Thrift::record); });
}

TEST_SUITE("parquet/thrift") {
  TEST_CASE("fields are read, and others skipped") {
    const auto text = ThriftBytes()
                          .number(1, -5)
                          .text(2, "abc")
                          .record(5, ThriftBytes().flag(1, true).number(2, 300))
                          .list(6, {ThriftBytes().number(1, 1), ThriftBytes()})
                          .number(7, std::int64_t{1} << 40, 6)
                          .done();
    auto thrift = thrift_of(text);
    std::vector<std::int64_t> numbers;
    std::string name;
    thrift.fields([&](std::int64_t id, Thrift::Type type) {
      if (id == 1 || id == 7) {
        numbers.push_back(thrift.number());
      } else if (id == 2) {
        name = thrift.text();
      } else {
        thrift.skip(type);
      }
    });
    CHECK(numbers == std::vector<std::int64_t>{-5, std::int64_t{1} << 40});
    CHECK(name == "abc");
    CHECK(thrift.position() == text.size());
  }

  TEST_CASE("values of all types are skipped") {
    CHECK_FALSE(skipped("\x11\x12\x13\x07\x15\x01\x17"s + std::string(8, 'd') +
                        "\x1a\x21\x01\x02\x1b\x01\x55\x02\x04\x1b\x00\x00"s));
  }

  TEST_CASE("truncated, long and deep values are refused") {
    const auto text = ThriftBytes().text(2, "abc").number(3, 7).done();
    for (std::size_t size = 0; size < text.size(); ++size) {
      CHECK(skipped(text.substr(0, size)) == Errc::corrupt_chunk);
    }
    CHECK(skipped("\x19\xfc\xff\xff\xff\xff\x0f"s) == Errc::corrupt_chunk);
    CHECK(skipped("\x1b\xff\xff\xff\xff\x0f\x55"s) == Errc::corrupt_chunk);
    CHECK(skipped("\x18\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"s) ==
          Errc::corrupt_chunk);
    CHECK(skipped("\x15"s + std::string(11, '\xff')) == Errc::corrupt_chunk);
    CHECK(skipped("\x1e"s) == Errc::corrupt_chunk);
    CHECK(skipped(std::string(1'000, '\x1c')) == Errc::corrupt_chunk);
    CHECK(skipped("\x19"s + std::string(1'000, '\x19')) == Errc::corrupt_chunk);
  }
}

}  // namespace
}  // namespace thrift_test
