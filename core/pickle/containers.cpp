#include "core/pickle/machine.hpp"

// Containers, the stack and the memo.

namespace bev::pickle {
namespace {

constexpr std::uint32_t kUnset = 0xFFFFFFFF;

bool is_hashable(Kind kind) {
  return kind != Kind::list && kind != Kind::dict && kind != Kind::set;
}

}  // namespace

std::uint32_t Machine::add(Kind kind) {
  Node node;
  node.kind = kind;
  out_.nodes.push_back(node);
  return static_cast<std::uint32_t>(out_.nodes.size() - 1);
}

std::uint32_t Machine::add_view(Kind kind, std::span<const std::byte> bytes) {
  const auto made = add(kind);
  auto& node = out_.nodes.back();
  node.count = static_cast<std::uint32_t>(bytes.size());
  node.offset =
      static_cast<std::uint32_t>(bytes.empty() ? 0 : bytes.data() - in_.bytes.data());
  return made;
}

std::uint32_t Machine::add_decoded(Kind kind, std::size_t begin) {
  const auto made = add(kind);
  auto& node = out_.nodes.back();
  node.is_decoded = true;
  node.count = static_cast<std::uint32_t>(out_.decoded.size() - begin);
  node.offset = static_cast<std::uint32_t>(begin);
  return made;
}

std::uint32_t Machine::add_items(Kind kind, std::span<const std::uint32_t> nodes) {
  if (kind == Kind::tuple && nodes.empty()) return kEmptyTuple;
  const auto made = add(kind);
  for (const auto node : nodes) append(made, node);
  return made;
}

void Machine::append(std::uint32_t container, std::uint32_t node) {
  auto& to = out_.nodes[container];
  const auto item = static_cast<std::uint32_t>(out_.items.size());
  out_.items.push_back({node, 0});
  if (to.count == 0) {
    to.items = {item, item};
  } else {
    out_.items[to.items.last].next = item;
    to.items.last = item;
  }
  ++to.count;
}

/// Throws if there are fewer values above the last mark.
void Machine::too_few_values(std::size_t count) const {
  wrong_count("too few values on the stack", stack_.size() - base(), count);
}

std::uint32_t Machine::taken() {
  need(1);
  const auto node = stack_.back();
  stack_.pop_back();
  return node;
}

/// Removes the last mark, and returns where the values above it begin.
std::size_t Machine::to_mark() {
  if (marks_.empty()) broken({"no mark on the stack"});
  const auto begin = marks_.back();
  marks_.pop_back();
  return begin;
}

void Machine::constant(const Opcode& opcode) {
  push(opcode.size);
}

void Machine::container(const Opcode& opcode) {
  push(add(opcode.kind));
}

void Machine::gather(const Opcode& opcode) {
  const auto begin = operands(opcode.size);
  if (opcode.kind == Kind::dict) {
    const auto made = add(Kind::dict);
    fill(made, begin, Kind::dict);
    return push(made);
  }
  const auto made = add_items(opcode.kind, std::span(stack_).subspan(begin));
  stack_.resize(begin);
  push(made);
}

/// Appends to a list, adds to a set, or sets pairs of a dict.
void Machine::extend(const Opcode& opcode) {
  const auto begin = operands(opcode.size);
  if (begin <= base()) broken({"no container on the stack"});
  fill(container_of(stack_[begin - 1], opcode.kind), begin, opcode.kind);
}

/// Returns where the last `count` values begin; of 0, those above the last mark.
std::size_t Machine::operands(std::uint32_t count) {
  if (count == 0) return to_mark();
  need(count);
  return stack_.size() - count;
}

/// Moves the values from `begin` on into a container.
void Machine::fill(std::uint32_t container, std::size_t begin, Kind kind) {
  const bool has_keys = kind == Kind::dict;
  if (has_keys && (stack_.size() - begin) % 2 != 0) broken({"a key without a value"});
  for (auto i = begin; i < stack_.size(); ++i) {
    const auto found = out_.nodes[stack_[i]].kind;
    if (has_keys && (i - begin) % 2 == 0 && !is_hashable(found)) {
      broken({"a key that is ", to_string(found)});
    }
    append(container, stack_[i]);
  }
  stack_.resize(begin);
}

/// Returns the container itself, or of a made object the one of what is added to it.
std::uint32_t Machine::container_of(std::uint32_t target, Kind kind) {
  const auto found = out_.nodes[target];
  if (found.kind == kind) return target;
  if (found.kind != Kind::call) {
    wrong_kind("wrong container", target, to_string(kind));
  }
  const auto slot = found.items.first + (kind == Kind::dict ? kPairs : kAppended);
  if (out_.items[slot].node == kNone) {
    const auto made = add(kind == Kind::dict ? kind : Kind::list);
    out_.items[slot].node = made;
  }
  return out_.items[slot].node;
}

void Machine::mark(const Opcode& /*opcode*/) {
  limit(marks_.size() + 1, in_.limits.max_depth, "marks on the stack");
  marks_.push_back(static_cast<std::uint32_t>(stack_.size()));
}

void Machine::pop(const Opcode& /*opcode*/) {
  if (!marks_.empty() && stack_.size() == base()) {
    marks_.pop_back();
    return;
  }
  taken();
}

void Machine::pop_mark(const Opcode& /*opcode*/) {
  stack_.resize(to_mark());
}

void Machine::duplicate(const Opcode& /*opcode*/) {
  need(1);
  push(stack_.back());
}

std::uint32_t Machine::memo_index(std::uint32_t size) {
  if (size > 0) return static_cast<std::uint32_t>(number(size));
  const auto found = decimal(line());
  // Writers count from 0, or 1: no index is above the number of opcodes.
  if (found < 0 || found > count_) broken({"invalid memo index (found ", found, ")"});
  return static_cast<std::uint32_t>(found);
}

void Machine::remember(std::uint32_t index) {
  need(1);
  if (index > count_) {
    broken({"invalid memo index (found ", index, ", expected at most ", count_, ")"});
  }
  limit(index, in_.limits.max_memo, "values in the memo");
  if (index >= memo_.size()) memo_.resize(index + std::size_t{1}, kUnset);
  if (memo_[index] == kUnset) ++memo_count_;
  memo_[index] = stack_.back();
}

void Machine::put(const Opcode& opcode) {
  remember(memo_index(opcode.size));
}

void Machine::memoize(const Opcode& /*opcode*/) {
  remember(memo_count_);
}

void Machine::get(const Opcode& opcode) {
  const auto index = memo_index(opcode.size);
  if (index >= memo_.size() || memo_[index] == kUnset) {
    broken({"memo ", index, " is not set"});
  }
  push(memo_[index]);
}

}  // namespace bev::pickle
