#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace bev::test {

/// The fuzzer's target, also run by a test over the seeds. Returns for any input;
/// throws std::logic_error if a property of the module is violated.
///
/// Parses the input as a semantic map: either an Error, or a map of finite numbers with
/// consistent columns, in which a spatial query finds the same as a scan. Also parses
/// it as a meta.json: either an Error, or two matrices that are inverse to each other.
void map_target(std::span<const std::byte> input);

struct Seed {
  std::string name;
  std::string bytes;
};

/// Returns small inputs that reach every message, as seeds for a fuzzer.
std::vector<Seed> map_seeds();

}  // namespace bev::test
