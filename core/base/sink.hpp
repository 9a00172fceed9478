#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace bev {

/// Destination of a store's objects: a folder, an archive, a map in memory.
class Sink {
 public:
  virtual ~Sink() = default;

  /// Stores `bytes` under `key` ("agents/3"), replacing the previous object.
  ///
  /// Throws  bev::Error if writing fails, which writers pass on
  virtual void put(std::string_view key, std::span<const std::byte> bytes) = 0;
};

/// A store that readers see only when it is complete: commit() publishes all of its
/// objects at once; destruction without commit() discards them.
class NewStore : public Sink {
 public:
  /// Makes the objects durable and publishes them. Nothing may be put afterwards.
  ///
  /// Throws  bev::Error if that fails; readers then see the previous store, or none
  virtual void commit() = 0;
};

}  // namespace bev
