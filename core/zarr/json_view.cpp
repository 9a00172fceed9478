#include "core/zarr/json_view.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/json_text.hpp"

namespace bev::zarr {
namespace {

using nlohmann::json;
using Object = json::object_t;
using List = json::array_t;

}  // namespace

JsonView JsonView::operator[](std::string_view name) const {
  const auto* object = value_ ? value_->get_ptr<const Object*>() : nullptr;
  if (object == nullptr) return {};
  const auto found = object->find(std::string(name));
  return found == object->end() ? JsonView() : JsonView(found->second);
}

JsonView JsonView::at(std::size_t i) const {
  const auto* list = value_ ? value_->get_ptr<const List*>() : nullptr;
  return list != nullptr && i < list->size() ? JsonView((*list)[i]) : JsonView();
}

std::size_t JsonView::size() const {
  const auto* list = value_ ? value_->get_ptr<const List*>() : nullptr;
  return list == nullptr ? 0 : list->size();
}

bool JsonView::is_list() const {
  return value_ && value_->is_array();
}

bool JsonView::is_object() const {
  return value_ && value_->is_object();
}

bool JsonView::is_null() const {
  return !value_ || value_->is_null();
}

std::optional<std::string_view> JsonView::text() const {
  const auto* text = value_ ? value_->get_ptr<const std::string*>() : nullptr;
  if (text == nullptr) return std::nullopt;
  return *text;
}

std::optional<std::uint64_t> JsonView::count() const {
  if (!value_ || !value_->is_number_unsigned()) return std::nullopt;
  return value_->get<std::uint64_t>();
}

std::optional<double> JsonView::number() const {
  if (!value_ || !value_->is_number()) return std::nullopt;
  return value_->get<double>();
}

std::optional<bool> JsonView::boolean() const {
  if (!value_ || !value_->is_boolean()) return std::nullopt;
  return value_->get<bool>();
}

std::string JsonView::dump() const {
  return value_ ? json_text(*value_) : "nothing";
}

void set(json& object, std::string_view name, json value) {
  object[std::string(name)] = std::move(value);
}

void set(json& object, std::string_view name, std::string text) {
  set(object, name, json(std::move(text)));
}

}  // namespace bev::zarr
