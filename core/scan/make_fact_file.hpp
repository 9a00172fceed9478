#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/sink.hpp"
#include "core/engine/engine.hpp"
#include "core/engine/host_loop.hpp"
#include "core/facts/light_at_entry.hpp"
#include "core/reader/statistics.hpp"

namespace bev {

/// Options of make_fact_file().
struct FactFileOptions {
  std::shared_ptr<const facts::LightsOfMap> lights = {};
  std::string map = {};  ///< map_mark() of the map of `lights`
  /// Statistics of the data set as it is: objects that have not changed since the
  /// previous file are not read again for their checksums. May be null.
  const reader::Statistics* statistics = nullptr;
  /// Called with the scenes that are done, and all scenes.
  std::function<void(std::uint64_t done, std::uint64_t all)> progress = {};
};

/// What make_fact_file() wrote.
struct FactFileMade {
  std::uint64_t scenes = 0;
  std::uint64_t tracks = 0;
  std::uint64_t kept = 0;     ///< scenes whose facts were in the previous file
  std::string problem = {};   ///< why the previous file was not used
  std::string identity = {};  ///< DataIdentity of the objects
  std::vector<std::string> objects = {};  ///< keys of those that exist
};

/// Computes the facts of a data set and writes them as the side file that FactFile reads,
/// in a sink that becomes one .zip. Scenes whose objects have not changed are taken from
/// the previous side file, if it has the same map. The bytes are the same either way.
///
/// Throws  As FactsQuery and FactFileWriter; errors of source and sink
FactFileMade make_fact_file(Engine& engine, Source& source, Sink& sink,
                            const FactFileOptions& options);

}  // namespace bev
