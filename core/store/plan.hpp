#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/store/object_cache.hpp"
#include "core/store/request.hpp"

namespace bev::store {

class Store;

/// The needs of one query: the objects that its last dry run touched, pinned until the
/// next run, and the requests for those it did not find.
///
/// Lifetime       The store outlives its plans. It registers a plan from construction
///                to destruction, so that a supplied object is pinned by the plans that
///                requested it.
/// Throws         See finish() and request().
/// Thread safety  As the store.
class Plan {
 public:
  /// @param purpose  what the query reads; the prefix of its errors: "frame 3 of scene
  ///                 1"
  Plan(Store& store, std::string purpose);
  ~Plan();
  Plan(const Plan&) = delete;  // the store holds its address
  Plan& operator=(const Plan&) = delete;

  /// Begins a dry run without requests. Objects of the previous run stay pinned until
  /// finish().
  void begin();

  /// Ends the dry run and returns its requests, in the order they were added. Throws
  /// out_of_memory with the needed bytes if the objects that the run touched exceed the
  /// budget.
  std::vector<Request> finish();

  /// Unpins everything: the query has copied what it needs.
  void release();

  /// Requests an object, or ranges of it. Throws limit_exceeded for more than a million
  /// requests. Overlapping ranges are merged; a request for the whole object replaces
  /// them.
  void request(std::string_view key, bool required);
  void request(std::string_view key, std::span<const ByteRange> ranges);

  /// Requests the last bytes of an object.
  void request_tail(std::string_view key, std::uint64_t bytes);

  /// Pins an object that was found.
  void pin(const ObjectRef& object);

  bool has_request(std::string_view key) const { return index_.contains(key); }

  /// Pins an object that has just been supplied. Refuses and returns false if the plan
  /// alone would then exceed the budget.
  bool try_pin(const ObjectRef& object);

  const std::string& purpose() const noexcept { return purpose_; }

 private:
  using Pinned = std::unordered_set<ObjectRef>;

  Store& store_;
  std::string purpose_;
  Pinned pinned_;
  Pinned previous_;                             // pinned by the previous run
  std::vector<Pinned::node_type> spare_nodes_;  // empty nodes, for reuse
  std::size_t pinned_bytes_ = 0;
  std::size_t refused_bytes_ = 0;
  struct Requested {
    std::string key;
    bool required = true;
    std::vector<ByteRange> ranges;
    std::uint64_t tail = 0;  // 0 and no ranges: the whole object
  };

  Requested& find_or_add(std::string_view key, bool required);
  void release_previous();

  std::vector<Requested> requested_;
  std::map<std::string, std::size_t, std::less<>> index_;  // into requested_
  std::size_t range_count_ = 0;
};

}  // namespace bev::store
