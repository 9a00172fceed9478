#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace bev::native {

/// Maximum size of a cache by default, as in the browser.
inline constexpr std::uint64_t kDefaultCacheLimit = std::uint64_t{1} << 30;

/// Settings of the persistent cache of encoded objects.
struct CacheSettings {
  std::string folder;                        ///< "": no cache
  std::uint64_t limit = kDefaultCacheLimit;  ///< maximum size of all files in bytes
  /// Called once if the cache cannot be written. Reads continue without it.
  std::function<void(const std::string& problem)> on_problem = nullptr;
};

/// What a cache did. Metadata documents are counted in `fetched_bytes` only.
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

}  // namespace bev::native
