#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "core/zarr/metadata.hpp"

// State of a writer between two chunks: the number of rows, and the bytes of those that
// do not fill a chunk yet.

namespace bev::scene {

/// Returns the state as JSON; `pending` becomes a binary value.
nlohmann::json pending_state(std::uint64_t rows, const std::vector<std::byte>& pending);

/// Restores `pending` from a state and returns the number of rows.
///
/// Throws  corrupt_chunk for a state that does not belong to the array.
std::uint64_t restored_rows(const nlohmann::json& state, const zarr::ArrayMeta& meta,
                            std::vector<std::byte>& pending);

/// Returns a member of a state. Throws corrupt_chunk if it is absent.
const nlohmann::json& state_member(const nlohmann::json& state, const char* name);

}  // namespace bev::scene
