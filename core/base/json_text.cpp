#include "core/base/json_text.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/number_text.hpp"

namespace bev {

JsonText& JsonText::open(char bracket) {
  begin();
  out_ += bracket;
  needs_comma_ = false;
  return *this;
}

JsonText& JsonText::close(char bracket) {
  out_ += bracket;
  needs_comma_ = true;
  return *this;
}

JsonText& JsonText::name(std::string_view name) {
  begin();
  quote(name);
  out_ += ':';
  needs_comma_ = false;
  return *this;
}

JsonText& JsonText::text(std::string_view value) {
  begin();
  quote(value);
  return *this;
}

JsonText& JsonText::number(double value) {
  return json(std::isfinite(value) ? python_repr(value) : "null");
}

JsonText& JsonText::count(std::uint64_t value) {
  return json(std::to_string(value));
}

JsonText& JsonText::count(std::optional<std::uint32_t> value) {
  return value ? count(std::uint64_t{*value}) : null();
}

JsonText& JsonText::flag(bool value) {
  return json(value ? "true" : "false");
}

JsonText& JsonText::null() {
  return json("null");
}

JsonText& JsonText::tree(const nlohmann::json& value) {
  if (value.is_object()) {
    open('{');
    for (auto item = value.begin(); item != value.end(); ++item)
      name(item.key()).tree(item.value());
    return close('}');
  }
  if (value.is_array()) {
    open('[');
    for (const auto& item : value) tree(item);
    return close(']');
  }
  if (value.is_string()) return text(value.get_ref<const std::string&>());
  if (value.is_boolean()) return flag(value.get<bool>());
  if (value.is_number_unsigned()) return count(value.get<std::uint64_t>());
  if (value.is_number_integer()) return json(std::to_string(value.get<std::int64_t>()));
  if (value.is_number()) return number(value.get<double>());
  return null();
}

JsonText& JsonText::json(std::string_view value) {
  begin();
  out_ += value;
  return *this;
}

void JsonText::begin() {
  if (needs_comma_) out_ += ',';
  needs_comma_ = true;
}

void JsonText::quote(std::string_view value) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  out_ += '"';
  for (const char one : value) {
    const auto byte = static_cast<unsigned char>(one);
    if (one == '"' || one == '\\') {
      out_ += '\\';
      out_ += one;
    } else if (byte < 0x20) {
      out_ += "\\u00";
      out_ += kDigits[byte >> 4U];
      out_ += kDigits[byte & 15U];
    } else {
      out_ += one;
    }
  }
  out_ += '"';
}

}  // namespace bev
