#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/owned_bytes.hpp"
#include "core/store/request.hpp"

namespace bev::store {

class HeldRanges;

/// An object as the host supplied it: its encoded bytes, a range of them, or the fact
/// that it is absent.
struct Object {
  OwnedBytes bytes;
  bool absent = false;
  bool piece = false;  ///< `bytes` is a range of the object
  bool ends = false;   ///< the object ends after these bytes

  /// Returns the bytes that the object counts in a budget. Absence costs 128 bytes too:
  /// an array may have a billion absent chunks.
  std::size_t cost() const noexcept {
    return bytes.size() + (absent || piece ? std::size_t{128} : std::size_t{0});
  }
};
using ObjectRef = std::shared_ptr<const Object>;

/// LRU cache of encoded objects, whole or in pieces, within a byte budget.
///
/// Units          Sizes are Object::cost().
/// Lifetime       An ObjectRef pins its object: it is not evicted before the last
///                reference is released, even if the budget is exceeded.
/// Throws         Nothing but std::bad_alloc.
/// Thread safety  A cache belongs to one thread.
class ObjectCache {
 public:
  explicit ObjectCache(std::size_t byte_budget) { stats_.byte_budget = byte_budget; }
  ObjectCache(const ObjectCache&) = delete;  // index_ points into entries_
  ObjectCache& operator=(const ObjectCache&) = delete;

  /// Returns the whole object and makes it the most recently used; null if it is not
  /// cached.
  ObjectRef find(std::string_view key);

  /// Returns whether the whole object is cached. Changes neither statistics nor order.
  bool contains(std::string_view key) const { return index_.contains({key, kWhole}); }

  /// Returns the cached pieces of the object and makes them the most recently used.
  HeldRanges pieces(std::string_view key);

  /// Caches `object` under `key`, replacing the previous object and its pieces, then
  /// trims.
  void insert(const std::string& key, ObjectRef object);

  /// Caches a piece of the object beside the others, then trims. The caller has checked
  /// that it overlaps none of them.
  void insert_piece(const std::string& key, std::uint64_t begin, ObjectRef object);

  /// Removes the object and its pieces, because its bytes are damaged.
  void erase(std::string_view key);

  /// Evicts unpinned objects, least recently used first, until the budget holds.
  void trim();

  const CacheStats& stats() const noexcept { return stats_; }

 private:
  /// Begin of an entry that is a whole object; sorts after all pieces.
  static constexpr auto kWhole = std::numeric_limits<std::uint64_t>::max();

  struct Entry {
    std::string key;
    std::uint64_t begin = kWhole;
    ObjectRef object;
  };
  using Entries = std::list<Entry>;
  using Id = std::pair<std::string_view, std::uint64_t>;

  void add(Entry entry);
  Entries::iterator drop(Entries::iterator entry);

  CacheStats stats_;
  Entries entries_;                        // most recently used first
  std::map<Id, Entries::iterator> index_;  // views the keys of entries_
};

}  // namespace bev::store
