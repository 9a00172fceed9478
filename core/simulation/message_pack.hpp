#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string_view>

namespace bev::simulation {

/// Returns the bytes of a MessagePack document that is one binary value; empty if it is
/// anything else.
std::span<const std::byte> packed_bytes(std::span<const std::byte> document);

/// Receives an item of a document, and its index; nullopt for a document that is not an
/// array.
using UseItem =
    std::function<void(const nlohmann::json& item, std::optional<std::size_t> index)>;

/// Reads a MessagePack document as trees: of an array each item, otherwise one. Keys are
/// texts.
///
/// @param where       what is being read, the prefix of messages
/// @param max_values  of an item
/// Memory             An item.
/// @throws Error      corrupt_chunk for other bytes, with the offset; unsupported for
///                    extension types and binary values; limit_exceeded for more values,
///                    or nesting above kMaxJsonDepth; exceptions of `use`
void read_message_pack(std::span<const std::byte> document, std::string_view where,
                       std::size_t max_values, const UseItem& use);

}  // namespace bev::simulation
