#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string_view>

namespace bev::simulation {

/// Returns the bytes of a MessagePack document that is one binary value; empty if it is
/// anything else.
std::span<const std::byte> packed_bytes(std::span<const std::byte> document);

/// Reads a MessagePack document to a tree. Keys are texts.
///
/// @param where   what is being read, the prefix of messages
/// @throws Error  corrupt_chunk for other bytes, with the offset; unsupported for
///                extension types and binary values; limit_exceeded for more than
///                kMaxMessageValues values, or nesting above kMaxJsonDepth
nlohmann::json read_message_pack(std::span<const std::byte> document,
                                 std::string_view where);

/// Maximum number of values of a document.
inline constexpr std::size_t kMaxMessageValues = 20'000'000;

}  // namespace bev::simulation
