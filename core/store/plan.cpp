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
  requested_.clear();
  index_.clear();
  range_count_ = 0;
  previous_.swap(pinned_);
  pinned_.clear();
  pinned_bytes_ = 0;
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
  const auto needed = pinned_bytes_ + std::exchange(refused_bytes_, 0);
  const auto budget = store_.cache().byte_budget;
  if (needed > budget) {
    release();
    fail_at(
        Errc::out_of_memory, purpose_,
        {"byte budget too small (found ", budget, ", needs at least ", needed, ")"});
  }
  std::vector<Request> requests;
  for (const auto& entry : requested_) {
    if (entry.ranges.empty() || entry.tail > 0) {
      requests.push_back({entry.key, std::nullopt, entry.required, entry.tail});
    }
    for (const auto range : merged(entry.ranges)) {
      requests.push_back({entry.key, range, entry.required});
    }
  }
  return requests;
}

void Plan::release() {
  begin();
  release_previous();
  store_.trim();
}

void Plan::request(std::string_view key, bool required) {
  auto& entry = find_or_add(key, required);
  entry.ranges.clear();
  entry.tail = 0;
}

void Plan::request_tail(std::string_view key, std::uint64_t bytes) {
  const bool known = has_request(key);
  auto& entry = find_or_add(key, true);
  if (known && entry.ranges.empty() && entry.tail == 0)
    return;  // the whole is requested
  entry.tail = std::max(entry.tail, bytes);
}

void Plan::request(std::string_view key, std::span<const ByteRange> ranges) {
  const bool known = has_request(key);
  auto& entry = find_or_add(key, true);
  if (known && entry.ranges.empty() && entry.tail == 0)
    return;  // the whole is requested
  entry.ranges.insert(entry.ranges.end(), ranges.begin(), ranges.end());
  range_count_ += ranges.size();
}

Plan::Requested& Plan::find_or_add(std::string_view key, bool required) {
  const auto found = index_.find(key);
  if (found != index_.end()) return requested_[found->second];
  if (requested_.size() + range_count_ >= kMaxRequests) {
    fail_at(
        Errc::limit_exceeded, purpose_,
        {"too many requests (expected at most ", kMaxRequests, "); select fewer rows"});
  }
  requested_.push_back({std::string(key), required, {}, 0});
  index_.emplace(key, requested_.size() - 1);
  return requested_.back();
}

void Plan::pin(const ObjectRef& object) {
  if (pinned_.contains(object)) return;
  pinned_bytes_ += object->cost();
  if (spare_nodes_.empty()) {
    pinned_.insert(object);
    return;
  }
  auto node = std::move(spare_nodes_.back());
  spare_nodes_.pop_back();
  node.value() = object;
  pinned_.insert(std::move(node));
}

bool Plan::try_pin(const ObjectRef& object) {
  if (pinned_bytes_ + object->cost() > store_.cache().byte_budget) {
    refused_bytes_ += object->cost();
    return false;
  }
  pin(object);
  return true;
}

}  // namespace bev::store
