#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/simulation/simulation.hpp"
#include "native/files/file.hpp"

namespace bev::native {

/// Returns the bytes of a file; those of an xz file are inflated.
///
/// Memory  The bytes, and 64 MiB for the decoder at most.
/// Throws  io; corrupt_chunk for what is not xz; errors of simulation::Inflated;
///         limit_exceeded if the decoder needs more memory
std::vector<std::byte> inflated_bytes(const File& file, const std::string& path);

/// Whether paths are of nuPlan's simulations: the first file by its first bytes, a folder
/// by the names below it.
bool are_simulations(const std::vector<std::string>& paths);

/// Reads simulations one after another: logs, and the serialized scenes of each folder
/// together. Below folders, files whose names end in .msgpack.xz, .pkl.xz and .json.
/// Scenes have the names of their folders, PLANNER/TYPE/LOG/NAME, as nuPlan writes them.
///
/// Memory  A simulation.
/// Throws  not_found for a path that does not exist and a folder without such files; io;
///         errors of simulation::Reader, with the path
void each_simulation(const std::vector<std::string>& paths,
                     const std::function<void(const simulation::Simulation&)>& take);

}  // namespace bev::native
