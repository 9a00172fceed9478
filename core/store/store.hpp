#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/store/block_cache.hpp"
#include "core/store/catalogue.hpp"
#include "core/store/failures.hpp"
#include "core/store/object_cache.hpp"
#include "core/store/pieces.hpp"
#include "core/store/plan.hpp"
#include "core/store/request.hpp"

namespace bev::store {

/// A zarr store as far as the host has supplied it: metadata for good, encoded chunks
/// within a byte budget, and a small tier of decoded blocks. It is read by a Reader.
///
/// Units     The budget is bytes of encoded chunks, as supplied.
/// Lifetime  Outlives its plans and readers.
/// Errors    invalid_argument from supply() for more bytes than its range has, or a
///           range of a document; nothing else but std::bad_alloc. Whether bytes are
///           sound shows when they are read.
/// Threads   A store belongs to one thread.
class Store {
 public:
  explicit Store(std::size_t byte_budget, const MissingPolicy& missing = {})
      : objects_(byte_budget), catalogue_(missing) {}
  Store(const Store&) = delete;  // plans hold its address
  Store& operator=(const Store&) = delete;

  /// The answer to a request: its object, or the range of it that was asked for, cut at
  /// the object's end. Bytes that no plan waits for are kept too, as long as they fit.
  /// A whole object may answer any request; it comes in a request without a range.
  void supply(const Request& request, OwnedBytes bytes);

  /// The answer that there is no such object.
  void supply_absent(std::string_view key);

  /// A data chunk, pinned by `plan`; null, and wanted of `plan`, if it is not held.
  ObjectRef touch(std::string_view key, Plan& plan);

  /// The same, but null without being wanted; what is held of it in pieces is the
  /// caller's to hold.
  ObjectRef find(std::string_view key, Plan& plan);
  Pieces pieces(std::string_view key) { return objects_.pieces(key); }

  /// Whether all of an object is in memory; not counted as a use of it.
  bool holds(std::string_view key) const { return objects_.contains(key); }

  /// Makes one object of pieces that are all `size` bytes of it.
  ObjectRef join(const std::string& key, const Pieces& pieces, std::size_t size,
                 Plan& plan);

  /// What is known of an array's chunks by those met, and of who reads it.
  struct Experience {
    std::size_t chunk_bytes = 0;  ///< of the last chunk met, as stored; 0: none yet
    std::size_t head_bytes = 0;   ///< the longest header and table
    std::uint64_t read_from = 0;  ///< where who reads run after run began
    std::uint64_t read_to = 0;    ///< and has got to
    std::uint64_t told_to = 0;    ///< chunks below are read, or told to be read ahead
  };
  Experience& experience(const Array& array);

  /// Remembers that the chunk `name` in the object `key` could not be read: later reads
  /// throw the same error and request nothing. Drops the bytes of an object that is this
  /// chunk alone; the other chunks of a shard stay readable.
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

  /// The chunks that were read and found to be absent, so filled, in order of key.
  std::vector<std::string> absent_chunks() const;
  std::size_t absent_count() const noexcept { return absent_.size(); }

 private:
  friend class Plan;
  void enlist(Plan& plan) { plans_.push_back(&plan); }
  void dismiss(Plan& plan);
  void trim() { objects_.trim(); }
  void keep(std::string_view key, Object object);
  void keep_piece(const std::string& key, ByteRange range, const OwnedBytes& bytes);
  bool accepted_by_plans(std::string_view key, const ObjectRef& object);

  ObjectCache objects_;
  Failures failures_;
  BlockCache blocks_;
  Catalogue catalogue_;
  std::vector<Plan*> plans_;
  std::vector<Experience> experience_;  // by Array::id
  std::set<std::string, std::less<>> absent_;
};

}  // namespace bev::store
