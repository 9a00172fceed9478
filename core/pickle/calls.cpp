#include <algorithm>
#include <array>

#include "core/pickle/machine.hpp"

// Names, and records of calls.

namespace bev::pickle {
namespace {

// Whether a pattern is "*", "module.*" or "module.name".
bool admits(std::string_view pattern, std::string_view module, std::string_view name) {
  if (pattern == "*") return true;
  if (pattern.size() <= module.size() || pattern[module.size()] != '.' ||
      pattern.substr(0, module.size()) != module) {
    return false;
  }
  const auto rest = pattern.substr(module.size() + 1);
  return rest == "*" || rest == name;
}

constexpr std::size_t kMaxName = 500;

// What bytes of protocols 0 to 2 are pickled with.
constexpr std::string_view kAlways[] = {"_codecs.encode", "builtins.bytes",
                                        "__builtin__.bytes"};

}  // namespace

void Machine::check_admitted(std::string_view module, std::string_view name) const {
  const auto has = [&](std::span<const std::string_view> patterns) {
    return std::any_of(patterns.begin(), patterns.end(),
                       [&](std::string_view one) { return admits(one, module, name); });
  };
  if (has(kAlways) || has(in_.policy.globals)) return;
  refuse(Errc::unsupported, {module, ".", name, " is not admitted"});
}

std::uint32_t Machine::named(std::uint32_t module, std::uint32_t name) {
  const auto first = value(module).text(), second = value(name).text();
  if (!first) wrong_kind("wrong module", module, "text");
  if (!second) wrong_kind("wrong name", name, "text");
  limit(first->size() + second->size(), kMaxName, "bytes of a name");
  check_admitted(*first, *second);
  return add_items(Kind::global, std::array{module, name});
}

std::uint32_t Machine::read_global() {
  const auto module = add_text(line());
  return named(module, add_text(line()));
}

void Machine::global(const Opcode& /*opcode*/) {
  push(read_global());
}

void Machine::stack_global(const Opcode& /*opcode*/) {
  need(2);
  const auto name = taken();
  push(named(taken(), name));
}

std::uint32_t Machine::add_call(std::uint32_t callee, std::uint32_t arguments,
                                std::uint32_t keywords) {
  const auto called = value(callee).kind();
  if (called != Kind::global && called != Kind::call) {
    wrong_kind("wrong function", callee, "a global");
  }
  if (!value(arguments).is(Kind::tuple)) {
    wrong_kind("wrong arguments", arguments, "a tuple");
  }
  const std::array<std::uint32_t, kCallSlots> slots{callee, arguments, keywords,
                                                    kNone,  kNone,     kNone};
  return add_items(Kind::call, slots);
}

/// Of a class or function, arguments and, of three values, keyword arguments.
void Machine::call(const Opcode& opcode) {
  need(opcode.size);
  const auto keywords = opcode.size > 2 ? taken() : kNone;
  if (opcode.size > 2 && !value(keywords).is(Kind::dict)) {
    wrong_kind("wrong keyword arguments", keywords, "a dict");
  }
  const auto arguments = taken();
  const auto callee = taken();
  if (opcode.size == 2 && push_bytes(value(callee), value(arguments))) return;
  push(add_call(callee, arguments, keywords));
}

/// An instance of Python 2: values above the mark. Of size 0 the first is the class.
void Machine::instance(const Opcode& opcode) {
  std::uint32_t callee = opcode.size > 0 ? read_global() : 0;
  const auto begin = to_mark();
  auto given = std::span<const std::uint32_t>(stack_).subspan(begin);
  if (opcode.size == 0) {
    if (given.empty()) broken({"no class above the mark"});
    callee = given.front();
    given = given.subspan(1);
  }
  const auto arguments = add_items(Kind::tuple, given);
  stack_.resize(begin);
  push(add_call(callee, arguments, kNone));
}

void Machine::build(const Opcode& /*opcode*/) {
  need(2);
  const auto state = taken();
  const auto target = out_.nodes[stack_.back()];
  if (target.kind != Kind::call) {
    wrong_kind("state of another value", stack_.back(), "a call");
  }
  auto& slot = out_.items[target.items.first + kState].node;
  if (slot != kNone) broken({"a second state of an object"});
  slot = state;
}

void Machine::persistent(const Opcode& opcode) {
  const auto id = opcode.size > 0 ? taken() : add_text(line());
  if (!in_.policy.persistent_ids) {
    refuse(Errc::unsupported, {"objects outside the pickle are not admitted"});
  }
  push(add_items(Kind::persistent, std::array{id}));
}

void Machine::refused(const Opcode& opcode) {
  const bool is_buffer =
      std::string_view(opcode.name).find("BUFFER") != std::string_view::npos;
  if (is_buffer)
    refuse(Errc::unsupported, {"buffers outside the pickle are not admitted"});
  constexpr std::uint32_t kSizes[] = {1, 2, 4};
  const auto code = number(kSizes[static_cast<std::uint8_t>(opcode.code) - 0x82U]);
  refuse(Errc::unsupported, {"extension code ", code, " is not admitted"});
}

}  // namespace bev::pickle
