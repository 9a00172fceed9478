#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/store/block_cache.hpp"
#include "core/store/catalogue.hpp"
#include "core/store/object_cache.hpp"
#include "core/store/plan.hpp"
#include "core/store/request.hpp"

namespace bev::store {

/// A zarr store as far as the host has supplied it: metadata for good, encoded chunks
/// within a byte budget, and a small tier of decoded blocks. It is read by a Reader.
///
/// Units     The budget is bytes of encoded chunks, as supplied.
/// Lifetime  Outlives its plans and readers.
/// Errors    invalid_argument from supply() for a range, which nothing asks for;
///           nothing else but std::bad_alloc. Whether bytes are sound shows when they
///           are read.
/// Threads   A store belongs to one thread.
class Store {
 public:
  explicit Store(std::size_t byte_budget) : objects_(byte_budget) {}
  Store(const Store&) = delete;  // plans hold its address
  Store& operator=(const Store&) = delete;

  /// The answer to a request: its object. Bytes that no plan waits for are kept too, as
  /// long as they fit.
  void supply(const Request& request, std::vector<std::byte> bytes);

  /// The answer that there is no such object.
  void supply_absent(std::string_view key);

  /// A data chunk, pinned by `plan`; null, and wanted of `plan`, if it is not held.
  ObjectRef touch(std::string_view key, Plan& plan);

  /// Forgets an object whose bytes are damaged, so that it is asked for again.
  void forget(std::string_view key) { objects_.erase(key); }

  Catalogue& catalogue() noexcept { return catalogue_; }
  BlockCache& blocks() noexcept { return blocks_; }
  const CacheStats& cache() const noexcept { return objects_.stats(); }

  /// The chunks that were read and found to be absent, so filled, in order of key.
  std::vector<std::string> absent_chunks() const;

 private:
  friend class Plan;
  void enlist(Plan& plan) { plans_.push_back(&plan); }
  void dismiss(Plan& plan);
  void trim() { objects_.trim(); }
  void keep(std::string_view key, Object object);

  ObjectCache objects_;
  BlockCache blocks_;
  Catalogue catalogue_;
  std::vector<Plan*> plans_;
  std::set<std::string, std::less<>> absent_;
};

}  // namespace bev::store
