#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/pickle/arena.hpp"
#include "core/pickle/read.hpp"

namespace bev::pickle {

class Machine;

/// An opcode, and what it does. The other members are for functions of several opcodes.
struct Opcode {
  char code;
  const char* name;
  void (Machine::*run)(const Opcode& opcode);
  std::uint32_t size = 0;  ///< bytes of a number or a length; values; a node
  Kind kind = Kind::none;  ///< of the value, or of the container
};

/// Returns all opcodes: 68.
std::span<const Opcode> opcodes() noexcept;

/// Returns the opcode of a byte; null if there is none.
const Opcode* find_opcode(std::uint8_t code) noexcept;

/// Runs a pickle's opcodes. The stack has numbers of nodes.
class Machine {
 public:
  /// What it reads, and how.
  struct Input {
    std::span<const std::byte> bytes;
    std::string_view where;
    const Policy& policy;
    const Limits& limits;
  };

  Machine(const Input& input, Arena& out);

  /// Runs all opcodes, and returns the value's node.
  std::uint32_t run();

  // Numbers and texts: literals.cpp. Of size 0, those of a line.
  void integer(const Opcode& opcode);
  void big_integer(const Opcode& opcode);
  void real(const Opcode& opcode);
  void text(const Opcode& opcode);
  void bytes(const Opcode& opcode);
  void quoted(const Opcode& opcode);
  void escaped(const Opcode& opcode);

  // Containers, stack and memo: containers.cpp.
  void constant(const Opcode& opcode);
  void container(const Opcode& opcode);
  void gather(const Opcode& opcode);
  void extend(const Opcode& opcode);
  void mark(const Opcode& opcode);
  void pop(const Opcode& opcode);
  void pop_mark(const Opcode& opcode);
  void duplicate(const Opcode& opcode);
  void put(const Opcode& opcode);
  void memoize(const Opcode& opcode);
  void get(const Opcode& opcode);

  // Names and calls: calls.cpp.
  void global(const Opcode& opcode);
  void stack_global(const Opcode& opcode);
  void call(const Opcode& opcode);
  void instance(const Opcode& opcode);
  void build(const Opcode& opcode);
  void persistent(const Opcode& opcode);
  void refused(const Opcode& opcode);

  // The stream: machine.cpp.
  void protocol(const Opcode& opcode);
  void frame(const Opcode& opcode);
  void stop(const Opcode& opcode);

 private:
  [[noreturn]] void refuse(Errc code, Message problem) const;
  [[noreturn]] void broken(Message problem) const {
    refuse(Errc::corrupt_chunk, problem);
  }
  [[noreturn]] void wrong_count(const char* problem, std::uint64_t found,
                                std::uint64_t expected) const;
  [[noreturn]] void wrong_kind(const char* problem, std::uint32_t found,
                               std::string_view expected) const;
  [[noreturn]] void over_limit(std::uint64_t found, std::uint64_t most,
                               const char* what) const;
  [[noreturn]] void too_few_bytes(std::uint64_t length) const;
  void limit(std::uint64_t found, std::uint64_t most, const char* what) const {
    if (found > most) over_limit(found, most, what);
  }

  std::span<const std::byte> take(std::uint64_t length) {
    if (length > end_ - at_) too_few_bytes(length);
    const auto size = static_cast<std::size_t>(length);
    at_ += size;
    return in_.bytes.subspan(at_ - size, size);
  }
  std::uint64_t number(std::uint32_t size);
  std::string_view line();
  std::int64_t decimal(std::string_view text) const;
  std::span<std::byte> decode(std::uint64_t length);

  std::uint32_t add(Kind kind);
  std::uint32_t add_view(Kind kind, std::span<const std::byte> bytes);
  std::uint32_t add_decoded(Kind kind, std::size_t begin);
  std::uint32_t add_text(std::string_view text);
  std::uint32_t add_items(Kind kind, std::span<const std::uint32_t> nodes);
  std::uint32_t add_call(std::uint32_t callee, std::uint32_t arguments,
                         std::uint32_t keywords);
  void append(std::uint32_t container, std::uint32_t node);
  Value value(std::uint32_t node) const noexcept { return {out_, node}; }

  void push(std::uint32_t node) {
    limit(stack_.size() + 1, in_.limits.max_stack, "values on the stack");
    stack_.push_back(node);
  }
  void push_integer(std::int64_t value);
  std::size_t base() const noexcept { return marks_.empty() ? 0 : marks_.back(); }
  void need(std::size_t count) const {
    if (stack_.size() - base() < count) too_few_values(count);
  }
  [[noreturn]] void too_few_values(std::size_t count) const;
  std::uint32_t taken();
  std::size_t to_mark();
  std::size_t operands(std::uint32_t count);
  void fill(std::uint32_t container, std::size_t begin, Kind kind);
  std::uint32_t container_of(std::uint32_t target, Kind kind);
  std::uint32_t memo_index(std::uint32_t size);
  void remember(std::uint32_t index);
  std::uint32_t named(std::uint32_t module, std::uint32_t name);
  std::uint32_t read_global();
  void check_admitted(std::string_view module, std::string_view name) const;
  bool push_bytes(Value callee, Value arguments);

  Input in_;
  Arena& out_;
  std::vector<std::uint32_t> stack_{};
  std::vector<std::uint32_t> marks_{};  ///< sizes of the stack below each mark
  std::vector<std::uint32_t> memo_{};
  std::uint32_t memo_count_ = 0;
  std::size_t at_ = 0;
  std::size_t end_;         ///< of the frame, or of the input
  std::size_t offset_ = 0;  ///< of the opcode
  std::uint32_t count_ = 0;
  const Opcode* opcode_ = nullptr;
  bool done_ = false;
};

/// Checks that no container is in itself, and the limits of nesting and of copies.
void check_values(const Arena& arena, std::string_view where, const Limits& limits);

}  // namespace bev::pickle
