#include "core/zarr/dtype_v3.hpp"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "core/base/error.hpp"
#include "core/zarr/fill_value.hpp"

namespace bev::zarr {
namespace {

using nlohmann::json;

constexpr int kMaxDepth = 16;

[[noreturn]] void refuse(Errc code, std::string_view where, Message what) {
  fail(code, {where, ": ", joined(what)});
}

struct Named {
  std::string_view name, code;
};

constexpr Named kPlain[] = {
    {"bool", "|b1"},     {"int8", "|i1"},      {"int16", "i2"},   {"int32", "i4"},
    {"int64", "i8"},     {"uint8", "|u1"},     {"uint16", "u2"},  {"uint32", "u4"},
    {"uint64", "u8"},    {"float16", "f2"},    {"float32", "f4"}, {"float64", "f8"},
    {"complex64", "c8"}, {"complex128", "c16"}};

// A length in a type's configuration, as text; nullopt if it is not one.
std::optional<std::uint64_t> length_of(const json& configuration, const char* name) {
  if (!configuration.is_object()) return std::nullopt;
  const auto found = configuration.find(name);
  const bool good = found != configuration.end() && found->is_number_unsigned() &&
                    *found <= std::uint64_t{1} << 31;
  return good ? std::optional(found->get<std::uint64_t>()) : std::nullopt;
}

json sized(const json& type, const std::string& code, std::uint64_t unit,
           std::string_view where) {
  const auto bytes = length_of(type.value("configuration", json()), "length_bytes");
  if (bytes && *bytes % unit == 0) return code + std::to_string(*bytes / unit);
  refuse(Errc::invalid_metadata, where, {"data_type ", type.dump(), ": no length"});
}

json time(const json& type, char order, char letter, std::string_view where) {
  const json configuration = type.value("configuration", json());
  const auto scale = length_of(configuration, "scale_factor").value_or(1);
  const auto unit =
      configuration.is_object() ? configuration.find("unit") : configuration.end();
  if (unit == configuration.end() || !unit->is_string()) {
    refuse(Errc::invalid_metadata, where, {"data_type ", type.dump(), ": no unit"});
  }
  auto code = std::string{order, letter} + "8";
  if (*unit == "generic") return code;
  const auto factor = scale == 1 ? std::string() : std::to_string(scale);
  return code + "[" + factor + unit->get<std::string>() + "]";
}

// Fields as [name, type] or {name, data_type}.
json record(const json& type, char order, std::string_view where, int depth) {
  const json configuration = type.value("configuration", json());
  const auto fields =
      configuration.is_object() ? configuration.find("fields") : configuration.end();
  if (fields == configuration.end() || !fields->is_array() || fields->empty()) {
    refuse(Errc::invalid_metadata, where, {"data_type ", type.dump(), ": no fields"});
  }
  json list = json::array();
  for (const json& field : *fields) {
    const bool pair = field.is_array() && field.size() == 2;
    const bool named =
        field.is_object() && field.contains("name") && field.contains("data_type");
    if (!pair && !named) {
      refuse(Errc::invalid_metadata, where,
             {"field ", field.dump(), ", expected a name and a data_type"});
    }
    const json& inner = pair ? field[1] : field["data_type"];
    list.push_back({pair ? field[0] : field["name"],
                    dtype_from_v3(inner, order, where, depth + 1)});
  }
  return list;
}

// r16 is two bytes without a meaning.
std::optional<json> raw_bits(const std::string& name) {
  const bool digits = name.size() > 1 && name.size() < 10 && name[0] == 'r' &&
                      std::all_of(name.begin() + 1, name.end(),
                                  [](char c) { return c >= '0' && c <= '9'; });
  if (!digits) return std::nullopt;
  const auto bits = std::stoul(name.substr(1));
  if (bits == 0 || bits % 8 != 0) return std::nullopt;
  return "|V" + std::to_string(bits / 8);
}

std::vector<std::byte> record_fill(const json& value, const DType& type,
                                   std::string_view where) {
  std::vector<std::byte> bytes;
  for (const Field& field : type.fields) {
    const auto found = value.find(field.name);
    if (found == value.end()) {
      refuse(Errc::invalid_metadata, where,
             {"fill_value ", value.dump(), ": no \"", field.name, "\""});
    }
    const auto part = fill_from_v3(*found, field.type, where);
    bytes.insert(bytes.end(), part.begin(), part.end());
  }
  return bytes;
}

// "0x7fc00000": the bits of a real, most significant first.
std::optional<std::vector<std::byte>> hex_fill(const json& value, const DType& type) {
  if (!value.is_string() || type.kind != Kind::real) return std::nullopt;
  const auto& text = value.get_ref<const std::string&>();
  constexpr std::string_view kDigits = "0123456789abcdef";
  if (text.size() != 2 + 2 * type.item_size || !text.starts_with("0x")) {
    return std::nullopt;
  }
  std::vector<std::byte> bytes;
  for (std::size_t i = 2; i < text.size(); i += 2) {
    const auto high = kDigits.find(text[i]);
    const auto low = kDigits.find(text[i + 1]);
    if (high == kDigits.npos || low == kDigits.npos) return std::nullopt;
    bytes.push_back(static_cast<std::byte>(16 * high + low));
  }
  if (type.order != ByteOrder::big) std::reverse(bytes.begin(), bytes.end());
  return bytes;
}

// r*: a list of bytes.
std::optional<std::vector<std::byte>> listed_fill(const json& value,
                                                  const DType& type) {
  if (!value.is_array() || type.kind != Kind::raw || value.size() != type.size()) {
    return std::nullopt;
  }
  std::vector<std::byte> bytes;
  for (const json& byte : value) {
    if (!byte.is_number_unsigned() || byte > 255) return std::nullopt;
    bytes.push_back(static_cast<std::byte>(byte.get<unsigned>()));
  }
  return bytes;
}

}  // namespace

json dtype_from_v3(const json& data_type, char order, std::string_view where,
                   int depth) {
  if (depth > kMaxDepth)
    refuse(Errc::invalid_metadata, where, {"records nested deeper"});
  const json type = data_type.is_string() ? json{{"name", data_type}} : data_type;
  if (!type.is_object() || !type.contains("name") || !type["name"].is_string()) {
    refuse(Errc::invalid_metadata, where,
           {"data_type ", data_type.dump(), ", expected a name"});
  }
  const auto name = type["name"].get<std::string>();
  for (const auto& plain : kPlain) {
    if (name != plain.name) continue;
    const bool single = plain.code[0] == '|';
    return (single ? std::string() : std::string(1, order)) + std::string(plain.code);
  }
  const std::string ordered(1, order);
  if (name == "fixed_length_utf32") return sized(type, ordered + "U", 4, where);
  if (name == "null_terminated_bytes") return sized(type, "|S", 1, where);
  if (name == "raw_bytes") return sized(type, "|V", 1, where);
  if (name == "numpy.datetime64") return time(type, order, 'M', where);
  if (name == "numpy.timedelta64") return time(type, order, 'm', where);
  if (name == "struct" || name == "structured") {
    return record(type, order, where, depth);
  }
  if (const auto raw = raw_bits(name)) return *raw;
  refuse(Errc::unsupported, where, {"data_type \"", name, "\" is not supported"});
}

std::vector<std::byte> fill_from_v3(const json& value, const DType& type,
                                    std::string_view where) {
  if (value.is_object() && type.kind == Kind::record) {
    return record_fill(value, type, where);
  }
  if (const auto bytes = hex_fill(value, type)) return *bytes;
  if (const auto bytes = listed_fill(value, type)) return *bytes;
  return parse_fill_value(value, type, where);
}

}  // namespace bev::zarr
