#include <array>

#include "core/pickle/machine.hpp"

namespace bev::pickle {
namespace {

using M = Machine;

// In the order of CPython's pickletools.opcodes.
constexpr std::array kOpcodes{
    Opcode{'I', "INT", &M::integer},
    Opcode{'J', "BININT", &M::integer, 4},
    Opcode{'K', "BININT1", &M::integer, 1},
    Opcode{'M', "BININT2", &M::integer, 2},
    Opcode{'L', "LONG", &M::big_integer},
    Opcode{'\x8a', "LONG1", &M::big_integer, 1},
    Opcode{'\x8b', "LONG4", &M::big_integer, 4},
    Opcode{'S', "STRING", &M::quoted},
    Opcode{'T', "BINSTRING", &M::bytes, 4, Kind::string},
    Opcode{'U', "SHORT_BINSTRING", &M::bytes, 1, Kind::string},
    Opcode{'B', "BINBYTES", &M::bytes, 4, Kind::bytes},
    Opcode{'C', "SHORT_BINBYTES", &M::bytes, 1, Kind::bytes},
    Opcode{'\x8e', "BINBYTES8", &M::bytes, 8, Kind::bytes},
    Opcode{'\x96', "BYTEARRAY8", &M::bytes, 8, Kind::bytes},
    Opcode{'\x97', "NEXT_BUFFER", &M::refused},
    Opcode{'\x98', "READONLY_BUFFER", &M::refused},
    Opcode{'N', "NONE", &M::constant, kNone},
    Opcode{'\x88', "NEWTRUE", &M::constant, kTrue},
    Opcode{'\x89', "NEWFALSE", &M::constant, kFalse},
    Opcode{'V', "UNICODE", &M::escaped},
    Opcode{'\x8c', "SHORT_BINUNICODE", &M::text, 1},
    Opcode{'X', "BINUNICODE", &M::text, 4},
    Opcode{'\x8d', "BINUNICODE8", &M::text, 8},
    Opcode{'F', "FLOAT", &M::real},
    Opcode{'G', "BINFLOAT", &M::real, 8},
    Opcode{']', "EMPTY_LIST", &M::container, 0, Kind::list},
    Opcode{'a', "APPEND", &M::extend, 1, Kind::list},
    Opcode{'e', "APPENDS", &M::extend, 0, Kind::list},
    Opcode{'l', "LIST", &M::gather, 0, Kind::list},
    Opcode{')', "EMPTY_TUPLE", &M::constant, kEmptyTuple},
    Opcode{'t', "TUPLE", &M::gather, 0, Kind::tuple},
    Opcode{'\x85', "TUPLE1", &M::gather, 1, Kind::tuple},
    Opcode{'\x86', "TUPLE2", &M::gather, 2, Kind::tuple},
    Opcode{'\x87', "TUPLE3", &M::gather, 3, Kind::tuple},
    Opcode{'}', "EMPTY_DICT", &M::container, 0, Kind::dict},
    Opcode{'d', "DICT", &M::gather, 0, Kind::dict},
    Opcode{'s', "SETITEM", &M::extend, 2, Kind::dict},
    Opcode{'u', "SETITEMS", &M::extend, 0, Kind::dict},
    Opcode{'\x8f', "EMPTY_SET", &M::container, 0, Kind::set},
    Opcode{'\x90', "ADDITEMS", &M::extend, 0, Kind::set},
    Opcode{'\x91', "FROZENSET", &M::gather, 0, Kind::frozenset},
    Opcode{'0', "POP", &M::pop},
    Opcode{'2', "DUP", &M::duplicate},
    Opcode{'(', "MARK", &M::mark},
    Opcode{'1', "POP_MARK", &M::pop_mark},
    Opcode{'g', "GET", &M::get},
    Opcode{'h', "BINGET", &M::get, 1},
    Opcode{'j', "LONG_BINGET", &M::get, 4},
    Opcode{'p', "PUT", &M::put},
    Opcode{'q', "BINPUT", &M::put, 1},
    Opcode{'r', "LONG_BINPUT", &M::put, 4},
    Opcode{'\x94', "MEMOIZE", &M::memoize},
    Opcode{'\x82', "EXT1", &M::refused},
    Opcode{'\x83', "EXT2", &M::refused},
    Opcode{'\x84', "EXT4", &M::refused},
    Opcode{'c', "GLOBAL", &M::global},
    Opcode{'\x93', "STACK_GLOBAL", &M::stack_global},
    Opcode{'R', "REDUCE", &M::call, 2},
    Opcode{'b', "BUILD", &M::build},
    Opcode{'i', "INST", &M::instance, 1},
    Opcode{'o', "OBJ", &M::instance, 0},
    Opcode{'\x81', "NEWOBJ", &M::call, 2},
    Opcode{'\x92', "NEWOBJ_EX", &M::call, 3},
    Opcode{'\x80', "PROTO", &M::protocol},
    Opcode{'.', "STOP", &M::stop},
    Opcode{'\x95', "FRAME", &M::frame},
    Opcode{'P', "PERSID", &M::persistent, 0},
    Opcode{'Q', "BINPERSID", &M::persistent, 1},
};

static_assert(kOpcodes.size() == 68);

constexpr std::uint8_t kUnknown = 255;

// Positions of opcodes in the list, by code.
constexpr auto kPositions = [] {
  std::array<std::uint8_t, 256> found{};
  for (auto& one : found) one = kUnknown;
  for (std::size_t i = 0; i < kOpcodes.size(); ++i) {
    found[static_cast<std::uint8_t>(kOpcodes[i].code)] = static_cast<std::uint8_t>(i);
  }
  return found;
}();

}  // namespace

std::span<const Opcode> opcodes() noexcept {
  return kOpcodes;
}

const Opcode* find_opcode(std::uint8_t code) noexcept {
  return kPositions[code] == kUnknown ? nullptr : &kOpcodes[kPositions[code]];
}

}  // namespace bev::pickle
