#pragma once

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/error.hpp"
#include "core/reader/statistics.hpp"

namespace bev::test {

/// Returns a little-endian type of one element.
inline zarr::DType type_of(zarr::Kind kind, std::size_t size) {
  zarr::DType out;
  out.kind = kind;
  out.item_size = size;
  out.order = zarr::ByteOrder::little;
  return out;
}

/// Returns the code and the message with which a statistics file is refused.
inline std::string message_of(const std::string& text) {
  try {
    reader::Statistics::parse(text);
  } catch (const Error& error) {
    return std::string(to_string(error.code())) + ": " + error.what();
  }
  return "no error";
}

/// Replaces a part, and removes the checksum, which would not match.
inline std::string replaced(std::string text, std::string_view from,
                            std::string_view to) {
  const auto checksum = text.rfind(",\"crc32c\":");
  if (checksum != text.npos) text.replace(checksum, text.npos, "}\n");
  const auto at = text.find(from);
  REQUIRE(at != text.npos);
  return text.replace(at, from.size(), to);
}

}  // namespace bev::test
