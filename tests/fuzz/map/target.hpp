#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace bev::test {

/// What the fuzzer runs, and an ordinary test over the seeds. Whatever the bytes, it
/// returns; it throws std::logic_error if a property of the module does not hold.
///
/// The input as a semantic map: refused with an Error, or a map of finite numbers whose
/// columns fit together, in which a query by place finds what a scan finds. The input
/// as a meta.json, likewise: refused, or two matrices that undo each other.
void map_target(std::span<const std::byte> input);

struct Seed {
  std::string name;
  std::string bytes;
};

/// Small inputs that reach every message that is read, for a fuzzer to start from.
std::vector<Seed> map_seeds();

}  // namespace bev::test
