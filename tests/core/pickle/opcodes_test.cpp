#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "core/pickle/machine.hpp"

namespace opcodes_test {

// Names and codes of CPython's pickletools.opcodes.
constexpr std::string_view kPickletools =
    "INT 49 BININT 4a BININT1 4b BININT2 4d LONG 4c LONG1 8a LONG4 8b STRING 53 "
    "BINSTRING 54 SHORT_BINSTRING 55 BINBYTES 42 SHORT_BINBYTES 43 BINBYTES8 8e "
    "BYTEARRAY8 96 NEXT_BUFFER 97 READONLY_BUFFER 98 NONE 4e NEWTRUE 88 NEWFALSE 89 "
    "UNICODE 56 SHORT_BINUNICODE 8c BINUNICODE 58 BINUNICODE8 8d FLOAT 46 BINFLOAT 47 "
    "EMPTY_LIST 5d APPEND 61 APPENDS 65 LIST 6c EMPTY_TUPLE 29 TUPLE 74 TUPLE1 85 "
    "TUPLE2 86 TUPLE3 87 EMPTY_DICT 7d DICT 64 SETITEM 73 SETITEMS 75 EMPTY_SET 8f "
    "ADDITEMS 90 FROZENSET 91 POP 30 DUP 32 MARK 28 POP_MARK 31 GET 67 BINGET 68 "
    "LONG_BINGET 6a PUT 70 BINPUT 71 LONG_BINPUT 72 MEMOIZE 94 EXT1 82 EXT2 83 EXT4 84 "
    "GLOBAL 63 STACK_GLOBAL 93 REDUCE 52 BUILD 62 INST 69 OBJ 6f NEWOBJ 81 NEWOBJ_EX "
    "92 "
    "PROTO 80 STOP 2e FRAME 95 PERSID 50 BINPERSID 51 ";

TEST_SUITE("pickle/opcodes") {
  TEST_CASE("the list is that of pickletools") {
    std::string all;
    constexpr std::string_view kDigits = "0123456789abcdef";
    for (const auto& one : bev::pickle::opcodes()) {
      const auto code = static_cast<unsigned char>(one.code);
      all += one.name;
      all += {' ', kDigits[code >> 4], kDigits[code & 15], ' '};
    }
    CHECK(all == kPickletools);
  }
}

}  // namespace opcodes_test
