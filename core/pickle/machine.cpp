#include "core/pickle/machine.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "core/pickle/read.hpp"

namespace bev::pickle {
namespace {

constexpr std::uint64_t kMaxProtocol = 5;

// Bytes per node for which memory is reserved, up to a size of the input.
constexpr std::size_t kBytesOfNode = 64, kMaxReserved = std::size_t{8} << 20U;

}  // namespace

Machine::Machine(const Input& input, Arena& out)
    : in_(input), out_(out), end_(input.bytes.size()) {
  out_.input = input.bytes;
  // Of data that are arrays; others grow.
  const auto usual = std::min(input.bytes.size(), kMaxReserved) / kBytesOfNode;
  out_.nodes.reserve(usual);
  out_.items.reserve(usual);
  memo_.reserve(usual / 4);
  const auto constant = [&](Kind kind, std::int64_t number) {
    out_.nodes[add(kind)].integer = number;
  };
  constant(Kind::none, 0);
  constant(Kind::boolean, 0);
  constant(Kind::boolean, 1);
  constant(Kind::tuple, 0);
}

std::uint32_t Machine::run() {
  const std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  limit(in_.bytes.size(), std::min<std::uint64_t>(in_.limits.max_bytes, most), "bytes");
  while (!done_) {
    if (at_ == end_) end_ = in_.bytes.size();  // of the frame
    offset_ = at_;
    opcode_ = nullptr;
    const auto code = static_cast<std::uint8_t>(take(1)[0]);
    opcode_ = find_opcode(code);
    if (opcode_ == nullptr) broken({"unknown opcode ", code});
    limit(++count_, in_.limits.max_opcodes, "opcodes");
    (this->*opcode_->run)(*opcode_);
  }
  return taken();
}

void Machine::protocol(const Opcode& /*opcode*/) {
  const auto found = number(1);
  if (offset_ != 0) broken({"not at the beginning"});
  if (found > kMaxProtocol) {
    refuse(Errc::unsupported, {"unknown protocol (found ", found, ", expected at most ",
                               kMaxProtocol, ")"});
  }
}

void Machine::frame(const Opcode& /*opcode*/) {
  const auto length = number(8);
  if (end_ != in_.bytes.size()) broken({"within another frame"});
  if (length > end_ - at_) wrong_count("too few bytes for it", end_ - at_, length);
  end_ = at_ + static_cast<std::size_t>(length);
}

void Machine::stop(const Opcode& /*opcode*/) {
  if (stack_.size() != 1 || !marks_.empty()) {
    wrong_count("wrong number of values", stack_.size() + marks_.size(), 1);
  }
  if (at_ != in_.bytes.size()) {
    wrong_count("bytes after the end", in_.bytes.size() - at_, 0);
  }
  done_ = true;
}

void Machine::refuse(Errc code, Message problem) const {
  const std::string_view name = opcode_ == nullptr ? "" : opcode_->name;
  fail_at(code, in_.where,
          {"offset ", offset_, ": ", name, name.empty() ? "" : ": ", joined(problem)});
}

void Machine::wrong_count(const char* problem, std::uint64_t found,
                          std::uint64_t expected) const {
  broken({problem, " (found ", found, ", expected ", expected, ")"});
}

void Machine::wrong_kind(const char* problem, std::uint32_t found,
                         std::string_view expected) const {
  broken({problem, " (found ", to_string(out_.nodes[found].kind), ", expected ",
          expected, ")"});
}

void Machine::over_limit(std::uint64_t found, std::uint64_t most,
                         const char* what) const {
  refuse(Errc::limit_exceeded,
         {"too many ", what, " (found ", found, ", limit ", most, ")"});
}

void Machine::too_few_bytes(std::uint64_t length) const {
  wrong_count(end_ == in_.bytes.size() ? "too few bytes" : "too few bytes in the frame",
              end_ - at_, length);
}

// A little-endian number of 1, 2, 4 or 8 bytes.
std::uint64_t Machine::number(std::uint32_t size) {
  std::uint64_t value = 0;
  const auto from = take(size);
  for (std::uint32_t i = size; i-- > 0;) {
    value = value << 8 | static_cast<std::uint64_t>(from[i]);
  }
  return value;
}

Pickle read(std::span<const std::byte> input, std::string_view where,
            const Policy& policy, const Limits& limits) {
  auto arena = std::make_unique<Arena>();
  Machine machine({input, where, policy, limits}, *arena);
  arena->root = machine.run();
  if (!policy.cycles) check_values(*arena, where, limits);
  return Pickle(std::move(arena));
}

}  // namespace bev::pickle
