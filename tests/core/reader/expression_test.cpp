#include "core/reader/expression.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "core/base/error.hpp"
#include "tests/support/memory_dataset.hpp"

namespace expression_test {

using bev::Errc;
using bev::Error;
using bev::reader::Expression;
using bev::reader::filter_from_json;
using bev::reader::Op;
using bev::reader::parse_filter;
using bev::reader::to_json;
using bev::reader::to_text;
using bev::test::error_code;

namespace {

std::string message_of(std::string_view text) {
  try {
    parse_filter(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::string json_message_of(std::string_view text) {
  try {
    filter_from_json(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

// Text, tree, text and JSON are one tree.
std::string round_trip(std::string_view text) {
  const auto tree = parse_filter(text);
  const auto printed = to_text(tree);
  CAPTURE(printed);
  CHECK(parse_filter(printed) == tree);
  CHECK(to_text(parse_filter(printed)) == printed);
  const auto json = to_json(tree);
  CAPTURE(json);
  CHECK(filter_from_json(json) == tree);
  return printed;
}

}  // namespace

TEST_SUITE("reader/expression") {
  TEST_CASE("text keeps its meaning through tree, text and JSON") {
    for (const std::string_view text :
         {"speed > 10",
          "speed > 10 and label in (\"CAR\", \"TRUCK\")",
          "a < 1 or b < 2 and not c == 3",
          "2 / x > 1 / 3",
          "(a < 1 or b < 2) and c < 3",
          "not (a < 1 or b < 2)",
          "centroid[0] - centroid[1] * 2 >= -3.5",
          "a - b - (c - d) > 0",
          "a - (b - c) > 0",
          "a / (b * c) < 0.001",
          "time between 3.0 and 5.0",
          "isnan(yaw) and abs(-x) > min(a, b, 2)",
          "hash_split(track_id, [0.8, 0.1, 0.1], 0, seed=7)",
          "label_prob(\"CAR\") >= 0.5",
          "has_tag(\"split:val\") and not has_tag(\"a\")",
          "track_id == 18446744073709551615",
          "timestamp > -9223372036854775808",
          "not not a == 1",
          "true",
          "a in (true)",
          "host == \"a \\\"b\\\" \\\\ c\"",
          "-(5) < a",
          "-(-5) < a",
          "x in (-1, 2, 3.5)",
          "frames/extra == 1 and a.b < 2"}) {
      CAPTURE(text);
      CHECK(round_trip(text) == text);
    }
  }

  TEST_CASE("other spellings mean the same") {
    CHECK(round_trip("a = 1") == "a == 1");
    CHECK(round_trip("a not in (1, 2)") == "not a in (1, 2)");
    CHECK(round_trip("a not between 1 and 2") == "not a between 1 and 2");
    CHECK(round_trip("((a)) < (2)") == "a < 2");
    CHECK(round_trip("a == 'x'") == "a == \"x\"");
    CHECK(round_trip("time between 3s and 250ms") == "time between 3.0 and 0.25");
    CHECK(round_trip("t < 2min or t > 1h") == "t < 120.0 or t > 3600.0");
    CHECK(round_trip("a < 1 and (b < 2 and c < 3)") == "a < 1 and (b < 2 and c < 3)");
    CHECK(round_trip("\n a\t<\r1 ") == "a < 1");
    CHECK(round_trip("a < .5 or (a - b) - 1e3 > 0") == "a < 0.5 or a - b - 1000.0 > 0");
    CHECK(round_trip("hash_split(x, [1], 0)") == "hash_split(x, [1.0], 0, seed=0)");
  }

  TEST_CASE("JSON names operators as text does") {
    CHECK(to_json(parse_filter("speed > 10 and c[1] < 2.5")) ==
          R"({"args":[{"args":[{"field":"speed"},10],"op":">"},)"
          R"({"args":[{"field":"c","index":1},2.5],"op":"<"}],"op":"and"})");
    CHECK(to_json(parse_filter("a == 9007199254740993")) ==
          R"({"args":[{"field":"a"},{"integer":"9007199254740993"}],"op":"=="})");
    CHECK(to_json(parse_filter("has_tag('a')")) == R"({"op":"has_tag","tag":"a"})");
    CHECK(filter_from_json(R"({"op": "has_tag", "tag": "a"})") ==
          parse_filter("has_tag('a')"));
    CHECK(filter_from_json(R"({"op": "in", "args": [{"field": "a"}, -3, "x", true]})")
              .args.size() == 4);
  }

  TEST_CASE("errors name the column, what was found and what was expected") {
    CHECK(message_of("speed >") ==
          "filter, column 8: unexpected end (expected a field, number, string, "
          "function or "
          "\"(\")");
    CHECK(message_of("speed > 10 label") ==
          "filter, column 12: unexpected \"label\" (expected an operator, or the end)");
    CHECK(message_of("a < b < c") ==
          "filter, column 7: unexpected \"<\" (expected an operator, or the end)");
    CHECK(
        message_of("sin(x) > 0") ==
        "filter, column 1: unexpected function \"sin\" (expected abs, min, max, isnan, "
        "hash_split, has_tag or label_prob)");
    CHECK(message_of("has_tag(a)") ==
          "filter, column 9: unexpected \"a\" (expected a tag, as a string)");
    CHECK(message_of("a < 10kg") ==
          "filter, column 5: unexpected \"10kg\" (expected a number, with ns, us, ms, "
          "s, min "
          "or h for a time)");
    CHECK(message_of("a == \"x") ==
          "filter, column 6: unexpected end of a string (expected a closing \")");
    CHECK(message_of("a in ()") ==
          "filter, column 7: unexpected \")\" (expected a number or string)");
    CHECK(message_of("c[-1] < 0") ==
          "filter, column 3: unexpected \"-\" (expected an index from 0)");
    CHECK(message_of("hash_split(a, [0.5], 1)") ==
          "filter, column 22: unexpected \"1\" (expected a part below 1)");
    CHECK(message_of("a < 1e308h") ==
          "filter, column 5: unexpected \"1e308h\" (expected a finite number)");
    CHECK(
        message_of("a == \"\xc3\xbc\" \xe2\x82\xac") ==
        "filter, column 10: unexpected \"\xe2\x82\xac\" (expected an operator, or the "
        "end)");
    CHECK(message_of("a == \"\xc3\xbc\xff\"") ==
          "filter, column 8: not UTF-8 (found byte 255)");
    CHECK(message_of("") == message_of("   ").replace(15, 2, "1:"));
    CHECK(message_of("a @ 3") ==
          "filter, column 3: unexpected \"@\" (expected an operator, or the end)");
    CHECK(message_of("min(a) < 3") ==
          "filter, column 6: unexpected \")\" (expected \",\")");
  }

  TEST_CASE("numbers that do not fit are errors") {
    CHECK(message_of("a < 1e400") ==
          "filter, column 5: unexpected \"1e400\" (expected a finite number)");
    CHECK(message_of("a > -9223372036854775809") ==
          "filter, column 5: unexpected number below -2^63 (expected 64 bits)");
    // Integers beyond 64 bits are reals.
    CHECK(round_trip("a < 18446744073709551616") == "a < 1.8446744073709552e+19");
  }

  TEST_CASE("hostile text is refused, with the column") {
    const std::string brackets(100'000, '(');
    CHECK(message_of(brackets) == "filter, column 31: nested too deeply (limit 30)");
    std::string nots;
    for (int i = 0; i < 20'000; ++i) nots += "not ";
    CHECK(message_of(nots) == "filter, column 121: nested too deeply (limit 30)");
    CHECK(message_of(std::string(50, '-') + "a < 1") ==
          "filter, column 31: nested too deeply (limit 30)");
    std::string sum = "a";
    for (int i = 0; i < 100; ++i) sum += "+a";
    CHECK(message_of(sum + " < 1") ==
          "filter, column 60: nested too deeply (limit 30)");
    std::string literals = "a in (1";
    for (int i = 0; i < 20'000; ++i) literals += ",1";
    CHECK(error_code([&] { parse_filter(literals + ")"); }) == Errc::limit_exceeded);
    for (int i = 0; i < 1'000'000; ++i) literals += ",1";
    CHECK(message_of(literals) ==
          "filter, column 100001: too long (found 2040007 bytes, limit 100000)");
    CHECK(message_of("a < 1" + std::string(90'000, '0')).size() < 200);
    CHECK(message_of(std::string(90'000, 'x') + " y").size() < 200);
    CHECK(error_code([] { parse_filter("a < \xff\xfe"); }) == Errc::invalid_argument);
    CHECK(error_code([] { parse_filter(std::string_view("a\0b", 3)); }) ==
          Errc::invalid_argument);
  }

  TEST_CASE("a thousand conditions in a row are not nested") {
    std::string text = "a < 0";
    for (int i = 1; i < 1000; ++i) text += " and a < " + std::to_string(i);
    CHECK(parse_filter(text).args.size() == 1000);
    CHECK(round_trip(text) == text);
  }

  TEST_CASE("JSON that is no filter is refused, with the path") {
    CHECK(json_message_of("[") == "filter: not JSON");
    CHECK(
        json_message_of("null") ==
        "filter: unexpected value (found null, expected a literal, {\"field\": ...} or "
        "{\"op\": ...})");
    CHECK(json_message_of(R"({"op": "xor", "args": []})") ==
          "filter.op: unexpected value (found \"xor\", expected an operator)");
    CHECK(json_message_of(R"({"op": "and", "args": [true]})") ==
          "filter.args: wrong number of arguments (found 1, expected at least 2)");
    CHECK(
        json_message_of(R"({"op": "<", "args": [1, {"field": "and"}]})") ==
        "filter.args[1].field: unexpected value (found \"and\", expected the name of a "
        "field)");
    CHECK(json_message_of(R"({"field": "a", "index": -1})") ==
          "filter.index: unexpected value (found -1, expected an index)");
    CHECK(json_message_of(R"({"op": "number", "args": []})") ==
          "filter.op: unexpected value (found \"number\", expected an operator)");
    CHECK(json_message_of(R"({"integer": "1+1"})") ==
          "filter: unexpected value (found {\"integer\":\"1+1\"}, expected a literal, "
          "{\"field\": ...} or {\"op\": ...})");
    CHECK(
        json_message_of(R"({"op": "in", "args": [{"field": "a"}, {"field": "b"}]})") ==
        "filter.args[1]: unexpected value (found {\"field\":\"b\"}, expected a "
        "literal)");
    CHECK(json_message_of(R"({"field": "a", "idx": 3})") ==
          "filter: unknown member \"idx\"");
    CHECK(json_message_of(R"({"op": "hash_split", "args": [1], "fractions": [1],)"
                          R"( "part": 0, "sed": 7})") ==
          "filter: unknown member \"sed\"");
    std::string deep = "1";
    for (int i = 0; i < 40; ++i) deep = R"({"op": "-x", "args": [)" + deep + "]}";
    CHECK(error_code([&] { filter_from_json(deep); }) == Errc::limit_exceeded);
  }
}

}  // namespace expression_test
