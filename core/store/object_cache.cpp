#include "core/store/object_cache.hpp"

#include <iterator>
#include <utility>

#include "core/store/held_ranges.hpp"

namespace bev::store {

ObjectRef ObjectCache::find(std::string_view key) {
  const auto hit = index_.find({key, kWhole});
  if (hit == index_.end()) {
    ++stats_.misses;
    return nullptr;
  }
  ++stats_.hits;
  entries_.splice(entries_.begin(), entries_, hit->second);
  return hit->second->object;
}

HeldRanges ObjectCache::pieces(std::string_view key) {
  HeldRanges found;
  for (auto at = index_.lower_bound({key, 0}); at != index_.end(); ++at) {
    if (at->first.first != key || at->first.second == kWhole) break;
    entries_.splice(entries_.begin(), entries_, at->second);
    found.add(at->first.second, at->second->object);
  }
  return found;
}

void ObjectCache::insert(const std::string& key, ObjectRef object) {
  erase(key);
  add({key, kWhole, std::move(object)});
  trim();
}

void ObjectCache::insert_piece(const std::string& key, std::uint64_t begin,
                               ObjectRef object) {
  const auto old = index_.find({key, begin});  // an empty piece marks the object's end
  if (old != index_.end()) drop(old->second);
  add({key, begin, std::move(object)});
  trim();
}

void ObjectCache::erase(std::string_view key) {
  for (auto at = index_.lower_bound({key, 0});
       at != index_.end() && at->first.first == key;) {
    drop((at++)->second);
  }
}

void ObjectCache::add(Entry entry) {
  Entries fresh;  // everything that can throw runs before entries_ changes
  fresh.push_front(std::move(entry));
  index_.emplace(Id{fresh.front().key, fresh.front().begin}, fresh.begin());
  stats_.bytes_held += fresh.front().object->cost();
  entries_.splice(entries_.begin(), fresh);
}

void ObjectCache::trim() {
  auto entry = entries_.end();
  while (stats_.bytes_held > stats_.byte_budget && entry != entries_.begin()) {
    --entry;
    if (entry->object.use_count() > 1) continue;
    entry = drop(entry);
    ++stats_.evictions;
  }
}

ObjectCache::Entries::iterator ObjectCache::drop(Entries::iterator entry) {
  stats_.bytes_held -= entry->object->cost();
  index_.erase({entry->key, entry->begin});
  return entries_.erase(entry);
}

}  // namespace bev::store
