#include "core/zarr/json_view.hpp"

#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/json_tree.hpp"

namespace bev::zarr {
namespace {

using nlohmann::json;
using Object = json::object_t;
using List = json::array_t;

// Returns a pointer to the value if it has type T. Unlike get<>() it links no
// exception.
template <class T>
const T* found(const json* value) {
  return value == nullptr ? nullptr : value->get_ptr<const T*>();
}

// Literals that Python's json writes but JSON lacks, longest first.
constexpr std::string_view kNumbers[] = {"-Infinity", "Infinity", "NaN"};

/// Returns `text` with NaN and Infinity outside strings put in quotes, as zarr spells
/// them in fill values; nullopt if there are none.
std::optional<std::string> with_spelled_numbers(std::string_view text) {
  std::string out;
  bool in_string = false;
  bool found = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::string_view number;
    for (const auto each : kNumbers) {
      if (!in_string && number.empty() && text.substr(at).starts_with(each)) {
        number = each;
      }
    }
    if (!number.empty()) {
      out.append("\"").append(number).append("\"");
      at += number.size() - 1;
      found = true;
      continue;
    }
    if (in_string && text[at] == '\\' && at + 1 < text.size()) {
      out += text[at++];
    } else if (text[at] == '"') {
      in_string = !in_string;
    }
    out += text[at];
  }
  if (!found) return std::nullopt;
  return out;
}

}  // namespace

JsonView JsonView::operator[](std::string_view name) const {
  const auto* object = found<Object>(value_);
  if (object == nullptr) return {};
  const auto found = object->find(std::string(name));
  return found == object->end() ? JsonView() : JsonView(found->second);
}

JsonView JsonView::at(std::size_t i) const {
  const auto* list = found<List>(value_);
  return list != nullptr && i < list->size() ? JsonView((*list)[i]) : JsonView();
}

std::size_t JsonView::size() const {
  const auto* list = found<List>(value_);
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
  const auto* text = found<std::string>(value_);
  if (text == nullptr) return std::nullopt;
  return *text;
}

std::optional<std::uint64_t> JsonView::count() const {
  const auto* count = found<json::number_unsigned_t>(value_);
  if (count != nullptr) return *count;
  const auto* integer = found<json::number_integer_t>(value_);
  if (integer == nullptr || *integer < 0) return std::nullopt;
  return static_cast<std::uint64_t>(*integer);
}

std::optional<std::int64_t> JsonView::integer() const {
  constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
  const auto* integer = found<json::number_integer_t>(value_);
  const auto whole = count();
  if (integer != nullptr && !whole) return *integer;
  if (!whole || *whole > static_cast<std::uint64_t>(kMax)) return std::nullopt;
  return static_cast<std::int64_t>(*whole);
}

std::optional<double> JsonView::number() const {
  const auto* real = found<json::number_float_t>(value_);
  if (real != nullptr) return *real;
  if (const auto whole = count()) return static_cast<double>(*whole);
  if (const auto whole = integer()) return static_cast<double>(*whole);
  return std::nullopt;
}

std::optional<bool> JsonView::boolean() const {
  const auto* boolean = found<json::boolean_t>(value_);
  if (boolean == nullptr) return std::nullopt;
  return *boolean;
}

std::string JsonView::dump() const {
  return value_ ? value_->dump() : "nothing";
}

JsonView required(JsonView object, std::string_view name, std::string_view where) {
  const auto found = object[name];
  if (!found) fail_at(Errc::invalid_metadata, where, {"\"", name, "\" is missing"});
  return found;
}

void set(json& object, std::string_view name, json value) {
  object[std::string(name)] = std::move(value);
}

void set(json& object, std::string_view name, std::string text) {
  set(object, name, json(std::move(text)));
}

nlohmann::json parse_json(std::string_view text, std::string_view key) {
  bool too_deep = false;
  auto json = parse_json_tree(text, too_deep);
  if (!json && !too_deep) {
    const auto spelled = with_spelled_numbers(text);
    if (spelled) json = parse_json_tree(*spelled, too_deep);
  }
  if (too_deep) {
    fail(Errc::invalid_metadata, {key, ": JSON nested too deeply (expected at most ",
                                  kMaxJsonDepth, " levels)"});
  }
  if (!json) fail(Errc::invalid_metadata, {key, ": not JSON"});
  return *std::move(json);
}

}  // namespace bev::zarr
