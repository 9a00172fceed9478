#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace bev::test {

/// The fuzzer's target, also run by a test over the seeds. It returns for any input; it
/// throws std::logic_error if a property of the reader is violated.
///
/// Reads the input as a file of a simulation (a log, or scenes as JSON or MessagePack):
/// either an Error, or frames ascending by time, whose boxes have tracks and whose numbers
/// are within the limits, that can be measured; and that become a scenario or an Error.
void simulation_target(std::span<const std::byte> input);

struct SimulationSeed {
  std::string name;
  std::string bytes;
};

/// Returns small files that reach every kind of content.
std::vector<SimulationSeed> simulation_seeds();

}  // namespace bev::test
