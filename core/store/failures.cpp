#include "core/store/failures.hpp"

#include <utility>

namespace bev::store {

void Failures::add(std::string_view key, std::string_view name, const Error& error) {
  if (find(name)) return;
  if (all_.size() >= kMaxFailures) {
    auto oldest = all_.begin();
    for (auto one = all_.begin(); one != all_.end(); ++one) {
      if (one->order < oldest->order) oldest = one;
    }
    all_.erase(oldest);
  }
  auto place = all_.begin();
  while (place != all_.end() && place->name < name) ++place;
  all_.insert(place, {std::string(name), std::string(key), error, next_order_++});
}

void Failures::check(std::string_view name) const {
  const auto* failure = find(name);
  if (failure) throw Error(failure->error);
}

std::vector<std::string> Failures::forget(std::string_view key) {
  std::vector<std::string> keys;
  std::vector<Failure> others;
  for (auto& one : all_) {
    if (key.empty() || one.key == key) {
      keys.push_back(std::move(one.key));
    } else {
      others.push_back(std::move(one));
    }
  }
  all_ = std::move(others);
  return keys;
}

const Failures::Failure* Failures::find(std::string_view name) const {
  std::size_t begin = 0;
  std::size_t end = all_.size();
  while (begin < end) {
    const auto middle = begin + (end - begin) / 2;
    const auto order = all_[middle].name.compare(name);
    if (order == 0) return &all_[middle];
    if (order < 0) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return nullptr;
}

}  // namespace bev::store
