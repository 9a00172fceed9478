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

class Pieces;

/// An object as the host supplied it: its encoded bytes, some of them, or the fact that
/// there is none.
struct Object {
  OwnedBytes bytes;
  bool absent = false;
  bool piece = false;  ///< these are bytes from some place on
  bool ends = false;   ///< and behind these the object has no more

  /// What the object counts for in a budget. Knowing of an absence is not free either,
  /// or an array of a billion missing chunks would be.
  std::size_t cost() const noexcept {
    return bytes.size() + (absent || piece ? std::size_t{128} : std::size_t{0});
  }
};
using ObjectRef = std::shared_ptr<const Object>;

/// Encoded objects, whole or in pieces, least recently used out first, within a byte
/// budget.
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

  /// The whole object, which becomes the most recently used, or null if it is not held.
  ObjectRef find(std::string_view key);

  /// Whether the whole object is held; nothing is counted or moved.
  bool contains(std::string_view key) const { return index_.contains({key, kWhole}); }

  /// What is held of the object in pieces, which become the most recently used.
  Pieces pieces(std::string_view key);

  /// Holds `object` under `key` in place of what was there, pieces included, then
  /// trims.
  void insert(const std::string& key, ObjectRef object);

  /// Holds a piece of the object beside the others, then trims. The caller has checked
  /// that it overlaps none of them.
  void insert_piece(const std::string& key, std::uint64_t begin, ObjectRef object);

  /// Forgets the object and its pieces: its bytes turned out to be damaged.
  void erase(std::string_view key);

  /// Evicts from the cold end, sparing what is pinned, until the budget holds.
  void trim();

  const CacheStats& stats() const noexcept { return stats_; }

 private:
  /// Where a piece begins; the whole comes after all pieces.
  static constexpr auto kWhole = std::numeric_limits<std::uint64_t>::max();

  struct Entry {
    std::string key;
    std::uint64_t begin = kWhole;
    ObjectRef object;
  };
  using Entries = std::list<Entry>;
  using Id = std::pair<std::string_view, std::uint64_t>;

  void hold(Entry entry);
  Entries::iterator drop(Entries::iterator entry);

  CacheStats stats_;
  Entries entries_;                        // most recent first
  std::map<Id, Entries::iterator> index_;  // keys of entries_
};

}  // namespace bev::store
