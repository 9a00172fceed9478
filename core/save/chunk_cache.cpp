#include "core/save/chunk_cache.hpp"

#include <utility>

namespace bev::save {

const DecodedChunk* ChunkCache::find(const ChunkId& id) {
  const auto hit = index_.find(id);
  if (hit == index_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, hit->second);
  last_[id.attribute] = hit->second;
  return &hit->second->chunk;
}

void ChunkCache::insert(const ChunkId& id, DecodedChunk chunk) {
  const auto bytes = chunk.bytes.size();
  Entries fresh;  // everything that can throw runs before the cache changes
  fresh.push_front({id, std::move(chunk)});
  index_.emplace(id, fresh.begin());
  entries_.splice(entries_.begin(), fresh);
  bytes_held_ += bytes;
  evict();
}

void ChunkCache::evict() {
  auto at = entries_.end();
  while (bytes_held_ > byte_budget_ && at != entries_.begin()) {
    --at;
    // The first entry was found or inserted last
    if (at == entries_.begin() || at == last_[at->id.attribute]) continue;
    bytes_held_ -= at->chunk.bytes.size();
    index_.erase(at->id);
    at = entries_.erase(at);
  }
}

void ChunkCache::demote(const ChunkId& id) {
  const auto hit = index_.find(id);
  if (hit == index_.end()) return;
  entries_.splice(entries_.end(), entries_, hit->second);
  auto& last = last_[id.attribute];
  if (last == hit->second) last = entries_.end();
  evict();
}

std::size_t ChunkCache::bytes_from(const ChunkId& begin) const {
  std::size_t bytes = 0;
  for (auto at = index_.lower_bound(begin);
       at != index_.end() && at->first.attribute == begin.attribute; ++at) {
    bytes += at->second->chunk.bytes.size();
  }
  return bytes;
}

void ChunkCache::clear() {
  last_.assign(last_.size(), entries_.end());
  index_.clear();
  entries_.clear();
  bytes_held_ = 0;
}

}  // namespace bev::save
