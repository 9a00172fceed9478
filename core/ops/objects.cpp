#include "core/ops/objects.hpp"

#include <string_view>

#include "core/base/error.hpp"

namespace bev::ops {

namespace {

[[noreturn]] void fail_released(std::string_view argument, std::string_view type) {
  fail(Errc::invalid_argument,
       {argument, ": released, or lost in a failure (expected ", type, ")"});
}

}  // namespace

int Objects::add(Object object) {
  all_.emplace(++last_, std::move(object));
  return last_;
}

void* Objects::find(int id, const char* type, const char* argument) {
  const auto found = all_.find(id);
  if (found == all_.end()) fail_released(argument, type);
  const auto& [is, object, query, calls] = found->second;
  // Mostly the same constant.
  if (is != type && std::string_view(is) != type) fail_released(argument, type);
  return object.get();
}

const Objects::Object& Objects::query(int id) const {
  const auto found = all_.find(id);
  if (found == all_.end() || found->second.calls == nullptr) {
    fail_released("query", "a query");
  }
  return found->second;
}

std::vector<store::Request> Objects::missing(int id) {
  const auto& found = query(id);
  return found.calls->missing(found.query);
}

std::vector<store::Request> Objects::ahead(int id) {
  const auto& found = query(id);
  return found.calls->ahead(found.query);
}

std::span<const ResultArray> Objects::build(int id) {
  const auto& found = query(id);
  return found.calls->build(found.query);
}

double Objects::next_part(int id) {
  const auto& found = query(id);
  return found.calls->next_part == nullptr ? 0 : found.calls->next_part(found.query);
}

}  // namespace bev::ops
