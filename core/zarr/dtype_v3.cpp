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

constexpr int kMaxDepthV3 = 16;

struct Named {
  std::string_view name, code;
};

constexpr Named kPlain[] = {
    {"bool", "|b1"},     {"int8", "|i1"},      {"int16", "i2"},   {"int32", "i4"},
    {"int64", "i8"},     {"uint8", "|u1"},     {"uint16", "u2"},  {"uint32", "u4"},
    {"uint64", "u8"},    {"float16", "f2"},    {"float32", "f4"}, {"float64", "f8"},
    {"complex64", "c8"}, {"complex128", "c16"}};

// Returns a length from a type's configuration; nullopt if it has none.
std::optional<std::uint64_t> length_of(JsonView configuration, std::string_view name) {
  const auto length = configuration[name].count();
  return length && *length <= std::uint64_t{1} << 31 ? length : std::nullopt;
}

std::string sized(JsonView type, std::string_view code, std::uint64_t unit,
                  std::string_view where) {
  const auto bytes = length_of(type["configuration"], "length_bytes");
  if (bytes && *bytes % unit == 0) return joined({code, *bytes / unit});
  fail_at(Errc::invalid_metadata, where,
          {"data_type ", type.dump(), ": length is missing"});
}

std::string time(JsonView type, std::string_view code, std::string_view where) {
  const auto configuration = type["configuration"];
  const auto scale = length_of(configuration, "scale_factor").value_or(1);
  const auto unit = configuration["unit"].text();
  if (!unit) {
    fail_at(Errc::invalid_metadata, where,
            {"data_type ", type.dump(), ": unit is missing"});
  }
  if (*unit == "generic") return std::string(code);
  const auto factor = scale == 1 ? std::string() : std::to_string(scale);
  return joined({code, "[", factor, *unit, "]"});
}

// Converts fields written as [name, type] or {name, data_type}.
json record(JsonView type, char order, std::string_view where, int depth) {
  const auto fields = type["configuration"]["fields"];
  if (fields.size() == 0) {
    fail_at(Errc::invalid_metadata, where,
            {"data_type ", type.dump(), ": fields are missing"});
  }
  json list = json::array();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const auto field = fields.at(i);
    const bool pair = field.size() == 2;
    const auto name = pair ? field.at(0) : field["name"];
    const auto inner = pair ? field.at(1) : field["data_type"];
    if (!name || !inner) {
      fail_at(Errc::invalid_metadata, where,
              {"invalid field ", field.dump(), " (expected name and data_type)"});
    }
    json entry = json::array();
    entry.push_back(name.json());
    entry.push_back(dtype_from_v3(inner, order, where, depth + 1));
    list.push_back(std::move(entry));
  }
  return list;
}

// Converts raw bits: r16 is two uninterpreted bytes.
std::optional<std::string> raw_bits(std::string_view name) {
  const bool digits = name.size() > 1 && name.size() < 10 && name[0] == 'r' &&
                      std::all_of(name.begin() + 1, name.end(),
                                  [](char c) { return c >= '0' && c <= '9'; });
  if (!digits) return std::nullopt;
  std::size_t bits = 0;
  for (const char c : name.substr(1))
    bits = bits * 10 + static_cast<std::size_t>(c - '0');
  if (bits == 0 || bits % 8 != 0) return std::nullopt;
  return joined({"|V", bits / 8});
}

std::vector<std::byte> record_fill(JsonView value, const DType& type,
                                   std::string_view where) {
  std::vector<std::byte> bytes;
  for (const Field& field : type.fields) {
    const auto found = value[field.name];
    if (!found) {
      fail_at(Errc::invalid_metadata, where,
              {"fill_value ", value.dump(), ": \"", field.name, "\" is missing"});
    }
    const auto part = fill_from_v3(found, field.type, where);
    bytes.insert(bytes.end(), part.begin(), part.end());
  }
  return bytes;
}

// Parses "0x7fc00000": the bits of a real, most significant first.
std::optional<std::vector<std::byte>> hex_fill(JsonView value, const DType& type) {
  const auto text = value.text();
  constexpr std::string_view kDigits = "0123456789abcdef";
  if (type.kind != Kind::real || !text || !text->starts_with("0x") ||
      text->size() != 2 + 2 * type.item_size) {
    return std::nullopt;
  }
  std::vector<std::byte> bytes;
  for (std::size_t i = 2; i < text->size(); i += 2) {
    const auto high = kDigits.find((*text)[i]);
    const auto low = kDigits.find((*text)[i + 1]);
    if (high == kDigits.npos || low == kDigits.npos) return std::nullopt;
    bytes.push_back(static_cast<std::byte>(16 * high + low));
  }
  if (type.order != ByteOrder::big) std::reverse(bytes.begin(), bytes.end());
  return bytes;
}

// Parses the fill value of r*: a list of bytes.
std::optional<std::vector<std::byte>> listed_fill(JsonView value, const DType& type) {
  if (type.kind != Kind::raw || !value.is_list() || value.size() != type.size()) {
    return std::nullopt;
  }
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const auto byte = value.at(i).count().value_or(256);
    if (byte > 255) return std::nullopt;
    bytes.push_back(static_cast<std::byte>(byte));
  }
  return bytes;
}

}  // namespace

json dtype_from_v3(JsonView data_type, char order, std::string_view where, int depth) {
  if (depth > kMaxDepthV3) {
    fail_at(Errc::invalid_metadata, where, {"records are nested too deeply"});
  }
  const auto named = data_type.text();
  const auto name = named ? named : data_type["name"].text();
  if (!name) {
    fail_at(Errc::invalid_metadata, where,
            {"data_type ", data_type.dump(), ": expected a name"});
  }
  const std::string ordered(1, order);
  for (const auto& plain : kPlain) {
    if (*name != plain.name) continue;
    return plain.code[0] == '|' ? std::string(plain.code)
                                : joined({ordered, plain.code});
  }
  if (*name == "fixed_length_utf32") return sized(data_type, ordered + "U", 4, where);
  if (*name == "null_terminated_bytes") return sized(data_type, "|S", 1, where);
  if (*name == "raw_bytes") return sized(data_type, "|V", 1, where);
  if (*name == "numpy.datetime64") return time(data_type, ordered + "M8", where);
  if (*name == "numpy.timedelta64") return time(data_type, ordered + "m8", where);
  if (*name == "struct" || *name == "structured") {
    return record(data_type, order, where, depth);
  }
  if (auto raw = raw_bits(*name)) return *std::move(raw);
  fail_at(Errc::unsupported, where, {"data_type \"", *name, "\" is not supported"});
}

std::vector<std::byte> fill_from_v3(JsonView value, const DType& type,
                                    std::string_view where) {
  if (value.is_object() && type.kind == Kind::record) {
    return record_fill(value, type, where);
  }
  if (const auto bytes = hex_fill(value, type)) return *bytes;
  if (const auto bytes = listed_fill(value, type)) return *bytes;
  return parse_fill_value(value, type, where);
}

}  // namespace bev::zarr
