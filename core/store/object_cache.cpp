#include "core/store/object_cache.hpp"

#include <iterator>
#include <utility>

namespace bev::store {

ObjectRef ObjectCache::find(std::string_view key) {
  const auto hit = index_.find(key);
  if (hit == index_.end()) {
    ++stats_.misses;
    return nullptr;
  }
  ++stats_.hits;
  entries_.splice(entries_.begin(), entries_, hit->second);
  return hit->second->object;
}

void ObjectCache::insert(const std::string& key, ObjectRef object) {
  erase(key);
  Entries fresh;  // all that can throw happens before entries_ changes
  fresh.push_front({key, std::move(object)});
  index_.emplace(fresh.front().key, fresh.begin());
  stats_.bytes_held += fresh.front().object->cost();
  entries_.splice(entries_.begin(), fresh);
  trim();
}

void ObjectCache::erase(std::string_view key) {
  const auto hit = index_.find(key);
  if (hit != index_.end()) drop(hit->second);
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
  index_.erase(entry->key);
  return entries_.erase(entry);
}

}  // namespace bev::store
