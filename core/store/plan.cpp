#include "core/store/plan.hpp"

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "core/store/held_ranges.hpp"
#include "core/store/store.hpp"

namespace bev::store {

namespace {

// A round of more requests would cost the host more than the chunks are worth.
constexpr std::size_t kMaxRequests = std::size_t{1} << 20;
// A sample whose chunks are in memory pins two or three objects.
constexpr std::size_t kSpareNodes = 8;

}  // namespace

Plan::Plan(Store& store, std::string purpose)
    : store_(store), purpose_(std::move(purpose)) {
  store_.register_plan(*this);
}

Plan::~Plan() {
  release();
  store_.unregister_plan(*this);
}

void Plan::begin() {
  wants_.clear();
  wanted_.clear();
  range_count_ = 0;
  previous_.swap(held_);
  held_.clear();
  held_bytes_ = 0;
}

void Plan::release_previous() {
  while (!previous_.empty() && spare_nodes_.size() < kSpareNodes) {
    spare_nodes_.push_back(previous_.extract(previous_.begin()));
    spare_nodes_.back().value() = nullptr;
  }
  previous_.clear();
}

std::vector<Request> Plan::finish() {
  release_previous();
  const auto needed = held_bytes_ + std::exchange(refused_bytes_, 0);
  const auto budget = store_.cache().byte_budget;
  if (needed > budget) {
    release();
    fail(Errc::out_of_memory, {purpose_, ": needs at least ", needed,
                               " bytes of chunks at a time, the budget is ", budget});
  }
  std::vector<Request> requests;
  for (const auto& want : wants_) {
    if (want.ranges.empty() || want.tail > 0) {
      requests.push_back({want.key, std::nullopt, want.required, want.tail});
    }
    for (const auto range : joined(want.ranges)) {
      requests.push_back({want.key, range, want.required});
    }
  }
  return requests;
}

void Plan::release() {
  begin();
  release_previous();
  store_.trim();
}

void Plan::want(std::string_view key, bool required) {
  auto& want = find_or_add(key, required);
  want.ranges.clear();
  want.tail = 0;
}

void Plan::request_tail(std::string_view key, std::uint64_t bytes) {
  const bool known = wants(key);
  auto& want = find_or_add(key, true);
  if (known && want.ranges.empty() && want.tail == 0) return;  // the whole is requested
  want.tail = std::max(want.tail, bytes);
}

void Plan::want(std::string_view key, std::span<const ByteRange> ranges) {
  const bool known = wants(key);
  auto& want = find_or_add(key, true);
  if (known && want.ranges.empty() && want.tail == 0) return;  // the whole is requested
  want.ranges.insert(want.ranges.end(), ranges.begin(), ranges.end());
  range_count_ += ranges.size();
}

Plan::Want& Plan::find_or_add(std::string_view key, bool required) {
  const auto found = wanted_.find(key);
  if (found != wanted_.end()) return wants_[found->second];
  if (wants_.size() + range_count_ >= kMaxRequests) {
    fail(Errc::out_of_memory, {purpose_, ": needs more than ", kMaxRequests,
                               " objects at a time; ask for fewer rows"});
  }
  wants_.push_back({std::string(key), required, {}, 0});
  wanted_.emplace(key, wants_.size() - 1);
  return wants_.back();
}

void Plan::hold(const ObjectRef& object) {
  if (held_.contains(object)) return;
  held_bytes_ += object->cost();
  if (spare_nodes_.empty()) {
    held_.insert(object);
    return;
  }
  auto node = std::move(spare_nodes_.back());
  spare_nodes_.pop_back();
  node.value() = object;
  held_.insert(std::move(node));
}

bool Plan::accept(const ObjectRef& object) {
  if (held_bytes_ + object->cost() > store_.cache().byte_budget) {
    refused_bytes_ += object->cost();
    return false;
  }
  hold(object);
  return true;
}

}  // namespace bev::store
