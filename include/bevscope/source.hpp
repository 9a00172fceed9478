#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "byte_range.hpp"
#include "export.hpp"

namespace bev {

/// A read of an object, or of a range of it.
struct ReadRequest {
  std::string key;  ///< the object's name in the store: "agents/3"
  std::optional<ByteRange> range = std::nullopt;  ///< the whole object if absent
};

/// An object whose file is mapped into memory.
struct MappedObject {
  std::span<const std::byte> bytes;   ///< read-only
  std::shared_ptr<const void> owner;  ///< unmaps them
};

/// Reads the objects of a store by key. Implement it to read a data set from anywhere:
/// an archive, a database, memory. `bevscope/native.hpp` has sources for directories,
/// .zip archives and HTTP.
///
/// Thread safety  A Dataset calls its source from the thread that calls the Dataset.
class BEV_EXPORT Source {
 public:
  Source() = default;
  virtual ~Source();
  Source(const Source&) = delete;             ///< a source is shared by pointer
  Source& operator=(const Source&) = delete;  ///< a source is shared by pointer

  /// Returns the object `key`, or the existing part of a range of it; nullopt if the
  /// object does not exist. Throws if reading fails: a failure is never absence.
  virtual std::optional<std::vector<std::byte>> read(
      const std::string& key, const std::optional<ByteRange>& range) = 0;

  /// Receives the answer to one request: bytes, or nullopt if there is no such object.
  using OnAnswer = std::function<void(const ReadRequest& request,
                                      std::optional<std::vector<std::byte>> bytes)>;

  /// Reads all requests and calls `take` with each answer, in any order, on the calling
  /// thread. Override it to read concurrently; by default it calls read() in order.
  virtual void read_all(std::span<const ReadRequest> requests, const OnAnswer& take);

  /// Returns the object's size in bytes; nullopt if it does not exist. By default reads
  /// the object. Only sharded arrays (zarr version 3) need it.
  virtual std::optional<std::uint64_t> size(const std::string& key);

  /// Returns the sizes of several objects. Override it to ask for them concurrently; by
  /// default it calls size() in order.
  virtual std::vector<std::optional<std::uint64_t>> sizes(
      std::span<const std::string> keys);

  /// Maps the whole object into memory, without reading it; nullopt if it does not exist.
  /// Sources of folders do. By default throws `unsupported`.
  virtual std::optional<MappedObject> map(const std::string& key);

  /// Returns a mark that differs if the object has changed, was made or removed; "" if
  /// the source has none, as by default. Readers do not use the statistics of a chunk
  /// whose object has another mark than when it was indexed. Must be quick.
  virtual std::string version(const std::string& key);

  /// Returns the CRC-32 of an object if the source knows it without reading the object,
  /// as archives do. By default nullopt.
  virtual std::optional<std::uint32_t> checksum(const std::string& key);

  /// Returns the address of the store, without its query, if it has one: facts below a
  /// folder that is named after the data's identity are not compared with the data. By
  /// default "".
  virtual std::string address() const;

  /// Throws Error with Errc::changed if the data set was replaced since it was opened.
  /// By default does nothing.
  virtual void check_unchanged();

  /// Removes an object from the source's persistent cache, if it has one.
  /// Dataset::forget_failures() calls it for objects whose bytes were damaged. By
  /// default does nothing.
  virtual void forget(const std::string& key);
};

}  // namespace bev
