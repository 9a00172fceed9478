#include "core/store/store.hpp"

#include <memory>
#include <utility>

#include "core/base/error.hpp"

namespace bev::store {

void Store::supply(const Request& request, std::vector<std::byte> bytes) {
  if (request.range) {
    throw Error(Errc::invalid_argument,
                request.key + ": bytes " + std::to_string(request.range->begin) +
                    " to " + std::to_string(request.range->end) +
                    " supplied, expected the whole object");
  }
  if (Catalogue::is_document(request.key)) {
    catalogue_.supply(request.key, bytes);
    return;
  }
  absent_.erase(request.key);
  keep(request.key, {std::move(bytes), false});
}

void Store::supply_absent(std::string_view key) {
  if (Catalogue::is_document(key)) {
    catalogue_.supply_absent(key);
    return;
  }
  keep(key, {{}, true});
}

ObjectRef Store::touch(std::string_view key, Plan& plan) {
  auto object = objects_.find(key);
  if (!object) {
    plan.want(key, true);
    return nullptr;
  }
  if (object->absent) absent_.emplace(key);
  plan.hold(object);
  return object;
}

std::vector<std::string> Store::absent_chunks() const {
  return {absent_.begin(), absent_.end()};
}

void Store::dismiss(Plan& plan) {
  std::erase(plans_, &plan);
}

// A plan that cannot hold the object says so in its next finish(); what nobody could
// hold is not kept, or one query of a huge range would fill the memory before it fails.
void Store::keep(std::string_view key, Object object) {
  auto shared = std::make_shared<const Object>(std::move(object));
  bool wanted = false;
  bool accepted = false;
  for (auto* plan : plans_) {
    if (!plan->wants(key)) continue;
    wanted = true;
    if (plan->accept(shared)) accepted = true;
  }
  if (wanted && !accepted) return;
  objects_.insert(std::string(key), std::move(shared));
}

}  // namespace bev::store
