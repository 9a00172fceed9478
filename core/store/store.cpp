#include "core/store/store.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/base/error.hpp"

namespace bev::store {

namespace {

// Copies, so that a cached part does not keep the whole answer in memory.
OwnedBytes part_of(const OwnedBytes& bytes, std::uint64_t begin, ByteRange part) {
  const auto view =
      bytes.span().subspan(static_cast<std::size_t>(part.begin - begin),
                           static_cast<std::size_t>(part.end - part.begin));
  RawBytes copy(view.size());
  std::copy(view.begin(), view.end(), copy.begin());
  return copy;
}

}  // namespace

void Store::supply(const Request& request, OwnedBytes bytes) {
  const auto& range = request.range;
  const bool document = Catalogue::is_document(request.key);
  if (range && document) {
    fail_at(Errc::invalid_argument, request.key, {"range supplied of a document"});
  }
  if (range &&
      (range->begin >= range->end || bytes.size() > range->end - range->begin)) {
    fail_at(Errc::invalid_argument, request.key,
            {"too many bytes supplied (found ", bytes.size(), ", expected at most ",
             range->begin, ":", range->end, ")"});
  }
  if (document) {
    catalogue_.supply(request.key, bytes);
    return;
  }
  absent_.erase(request.key);
  if (range) {
    insert_piece(request.key, *range, bytes);
  } else {
    insert(request.key, {std::move(bytes), false, false, false});
  }
}

void Store::supply_absent(std::string_view key) {
  if (Catalogue::is_document(key)) {
    catalogue_.supply_absent(key);
    return;
  }
  insert(key, {{}, true, false, false});
}

ObjectRef Store::touch(std::string_view key, Plan& plan) {
  auto object = find(key, plan);
  if (!object) plan.request(key, true);
  return object;
}

ObjectRef Store::find(std::string_view key, Plan& plan) {
  auto object = objects_.find(key);
  if (!object) return nullptr;
  if (object->absent) absent_.emplace(key);
  plan.pin(object);
  return object;
}

ObjectRef Store::join(const std::string& key, const HeldRanges& pieces,
                      std::size_t size, Plan& plan) {
  auto object = std::make_shared<const Object>(Object{pieces.all(size)});
  plan.pin(object);
  objects_.insert(key, object);
  return object;
}

Store::ArrayStats& Store::array_stats(const Array& array) {
  if (array_stats_.size() <= array.id) array_stats_.resize(array.id + std::size_t{1});
  return array_stats_[array.id];
}

void Store::remember_failure(std::string_view key, std::string_view name,
                             const Error& error) {
  failures_.add(key, name, error);
  if (key == name) objects_.erase(key);
}

std::vector<std::string> Store::forget_failures(std::string_view key) {
  auto damaged = failures_.forget(key);
  for (const auto& object : damaged) objects_.erase(object);
  for (auto one = absent_.begin(); one != absent_.end();) {
    if (key.empty() || *one == key) {
      objects_.erase(*one);
      one = absent_.erase(one);
    } else {
      ++one;
    }
  }
  return damaged;
}

std::optional<std::uint64_t> Store::held_bytes(std::string_view key) {
  if (!objects_.contains(key)) return std::nullopt;
  const auto object = objects_.find(key);
  return object->absent ? std::nullopt
                        : std::optional<std::uint64_t>(object->bytes.size());
}

std::vector<std::string> Store::absent_chunks() const {
  return {absent_.begin(), absent_.end()};
}

void Store::unregister_plan(Plan& plan) {
  std::erase(plans_, &plan);
}

void Store::insert(std::string_view key, Object object) {
  auto shared = std::make_shared<const Object>(std::move(object));
  if (pin_for_plans(key, shared)) {
    objects_.insert(std::string(key), std::move(shared));
  }
}

// Ranges requested by two queries may overlap: bytes already in memory stay.
void Store::insert_piece(const std::string& key, ByteRange range,
                         const OwnedBytes& bytes) {
  if (objects_.contains(key)) return;
  const auto end = range.begin + bytes.size();
  const bool ends = end < range.end;
  auto holes = objects_.pieces(key).holes({range.begin, end});
  if (ends && (holes.empty() || holes.back().end != end)) holes.push_back({end, end});
  for (const auto hole : holes) {
    const bool all = hole.begin == range.begin && hole.end == end;
    auto shared = std::make_shared<const Object>(
        Object{all ? bytes : part_of(bytes, range.begin, hole), false, true,
               ends && hole.end == end});
    if (!pin_for_plans(key, shared)) continue;
    objects_.insert_piece(key, hole.begin, std::move(shared));
  }
}

// A plan that cannot hold the object reports that in its next finish(). An object that
// no plan could hold is not cached: otherwise one query of a huge range would fill the
// memory before it fails.
bool Store::pin_for_plans(std::string_view key, const ObjectRef& object) {
  bool requested = false;
  bool pinned = false;
  for (auto* plan : plans_) {
    if (!plan->has_request(key)) continue;
    requested = true;
    if (plan->try_pin(object)) pinned = true;
  }
  return pinned || !requested;
}

}  // namespace bev::store
