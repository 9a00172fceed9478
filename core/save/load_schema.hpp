#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/save/documents.hpp"
#include "core/save/row_loader.hpp"

namespace bev::save {

/// What a loader knows of a committed data set.
struct LoadSchema {
  Committed committed;
  std::vector<RowLayout> layouts;  ///< of the attributes, in the config's order
};

/// Reads the schema from the description of a store (see Engine::describe()), and
/// compares its arrays with the config.
///
/// @param where    the store, for messages
/// @param fields   those that are loaded; nullopt: all. The schema has no others.
/// Throws  invalid_argument for a store that no saver has written; invalid_metadata for
///         an array that is missing or has another dtype or shape than the config says;
///         and errors of DataConfig::with_fields()
LoadSchema load_schema(
    std::string_view description, std::string_view where,
    const std::optional<std::vector<std::string>>& fields = std::nullopt);

/// Returns how many chunks are read at the same time: the objects of the largest size
/// that a byte budget has room for, 1 to 16.
std::size_t chunks_within(const LoadSchema& schema, std::size_t byte_budget) noexcept;

}  // namespace bev::save
