#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace bev {

/// A persistent cache of the encoded chunks of data sets read over HTTP: a folder that
/// data sets, threads and processes share. Objects are used after the server has
/// reported them as unchanged; a cache that cannot be used never fails a read.
///
/// Reference  docs/hosting.md, "Persistent cache"
struct CacheOptions {
  std::string folder = {};                       ///< "": no cache
  std::uint64_t limit = std::uint64_t{1} << 30;  ///< maximum size of all files in bytes
  /// Called once if the cache cannot be written; the text names folder and reason
  std::function<void(const std::string& problem)> on_problem = nullptr;
};

/// What a persistent cache did. Metadata documents count in `fetched_bytes` only.
struct CacheCounters {
  std::uint64_t hits = 0;           ///< reads without a fetch
  std::uint64_t misses = 0;         ///< reads with a fetch
  std::uint64_t shared = 0;         ///< reads answered by another reader's fetch
  std::uint64_t validations = 0;    ///< HEAD requests
  std::uint64_t cached_bytes = 0;   ///< bytes from the cache
  std::uint64_t fetched_bytes = 0;  ///< bytes of bodies from the server
  std::uint64_t evictions = 0;      ///< entries removed to stay within the limit
  std::uint64_t refused = 0;        ///< ranges not stored: too long, or write failed
};

}  // namespace bev
