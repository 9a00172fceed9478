#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/number_text.hpp"
#include "core/pickle/value.hpp"
#include "tests/support/files.hpp"

namespace bev::test {

/// Returns tests/vectors/pickle.json, which make_pickle.py writes.
inline const nlohmann::json& pickle_vectors() {
  static const auto vectors =
      nlohmann::json::parse(read_text(test_path("vectors/pickle.json")));
  return vectors;
}

inline std::vector<std::byte> from_hex(const std::string& text) {
  std::vector<std::byte> out;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    out.push_back(static_cast<std::byte>(std::stoi(text.substr(i, 2), nullptr, 16)));
  }
  return out;
}

inline std::string to_hex(std::span<const std::byte> bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (const auto byte : bytes) {
    out += kDigits[static_cast<std::size_t>(byte >> 4)];
    out += kDigits[static_cast<std::size_t>(byte & std::byte{15})];
  }
  return out;
}

inline std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

/// Returns a value as the vectors show it.
inline nlohmann::json shown(pickle::Value value) {
  using nlohmann::json;
  using pickle::Kind;
  json items = json::array();
  for (const auto item : value.items()) items.push_back(shown(item));
  switch (value.kind()) {
    case Kind::none: return nullptr;
    case Kind::boolean: return *value.boolean();
    case Kind::integer: return *value.integer();
    case Kind::big_integer: return {{"big", to_hex(*value.bytes())}};
    case Kind::real: return {{"real", python_repr(*value.number())}};
    case Kind::text: return *value.text();
    case Kind::string: return {{"string", to_hex(*value.bytes())}};
    case Kind::bytes: return {{"bytes", to_hex(*value.bytes())}};
    case Kind::list: return items;
    case Kind::tuple: return {{"tuple", items}};
    case Kind::set: return {{"set", items}};
    case Kind::frozenset: return {{"frozenset", items}};
    case Kind::persistent: return {{"persistent", shown(value.id())}};
    case Kind::global:
      return {
          {"global", std::string(value.module()) + "." + std::string(value.name())}};
    case Kind::dict: {
      json pairs = json::array();
      for (std::size_t i = 0; i < items.size(); i += 2) {
        pairs.push_back(json::array({items[i], items[i + 1]}));
      }
      return {{"dict", pairs}};
    }
    case Kind::call: break;
  }
  json call{{"call", shown(value.callee())},
            {"arguments", shown(value.arguments())["tuple"]}};
  if (value.keywords()) call["keywords"] = shown(value.keywords());
  if (value.state()) call["state"] = shown(value.state());
  if (value.appended()) call["appended"] = shown(value.appended());
  if (value.pairs()) call["pairs"] = shown(value.pairs());
  return call;
}

}  // namespace bev::test
