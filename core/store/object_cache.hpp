#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/store/request.hpp"

namespace bev::store {

/// An object as the host supplied it: its encoded bytes, or the fact that there is
/// none.
struct Object {
  std::vector<std::byte> bytes;
  bool absent = false;

  /// What the object counts for in a budget. Knowing of an absence is not free either,
  /// or an array of a billion missing chunks would be.
  std::size_t cost() const noexcept { return absent ? 128 : bytes.size(); }
};
using ObjectRef = std::shared_ptr<const Object>;

/// Encoded objects, least recently used out first, within a byte budget.
///
/// Units     Sizes are Object::cost().
/// Lifetime  Whoever holds an ObjectRef pins the object: it is not evicted, even where
///           the budget is passed, until the last reference goes.
/// Errors    None but std::bad_alloc.
/// Threads   A cache belongs to one thread.
class ObjectCache {
 public:
  explicit ObjectCache(std::size_t byte_budget) { stats_.byte_budget = byte_budget; }
  ObjectCache(const ObjectCache&) = delete;  // index_ points into entries_
  ObjectCache& operator=(const ObjectCache&) = delete;

  /// The object, which becomes the most recently used, or null if it is not held.
  ObjectRef find(std::string_view key);

  /// Holds `object` under `key` in place of what was there, then trims.
  void insert(const std::string& key, ObjectRef object);

  /// Forgets the object: its bytes turned out to be damaged.
  void erase(std::string_view key);

  /// Evicts from the cold end, sparing what is pinned, until the budget holds.
  void trim();

  const CacheStats& stats() const noexcept { return stats_; }

 private:
  struct Entry {
    std::string key;
    ObjectRef object;
  };
  using Entries = std::list<Entry>;

  Entries::iterator drop(Entries::iterator entry);

  CacheStats stats_;
  Entries entries_;                                                // most recent first
  std::unordered_map<std::string_view, Entries::iterator> index_;  // keys of entries_
};

}  // namespace bev::store
