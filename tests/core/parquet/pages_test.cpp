#include "core/parquet/pages.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/parquet_by_hand.hpp"

namespace pages_test {
namespace {

using namespace bev::parquet;
using namespace bev::test;
using namespace std::string_literals;
using bev::Errc;

std::vector<std::string> values_of(const std::string& pages, const Column& column,
                                   std::uint64_t rows, std::uint64_t codec = 0) {
  std::vector<std::string> out;
  read_values(std::as_bytes(std::span(pages.data(), pages.size())), column,
              {{0, pages.size()}, codec}, rows,
              [&](std::uint64_t row, const Value& value) {
                CHECK(row == out.size());
                const bool is_text = column.type == Type::bytes;
                out.push_back(value.is_null ? "null"
                              : is_text     ? std::string(value.text)
                                            : std::to_string(value.integer) + "/" +
                                              std::to_string(value.real));
              });
  return out;
}

std::string refusal(const std::string& pages, const Column& column, std::uint64_t rows,
                    std::uint64_t codec = 0) {
  try {
    values_of(pages, column, rows, codec);
  } catch (const bev::Error& error) {
    return error.what();
  }
  return {};
}

using Texts = std::vector<std::string>;

TEST_SUITE("parquet/pages") {
  TEST_CASE("plain values of all types follow one another, over pages") {
    const Column real{"x", Type::real64};
    const auto pages = data_page(plain_numbers<double>({0.5, 1}), 2) +
                       data_page(plain_numbers<double>({-2}), 1);
    CHECK(values_of(pages, real, 3) ==
          Texts{"0/0.500000", "0/1.000000", "0/-2.000000"});
    CHECK(values_of(data_page(plain_numbers<float>({0.25F}), 1), {"x", Type::real32},
                    1) == Texts{"0/0.250000"});
    CHECK(values_of(data_page(plain_numbers<std::int32_t>({-7}), 1), {"x", Type::int32},
                    1) == Texts{"-7/0.000000"});
    CHECK(values_of(data_page(plain_numbers<std::int64_t>({7}), 1), {"x", Type::int64},
                    1) == Texts{"7/0.000000"});
    CHECK(values_of(data_page(plain_texts({"a", "", "bc"}), 3), {"x", Type::bytes},
                    3) == Texts{"a", "", "bc"});
  }

  TEST_CASE("booleans are bits, or runs") {
    const Column flag{"x", Type::boolean};
    const Texts expected{"1/0.000000", "0/0.000000", "1/0.000000"};
    CHECK(values_of(data_page("\x05"s, 3), flag, 3) == expected);
    CHECK(values_of(data_page("\x02\0\0\0\x03\x05"s, 3, 3), flag, 3) == expected);
    const auto many = values_of(data_page("\xff\x01"s, 9), flag, 9);
    CHECK(many == Texts(9, "1/0.000000"));
    CHECK(refusal(data_page("\xff"s, 9), flag, 9) == "column x: truncated values");
    CHECK(refusal(data_page("\x03\0\0\0\x03\x05"s, 3, 3), flag, 3) ==
          "column x: truncated runs");
    CHECK(refusal(data_page("\x02\0\0\0\x03\x05"s, 3, 3), {"x", Type::int32}, 3)
              .find("encoding 3") != std::string::npos);
  }

  TEST_CASE("dictionaries have runs and packed groups") {
    const Column text{"x", Type::bytes};
    const auto dictionary = dictionary_page(plain_texts({"a", "b", "c"}), 3);
    // Width 2: a run of four 1, then a packed group 0 1 2 0 1 2 0 1.
    const auto indices = "\x02\x08\x01\x03\x24\x49"s;
    CHECK(values_of(dictionary + data_page(indices, 12, 8), text, 12) ==
          Texts{"b", "b", "b", "b", "a", "b", "c", "a", "b", "c", "a", "b"});
    CHECK(values_of(dictionary + data_page(indices, 12, 2), text, 12).size() == 12);
  }

  TEST_CASE("optional columns have null") {
    const Column optional{"x", Type::int32, true};
    // Levels in four bytes, of width 1: a packed group 1 0 1 ...
    const auto levels = "\x02\0\0\0\x03\x05"s;
    const auto page = data_page(levels + plain_numbers<std::int32_t>({4, 5}), 3);
    CHECK(values_of(page, optional, 3) == Texts{"4/0.000000", "null", "5/0.000000"});
    const auto second = ThriftBytes()
                            .number(1, 3)
                            .number(2, 10)
                            .number(3, 10)
                            .record(8, ThriftBytes()
                                           .number(1, 3)
                                           .number(2, 1)
                                           .number(3, 3)
                                           .number(4, 0)
                                           .number(5, 2)
                                           .number(6, 0)
                                           .flag(7, false))
                            .done() +
                        "\x03\x05"s + plain_numbers<std::int32_t>({4, 5});
    CHECK(values_of(second, optional, 3) == Texts{"4/0.000000", "null", "5/0.000000"});
    CHECK(values_of(second, optional, 3, 1).size() == 3);  // not compressed
  }

  TEST_CASE("Snappy is decoded") {
    const Column real{"x", Type::int32};
    // 8 bytes: a literal of 4, and a copy of 4 from 4 before.
    const auto stored = "\x08\x0c\x01\x02\x03\x04\x01\x04"s;
    const auto page = ThriftBytes()
                          .number(1, 0)
                          .number(2, 8)
                          .number(3, static_cast<std::int64_t>(stored.size()))
                          .record(5, ThriftBytes().number(1, 2).number(2, 0))
                          .done() +
                      stored;
    CHECK(values_of(page, real, 2, 1) ==
          Texts{"67305985/0.000000", "67305985/0.000000"});
    auto damaged = page;
    damaged.back() = '\x05';
    CHECK(refusal(damaged, real, 2, 1) == "column x: Snappy: invalid");
  }

  TEST_CASE("what is not read, or not whole, is refused") {
    const Column real{"x", Type::real64};
    const auto page = data_page(plain_numbers<double>({1}), 1);
    CHECK(refusal(page, real, 2).find("wrong number of values (found 1, expected 2)") !=
          std::string::npos);
    CHECK(refusal(page + page, real, 1) == "column x: too many values");
    CHECK(refusal(page, {"x", Type::fixed}, 1).find("of a type") != std::string::npos);
    CHECK(refusal(page, {"x", Type::int96}, 1).find("of a type") != std::string::npos);
    CHECK(refusal(page, {"x", Type::real64, false, false}, 1).find("of a type") !=
          std::string::npos);
    CHECK(refusal(page, real, 1, 4).find("compressed by codec 4") != std::string::npos);
    CHECK(refusal(page, real, 1, 2).find("gzip") != std::string::npos);
    CHECK(refusal(page, real, 1, 6).find("zstd") != std::string::npos);
    CHECK(refusal(data_page(plain_numbers<double>({1}), 1, 5), real, 1) ==
          "column x: encoding 5 (expected plain values or a dictionary)");
    CHECK(refusal(data_page("abc", 1), real, 1) == "column x: truncated values");
    CHECK(refusal(data_page("\x02\x08\x01"s, 4, 8), real, 4) ==
          "column x: a value outside of its dictionary");
    CHECK(refusal(data_page("\x21\x08\x01"s, 4, 8), real, 4) ==
          "column x: a bit width above 32");
    CHECK(refusal(dictionary_page("", 1 << 30), real, 1) ==
          "column x: a dictionary of too few bytes");
    CHECK(refusal(ThriftBytes().number(1, 0).number(2, 1 << 30).number(3, 0).done(),
                  real, 1, 1)
              .find("too large a page") != std::string::npos);
    CHECK(refusal(ThriftBytes().number(1, 9).number(2, 0).number(3, 0).done(), real, 1)
              .find("unknown kind of page") != std::string::npos);
    for (std::size_t size = 1; size < page.size(); ++size) {
      CHECK_FALSE(refusal(page.substr(0, size), real, 1).empty());
    }
  }
}

}  // namespace
}  // namespace pages_test
