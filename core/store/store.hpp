#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/store/block_cache.hpp"
#include "core/store/catalogue.hpp"
#include "core/store/failures.hpp"
#include "core/store/held_ranges.hpp"
#include "core/store/object_cache.hpp"
#include "core/store/plan.hpp"
#include "core/store/request.hpp"

namespace bev::store {

/// The part of a zarr store that the host has supplied: metadata, encoded chunks within
/// a byte budget, and a small cache of decoded blocks. Reader reads it.
///
/// Units          The budget is in bytes of encoded chunks, as supplied.
/// Lifetime       Outlives its plans and readers.
/// Throws         supply() throws invalid_argument for more bytes than the request's
///                range has, and for a range of a document. Otherwise nothing but
///                std::bad_alloc: bytes are validated when they are read.
/// Thread safety  A store belongs to one thread.
class Store {
 public:
  explicit Store(std::size_t byte_budget, const MissingPolicy& missing = {})
      : objects_(byte_budget), catalogue_(missing) {}
  Store(const Store&) = delete;  // plans hold its address
  Store& operator=(const Store&) = delete;

  /// Supplies the answer to a request: the object, or the requested range of it, cut at
  /// the object's end. A whole object, supplied with a request without a range, answers
  /// any request. Bytes that no plan requested are cached too, if they fit.
  void supply(const Request& request, OwnedBytes bytes);

  /// Supplies the answer that the object does not exist.
  void supply_absent(std::string_view key);

  /// Returns a data chunk, pinned by `plan`. If it is not in memory, adds it to the
  /// plan's requests and returns null.
  ObjectRef touch(std::string_view key, Plan& plan);

  /// Does the same without requesting it. The caller pins the pieces it uses.
  ObjectRef find(std::string_view key, Plan& plan);
  HeldRanges pieces(std::string_view key) { return objects_.pieces(key); }

  /// Returns whether the whole object is in memory. Does not count as a use.
  bool holds(std::string_view key) const { return objects_.contains(key); }

  /// Returns the size of a whole object in memory that is not absent.
  std::optional<std::uint64_t> held_bytes(std::string_view key);

  /// Joins pieces that cover all `size` bytes of the object into one object.
  ObjectRef join(const std::string& key, const HeldRanges& pieces, std::size_t size,
                 Plan& plan);

  /// Statistics of an array's chunks, and the state of its sequential reader.
  struct ArrayStats {
    std::size_t chunk_bytes = 0;   ///< encoded size of the last chunk read; 0: none yet
    std::size_t head_bytes = 0;    ///< size of the longest header and table
    std::uint64_t scan_begin = 0;  ///< first row of the sequential scan
    std::uint64_t scan_end = 0;    ///< end row of the sequential scan
    std::uint64_t prefetched_until =
        0;  ///< chunks below this one are read or prefetched
  };
  ArrayStats& array_stats(const Array& array);

  /// Remembers that the chunk `name` in the object `key` could not be read: later reads
  /// throw the same error and request nothing. Drops the bytes if the chunk is the
  /// whole object; the other chunks of a shard stay readable.
  void remember_failure(std::string_view key, std::string_view name,
                        const Error& error);

  /// Throws the error that is remembered for the chunk `name`, if any.
  void check_failure(std::string_view name) const { failures_.check(name); }

  /// Forgets that the object `key` is damaged or absent, or every such object if `key`
  /// is empty: the next read requests these chunks again.
  ///
  /// Returns  The keys of the damaged objects, once per damaged chunk.
  std::vector<std::string> forget_failures(std::string_view key = {});

  Catalogue& catalogue() noexcept { return catalogue_; }
  BlockCache& blocks() noexcept { return blocks_; }
  const CacheStats& cache() const noexcept { return objects_.stats(); }

  /// Returns the keys of absent chunks that were read as the fill value, sorted.
  std::vector<std::string> absent_chunks() const;
  std::size_t absent_count() const noexcept { return absent_.size(); }

 private:
  friend class Plan;
  void register_plan(Plan& plan) { plans_.push_back(&plan); }
  void unregister_plan(Plan& plan);
  void trim() { objects_.trim(); }
  void insert(std::string_view key, Object object);
  void insert_piece(const std::string& key, ByteRange range, const OwnedBytes& bytes);
  bool pin_for_plans(std::string_view key, const ObjectRef& object);

  ObjectCache objects_;
  Failures failures_;
  BlockCache blocks_;
  Catalogue catalogue_;
  std::vector<Plan*> plans_;
  std::vector<ArrayStats> array_stats_;  // by Array::id
  std::set<std::string, std::less<>> absent_;
};

}  // namespace bev::store
