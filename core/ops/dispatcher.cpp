#include "core/ops/dispatcher.hpp"

#include <string_view>

namespace bev::ops {

const Operation* Dispatcher::find(std::string_view name) const noexcept {
  for (const auto& group : groups_) {
    for (const auto& operation : group) {
      if (operation.name == name) return &operation;
    }
  }
  return nullptr;
}

const Outcome& Dispatcher::run(const Operation& operation, Arguments& given) {
  last_.clear();
  operation.run(given, objects_, last_);
  return last_;
}

std::vector<store::Request> Dispatcher::missing(int query) {
  return objects_.missing(query);
}

std::vector<store::Request> Dispatcher::ahead(int query) {
  return objects_.ahead(query);
}

std::span<const ResultArray> Dispatcher::build(int query) {
  return objects_.build(query);
}

}  // namespace bev::ops
