#include "core/base/json_place.hpp"

#include <cmath>

#include "core/base/json_tree.hpp"
#include "core/base/number_text.hpp"

namespace bev {
namespace {

std::string brief(const nlohmann::json& value) {
  if (!value.is_number()) return value.type_name();
  return python_repr(value.get<double>());
}

std::string path_below(const std::string& path, char separator, std::string_view key) {
  std::string out = path + separator;
  if (separator == ':') out += ' ';
  return out.append(key);
}

}  // namespace

nlohmann::json json_document(std::string_view text, std::string_view where,
                             std::size_t max_bytes) {
  if (text.size() > max_bytes) {
    fail(Errc::limit_exceeded,
         {where, ": ", text.size(), " bytes (expected at most ", max_bytes, ")"});
  }
  bool too_deep = false;
  auto tree = parse_json_tree(text, too_deep);
  if (!tree) {
    fail(Errc::invalid_argument,
         {where, too_deep ? ": nested too deeply" : ": not JSON"});
  }
  return *std::move(tree);
}

JsonPlace JsonPlace::at(const char* key, char separator) const {
  if (!value_->is_object()) refuse("wrong type (expected an object)");
  const auto found = value_->find(key);
  auto path = path_below(path_, separator, key);
  if (found == value_->end()) fail(Errc::invalid_argument, {path, ": missing"});
  return {*found, std::move(path)};
}

std::vector<JsonPlace> JsonPlace::items() const {
  require_array();
  std::vector<JsonPlace> out;
  for (std::size_t i = 0; i < value_->size(); ++i)
    out.push_back({(*value_)[i], path_ + "[" + std::to_string(i) + "]"});
  return out;
}

std::vector<std::pair<std::string, JsonPlace>> JsonPlace::members(
    char separator) const {
  if (!value_->is_object()) refuse("wrong type (expected an object)");
  std::vector<std::pair<std::string, JsonPlace>> out;
  for (auto item = value_->begin(); item != value_->end(); ++item) {
    out.emplace_back(item.key(),
                     JsonPlace(item.value(), path_below(path_, separator, item.key())));
  }
  return out;
}

std::string JsonPlace::text() const {
  if (!value_->is_string()) refuse("wrong type (expected a string)");
  return value_->get<std::string>();
}

bool JsonPlace::flag() const {
  if (!value_->is_boolean()) refuse("wrong type (expected true or false)");
  return value_->get<bool>();
}

double JsonPlace::number(double greatest, std::string_view range) const {
  return number_of(*value_, greatest, range);
}

std::vector<double> JsonPlace::numbers(double greatest, std::string_view range) const {
  require_array();
  std::vector<double> out;
  out.reserve(value_->size());
  for (const auto& item : *value_) out.push_back(number_of(item, greatest, range));
  return out;
}

void JsonPlace::require_array() const {
  if (!value_->is_array()) refuse("wrong type (expected an array)");
}

std::uint64_t JsonPlace::count_of(const nlohmann::json& value,
                                  std::uint64_t greatest) const {
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    if (number <= greatest) return number;
  }
  fail(Errc::invalid_argument,
       {path_, ": not a whole number, or too large (found ", brief(value), ")"});
}

double JsonPlace::number_of(const nlohmann::json& value, double greatest,
                            std::string_view range) const {
  const double number = value.is_number() ? value.get<double>()
                                          : std::numeric_limits<double>::quiet_NaN();
  if (std::fabs(number) <= greatest) return number;
  fail(Errc::invalid_argument,
       {path_, ": not a number from ", range, " (found ", brief(value), ")"});
}

}  // namespace bev
