#include "core/ops/door.hpp"

#include <string_view>

namespace bev::ops {

const Operation* Door::find(std::string_view name) const noexcept {
  for (const auto& group : groups_) {
    for (const auto& operation : group) {
      if (operation.name == name) return &operation;
    }
  }
  return nullptr;
}

const Outcome& Door::run(const Operation& operation, Arguments& given) {
  last_.clear();
  operation.run(given, objects_, last_);
  return last_;
}

std::vector<store::Request> Door::missing(int query) {
  return objects_.missing(query);
}

std::vector<store::Request> Door::ahead(int query) {
  return objects_.ahead(query);
}

std::span<const ResultArray> Door::build(int query) {
  return objects_.build(query);
}

}  // namespace bev::ops
