#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/pickle/read.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/pickles.hpp"

namespace refused_test {

using namespace std::string_literals;
using bev::Errc;
using bev::pickle::Limits;
using bev::pickle::Policy;
using bev::test::bytes_of;

constexpr std::string_view kSome[] = {"numpy.dtype", "made.*"};

void read(const std::string& code, const Policy& policy = {.globals = kSome},
          const Limits& limits = {}) {
  bev::pickle::read(bytes_of(code), "p", policy, limits);
}

struct Refusal {
  std::string code;
  Errc error;
  std::string message;
};

void check(const std::vector<Refusal>& all) {
  for (const auto& one : all) {
    CAPTURE(one.message);
    std::string message = "none";
    Errc code{};
    try {
      read(one.code);
    } catch (const bev::Error& error) {
      message = error.what();
      code = error.code();
    }
    CHECK(message == "p: " + one.message);
    CHECK(code == one.error);
  }
}

// A list in a list and so on, each twice in the next one.
std::string doubled(int levels) {
  std::string code = "\x80\x04]";
  for (int i = 0; i < levels; ++i) code += "2\x86";
  return code + ".";
}

TEST_SUITE("pickle/refused") {
  TEST_CASE("globals that the policy does not admit are refused by name") {
    const std::string system = " is not admitted";
    check({
        {"cposix\nsystem\n(S'ls'\ntR.", Errc::unsupported,
         "offset 0: GLOBAL: posix.system" + system},
        {"\x80\x04\x8c\x02os\x8c\x06system\x93\x8c\x02ls\x85R.", Errc::unsupported,
         "offset 14: STACK_GLOBAL: os.system" + system},
        {"(S'ls'\nios\nsystem\n.", Errc::unsupported,
         "offset 7: INST: os.system" + system},
        {"(cos\nsystem\nS'ls'\no.", Errc::unsupported,
         "offset 1: GLOBAL: os.system" + system},
        {"\x80\x02"
         "cbuiltins\neval\n(S'1'\nt\x81.",
         Errc::unsupported, "offset 2: GLOBAL: builtins.eval" + system},
        {"\x80\x04"
         "cos\nsystem\n)}\x92.",
         Errc::unsupported, "offset 2: GLOBAL: os.system" + system},
        {"cnumpy\ndtypes\n.", Errc::unsupported,
         "offset 0: GLOBAL: numpy.dtypes" + system},
        {"cmade.deep\nThing\n.", Errc::unsupported,
         "offset 0: GLOBAL: made.deep.Thing" + system},
        {"cmad\ne.Thing\n.", Errc::unsupported,
         "offset 0: GLOBAL: mad.e.Thing" + system},
    });
    CHECK_NOTHROW(read("cmade\nThing\n."));
    CHECK_NOTHROW(read("cnumpy\ndtype\n."));
    CHECK_NOTHROW(
        read("\x80\x02"
             "c_codecs\nencode\nX\x01\0\0\0aX\x06\0\0\0latin1\x86R."s));
  }

  TEST_CASE("what names objects outside the pickle is refused") {
    check({
        {"\x80\x02\x82\x07.", Errc::unsupported,
         "offset 2: EXT1: extension code 7 is not admitted"},
        {"\x80\x02\x83\x07\x01.", Errc::unsupported,
         "offset 2: EXT2: extension code 263 is not admitted"},
        {"\x80\x02\x84\x07\0\0\x01."s, Errc::unsupported,
         "offset 2: EXT4: extension code 16777223 is not admitted"},
        {"\x80\x05\x97.", Errc::unsupported,
         "offset 2: NEXT_BUFFER: buffers outside the pickle are not admitted"},
        {"\x80\x05\x97\x98.", Errc::unsupported,
         "offset 2: NEXT_BUFFER: buffers outside the pickle are not admitted"},
        {"\x80\x05\x98.", Errc::unsupported,
         "offset 2: READONLY_BUFFER: buffers outside the pickle are not admitted"},
        {"Pid\n.", Errc::unsupported,
         "offset 0: PERSID: objects outside the pickle are not admitted"},
        {"NQ.", Errc::unsupported,
         "offset 1: BINPERSID: objects outside the pickle are not admitted"},
    });
  }

  TEST_CASE("errors name offset, opcode, what was found and expected") {
    check({
        {"", Errc::corrupt_chunk, "offset 0: too few bytes (found 0, expected 1)"},
        {"N", Errc::corrupt_chunk, "offset 1: too few bytes (found 0, expected 1)"},
        {"z.", Errc::corrupt_chunk, "offset 0: unknown opcode 122"},
        {".", Errc::corrupt_chunk,
         "offset 0: STOP: wrong number of values (found 0, expected 1)"},
        {"NN.", Errc::corrupt_chunk,
         "offset 2: STOP: wrong number of values (found 2, expected 1)"},
        {"N(.", Errc::corrupt_chunk,
         "offset 2: STOP: wrong number of values (found 2, expected 1)"},
        {"N..", Errc::corrupt_chunk,
         "offset 1: STOP: bytes after the end (found 1, expected 0)"},
        {"\x80\x06N.", Errc::unsupported,
         "offset 0: PROTO: unknown protocol (found 6, expected at most 5)"},
        {"N\x80\x02.", Errc::corrupt_chunk, "offset 1: PROTO: not at the beginning"},
        {"K\x01\x86.", Errc::corrupt_chunk,
         "offset 2: TUPLE2: too few values on the stack (found 1, expected 2)"},
        {"K\x01(\x85.", Errc::corrupt_chunk,
         "offset 3: TUPLE1: too few values on the stack (found 0, expected 1)"},
        {"t.", Errc::corrupt_chunk, "offset 0: TUPLE: no mark on the stack"},
        {"(NNNd.", Errc::corrupt_chunk, "offset 4: DICT: a key without a value"},
        {"}]Ns.", Errc::corrupt_chunk, "offset 3: SETITEM: a key that is a list"},
        {"]NNs.", Errc::corrupt_chunk,
         "offset 3: SETITEM: wrong container (found a list, expected a dict)"},
        {"Na.", Errc::corrupt_chunk, "offset 1: APPEND: no container on the stack"},
        {"](Na.", Errc::corrupt_chunk, "offset 3: APPEND: no container on the stack"},
        {")Na.", Errc::corrupt_chunk,
         "offset 2: APPEND: wrong container (found a tuple, expected a list)"},
        {"](N\x90.", Errc::corrupt_chunk,
         "offset 3: ADDITEMS: wrong container (found a list, expected a set)"},
        {"h\x07.", Errc::corrupt_chunk, "offset 0: BINGET: memo 7 is not set"},
        {"Nr\xff\xff\xff\xff.", Errc::corrupt_chunk,
         "offset 1: LONG_BINPUT: invalid memo index (found 4294967295, expected at "
         "most 2)"},
        {"Np-1\n.", Errc::corrupt_chunk,
         "offset 1: PUT: invalid memo index (found -1)"},
        {"N)R.", Errc::corrupt_chunk,
         "offset 2: REDUCE: wrong function (found None, expected a global)"},
        {"cmade\nf\nNR.", Errc::corrupt_chunk,
         "offset 9: REDUCE: wrong arguments (found None, expected a tuple)"},
        {"cmade\nf\n)N\x92.", Errc::corrupt_chunk,
         "offset 10: NEWOBJ_EX: wrong keyword arguments (found None, expected a dict)"},
        {"}}b.", Errc::corrupt_chunk,
         "offset 2: BUILD: state of another value (found a dict, expected a call)"},
        {"cmade\nf\n)R}b}b.", Errc::corrupt_chunk,
         "offset 13: BUILD: a second state of an object"},
        {"NK\x01\x93.", Errc::corrupt_chunk,
         "offset 3: STACK_GLOBAL: wrong module (found None, expected text)"},
        {"(o.", Errc::corrupt_chunk, "offset 1: OBJ: no class above the mark"},
        {"I1x\n.", Errc::corrupt_chunk, "offset 0: INT: not an integer of 64 bits"},
        {"I1", Errc::corrupt_chunk, "offset 0: INT: truncated (expected a line)"},
        {"L9223372036854775808L\n.", Errc::corrupt_chunk,
         "offset 0: LONG: not an integer of 64 bits"},
        {"F0x1\n.", Errc::corrupt_chunk, "offset 0: FLOAT: not a number"},
        {"Sabc\n.", Errc::corrupt_chunk, "offset 0: STRING: no quotes"},
        {"S'\n.", Errc::corrupt_chunk, "offset 0: STRING: no quotes"},
        {"S'\\q'\n.", Errc::corrupt_chunk, "offset 0: STRING: unknown escape"},
        {"S'\\x4'\n.", Errc::corrupt_chunk, "offset 0: STRING: unknown escape"},
        {"V\\u12\n.", Errc::corrupt_chunk, "offset 0: UNICODE: unknown escape"},
        {"V\\ud800\n.", Errc::corrupt_chunk,
         "offset 0: UNICODE: not a code point (found 55296)"},
        {"V\\U00110000\n.", Errc::corrupt_chunk,
         "offset 0: UNICODE: not a code point (found 1114112)"},
        {"\x8c\x01\xff.", Errc::corrupt_chunk,
         "offset 0: SHORT_BINUNICODE: not UTF-8 (found byte 255)"},
        {"\x8c\x03\xed\xa0\x80.", Errc::corrupt_chunk,
         "offset 0: SHORT_BINUNICODE: not UTF-8 (found byte 237)"},
        {"\x8d\xff\xff\xff\xff\xff\xff\xff\xff.", Errc::corrupt_chunk,
         "offset 0: BINUNICODE8: too few bytes (found 1, expected "
         "18446744073709551615)"},
        {"B\xff\xff\xff\xff.", Errc::corrupt_chunk,
         "offset 0: BINBYTES: too few bytes (found 1, expected 4294967295)"},
        {"\x80\x02"
         "c_codecs\nencode\nX\x03\0\0\0\xe2\x82\xacX\x06\0\0\0latin1\x86R."s,
         Errc::corrupt_chunk, "offset 38: REDUCE: a character that is not Latin-1"},
    });
  }

  TEST_CASE("frames that are not what they say are refused") {
    const auto frame = [](char length, const std::string& rest) {
      return "\x80\x04\x95"s + length + "\0\0\0\0\0\0\0"s + rest;
    };
    CHECK_NOTHROW(read(frame(3, "K\x01.")));
    CHECK_NOTHROW(read(frame(2, "K\x01.")));
    CHECK_NOTHROW(read(frame(0, "K\x01.")));
    check({
        {frame(4, "K\x01."), Errc::corrupt_chunk,
         "offset 2: FRAME: too few bytes for it (found 3, expected 4)"},
        {frame(1, "K\x01."), Errc::corrupt_chunk,
         "offset 11: BININT1: too few bytes in the frame (found 0, expected 1)"},
        {frame(10, "\x95\x01\0\0\0\0\0\0\0NN."s), Errc::corrupt_chunk,
         "offset 11: FRAME: within another frame"},
        {"\x95\xff\xff\xff\xff\xff\xff\xff\xffN.", Errc::corrupt_chunk,
         "offset 0: FRAME: too few bytes for it (found 2, expected "
         "18446744073709551615)"},
    });
  }

  TEST_CASE("a container in itself is refused") {
    check({
        {"]2a.", Errc::unsupported, "a list that contains itself"},
        {"]q\0h\0a."s, Errc::unsupported, "a list that contains itself"},
        {"}q\0N]h\0as."s, Errc::unsupported, "a dict that contains itself"},
        {"cmade\nf\n)R2b.", Errc::unsupported, "a call that contains itself"},
        {"cmade\nf\n)Rq\0h\0b."s, Errc::unsupported, "a call that contains itself"},
    });
  }

  TEST_CASE("bombs are refused before they need memory") {
    check({
        {doubled(31), Errc::limit_exceeded,
         "too many values when each is copied (limit 1073741824)"},
        {doubled(120), Errc::limit_exceeded, "nested too deeply (limit 100)"},
        {std::string(200, ']') + std::string(199, 'a') + ".", Errc::limit_exceeded,
         "nested too deeply (limit 100)"},
        {std::string(200, '(') + ".", Errc::limit_exceeded,
         "offset 100: MARK: too many marks on the stack (found 101, limit 100)"},
        {"\x8b\xff\xff\xff\xff.", Errc::limit_exceeded,
         "offset 0: LONG4: too many bytes of an integer (found 4294967295, limit 64)"},
        {"\x8a\x41" + std::string(65, 'x') + ".", Errc::limit_exceeded,
         "offset 0: LONG1: too many bytes of an integer (found 65, limit 64)"},
        {"I" + std::string(65, '1') + "\n.", Errc::limit_exceeded,
         "offset 0: INT: too many digits (found 65, limit 64)"},
        {"c" + std::string(600, 'm') + "\nf\n.", Errc::limit_exceeded,
         "offset 0: GLOBAL: too many bytes of a name (found 601, limit 500)"},
    });
    CHECK_NOTHROW(read(doubled(28)));
  }

  TEST_CASE("each limit is that of its caller") {
    const auto code = [](const std::string& text, const Limits& limits) {
      return bev::test::error_code([&] { read(text, {}, limits); });
    };
    CHECK(code("N.", {.max_bytes = 1}) == Errc::limit_exceeded);
    CHECK(code("N0N.", {.max_opcodes = 3}) == Errc::limit_exceeded);
    CHECK(code("(NNNt.", {.max_stack = 2}) == Errc::limit_exceeded);
    CHECK(code("Nq\0"
               "0Nq\1."s,
               {.max_memo = 0}) == Errc::limit_exceeded);
    CHECK(code("]]a.", {.max_depth = 1}) == Errc::limit_exceeded);
    CHECK(code("\x8a\x09"
               "123456789.",
               {.max_integer_bytes = 8}) == Errc::limit_exceeded);
    CHECK(code("U\x09"
               "123456789.",
               {.max_expanded = 9}) == Errc::limit_exceeded);
    CHECK_NOTHROW(
        read("U\x09"
             "123456789.",
             {}, {.max_expanded = 10}));
  }

  TEST_CASE("bytes of protocol 0 are not decoded again and again") {
    const std::string encode = "h\2h\0h\1\x86R"s;
    const std::string code = "V" + std::string(1000, '\xe9') +
                             "\nq\0"
                             "0Vlatin1\nq\1"
                             "0"
                             "c_codecs\nencode\nq\2"
                             "0"s;
    CHECK_NOTHROW(read(code + encode + "."));
    CHECK(bev::test::error_code([&] { read(code + encode + "0" + encode + "."); }) ==
          Errc::limit_exceeded);
  }

  TEST_CASE("a pickle that ends anywhere is refused") {
    for (const auto& one : bev::test::pickle_vectors()["values"]) {
      const auto name = one[0].get<std::string>();
      CAPTURE(name);
      const auto bytes = bev::test::from_hex(one[1].get<std::string>());
      constexpr std::string_view kAll[] = {"*"};
      const std::size_t step = bytes.size() > 500 ? 37 : 1;
      for (std::size_t size = 0; size < bytes.size(); size += step) {
        CAPTURE(size);
        REQUIRE_THROWS_AS(
            bev::pickle::read(std::span(bytes).first(size), "p", {.globals = kAll}),
            bev::Error);
      }
    }
  }

  TEST_CASE("containers in themselves are read if the policy admits cycles") {
    const auto code = "\x80\x04]\x94h\x00"s + "a.";
    CHECK(bev::test::error_code([&] { read(code); }) == Errc::unsupported);
    const auto bytes = bytes_of(code);
    const auto pickle = bev::pickle::read(bytes, "p", {.cycles = true});
    const auto item = *pickle.root().items().begin();
    CHECK(item.is(bev::pickle::Kind::list));
    CHECK(item.size() == 1);
  }
}

}  // namespace refused_test
