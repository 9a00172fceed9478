#include <string>

#include "core/base/checked.hpp"
#include "core/zarr/dtype.hpp"
#include "native/info/info.hpp"

namespace bev::native {
namespace {

using nlohmann::json;

/// Formats 1234567 as "1,234,567".
std::string grouped(std::uint64_t number) {
  auto digits = std::to_string(number);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), ",");
  }
  return digits;
}

std::string joined(const json& numbers) {
  std::string out;
  for (const auto& number : numbers) out += (out.empty() ? "" : " x ") + number.dump();
  return out.empty() ? "a single value" : out;
}

/// Formats a codec's name and settings: "blosc lz4 5 shuffle 1".
std::string codec_text(const json& compressor) {
  if (!compressor.is_object()) return "no codec";
  auto text = compressor.value("id", "?");
  for (const auto& [key, value] : compressor.items()) {
    if (key == "id") continue;
    text +=
        " " + key + " " + (value.is_string() ? value.get<std::string>() : value.dump());
  }
  return text;
}

std::string shape_text(const std::vector<std::size_t>& shape) {
  std::string out;
  for (const auto length : shape) {
    out += (out.empty() ? " [" : ", ") + std::to_string(length);
  }
  return out.empty() ? out : out + "]";
}

void append_fields(std::string& out, const zarr::DType& type, std::size_t indent) {
  std::size_t width = 0;
  for (const auto& field : type.fields) width = std::max(width, field.name.size());
  for (const auto& field : type.fields) {
    out += std::string(indent, ' ') + field.name;
    out += std::string(width - field.name.size() + 2, ' ');
    out += zarr::to_string(field.type) + shape_text(field.type.shape) + "\n";
    append_fields(out, field.type, indent + 2);
  }
}

/// Returns the decoded size of all elements in bytes; nullopt on overflow.
std::optional<std::uint64_t> plain_bytes(const json& shape, const zarr::DType& type) {
  std::optional<std::uint64_t> bytes = type.size();
  for (const auto& length : shape) {
    if (bytes) bytes = checked_mul(*bytes, length.get<std::uint64_t>());
  }
  return bytes;
}

/// Stored sizes are unknown over HTTP.
void append_sizes(std::string& out, const json& stored,
                  std::optional<std::uint64_t> plain) {
  const bool known = stored.is_number();
  if (known) out += "  stored  " + grouped(stored.get<std::uint64_t>()) + " bytes";
  if (plain) out += (known ? " of " : "  size    ") + grouped(*plain);
  if (plain) out += " decoded";
}

void append_chunks(std::string& out, const json& stored, const json& missing) {
  if (!stored.is_number()) return;
  out += "\n  chunks  " + grouped(stored.get<std::uint64_t>()) + " stored";
  if (missing.is_number()) {
    out += ", " + grouped(missing.get<std::uint64_t>()) + " missing";
  }
}

void append_array(std::string& out, const std::string& path, const json& array) {
  out += "\n" + (path.empty() ? std::string("(the store)") : path) + "\n";
  if (array.contains("error")) {
    out += "  read failed: " + array.at("error").get<std::string>() + "\n";
    return;
  }
  const auto type = zarr::parse_dtype(array.at("dtype"), path);
  const auto& shape = array.at("shape");
  out += "  shape   " + joined(shape) + ", in chunks of " + joined(array.at("chunks")) +
         ", order " + array.at("order").get<std::string>() + "\n";
  out += "  codec   " + codec_text(array.at("compressor")) + "\n";
  append_sizes(out, array.at("stored_bytes"), plain_bytes(shape, type));
  append_chunks(out, array.at("stored_chunks"), array.at("missing_chunks"));
  const bool is_record = type.kind == zarr::Kind::record;
  out += "\n  dtype   " + zarr::to_string(type);
  out +=
      is_record ? ", a record of " + std::to_string(type.size()) + " bytes:\n" : "\n";
  append_fields(out, type, 4);
}

}  // namespace

std::string info_text(const json& info, const std::string& name) {
  std::string out = name + ": " + info.at("format").get<std::string>() + ", " +
                    std::to_string(info.at("arrays").size()) + " arrays\n";
  if (info.at("table").is_string()) {
    out += "\n" + info.at("table").get<std::string>() + "\n";
  }
  for (const auto& [path, array] : info.at("arrays").items()) {
    append_array(out, path, array);
  }
  if (!info.at("attrs").empty()) {
    out += "\nattributes\n";
    for (const auto& [key, value] : info.at("attrs").items()) {
      out += "  " + key + ": " + value.dump() + "\n";
    }
  }
  return out;
}

}  // namespace bev::native
