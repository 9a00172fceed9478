#include "core/store/block_cache.hpp"

#include <algorithm>
#include <utility>

namespace bev::store {

std::size_t BlockCache::Hash::operator()(const BlockId& id) const noexcept {
  // The multiplier is 2^64 divided by the golden ratio, which spreads neighbouring
  // values.
  std::uint64_t hash = 0;
  for (const std::uint64_t part :
       {std::uint64_t{id.array}, std::uint64_t{id.rows}, id.row, id.chunk,
        std::uint64_t{id.offset}, std::uint64_t{id.size}}) {
    hash = (hash ^ part) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  return static_cast<std::size_t>(hash);
}

BlockCache::Block BlockCache::find(const BlockId& id) {
  const auto hit = index_.find(id);
  if (hit == index_.end()) {
    ++misses_;
    return nullptr;
  }
  ++hits_;
  entries_.splice(entries_.begin(), entries_, hit->second);
  return hit->second->block;
}

BlockCache::Block BlockCache::insert(const BlockId& id, RawBytes bytes) {
  auto block = std::make_shared<const RawBytes>(std::move(bytes));
  if (const auto old = index_.find(id); old != index_.end()) {
    bytes_held_ -= old->second->block->size();
    entries_.erase(old->second);
    index_.erase(old);
  }
  std::list<Entry> fresh;  // everything that can throw runs before entries_ changes
  fresh.push_front({id, block});
  index_.emplace(id, fresh.begin());
  entries_.splice(entries_.begin(), fresh);
  bytes_held_ += block->size();
  while (bytes_held_ > byte_budget_) {
    bytes_held_ -= entries_.back().block->size();
    index_.erase(entries_.back().id);
    entries_.pop_back();
  }
  return block;
}

// Compares hashes only: a collision counts as seen.
bool BlockCache::seen_recently(const BlockId& id) noexcept {
  const auto hash = Hash{}(id);
  if (std::find(seen_.begin(), seen_.end(), hash) != seen_.end()) return true;
  seen_[next_seen_] = hash;
  next_seen_ = (next_seen_ + 1) % seen_.size();
  return false;
}

}  // namespace bev::store
