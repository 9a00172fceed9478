#include "core/store/failures.hpp"

#include <algorithm>
#include <utility>

namespace bev::store {

void Failures::note(std::string_view key, std::string_view name, const Error& error) {
  if (by_name_.contains(name)) return;
  if (by_name_.size() >= kMost) {
    by_name_.erase(order_.front());
    order_.pop_front();
  }
  by_name_.emplace(name, Failure{std::string(key), error});
  order_.emplace_back(name);
}

void Failures::check(std::string_view name) const {
  if (by_name_.empty()) return;
  const auto found = by_name_.find(name);
  if (found != by_name_.end()) throw Error(found->second.error);
}

std::vector<std::string> Failures::forget(std::string_view key) {
  std::vector<std::string> keys;
  for (auto one = by_name_.begin(); one != by_name_.end();) {
    if (key.empty() || one->second.key == key) {
      keys.push_back(std::move(one->second.key));
      one = by_name_.erase(one);
    } else {
      ++one;
    }
  }
  std::erase_if(order_,
                [&](const std::string& name) { return !by_name_.contains(name); });
  return keys;
}

}  // namespace bev::store
