#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/save/attachment.hpp"
#include "core/save/config.hpp"
#include "core/save/manifest.hpp"

namespace bev::save {

/// What a committed data set says about itself in its attributes.
struct Committed {
  DataConfig config;
  std::uint64_t rows = 0;
  std::string id;                            ///< of the commit that wrote it
  std::vector<Attachment> attachments = {};  ///< sorted by name
};

/// Rows of an attribute's array, and of a chunk.
struct ArrayRows {
  std::uint64_t rows = 0;
  std::uint64_t chunk_rows = 0;
};

/// Returns the metadata documents of a committed data set by key. Version 2: .zgroup,
/// .zattrs, one .zarray per attribute, and .zmetadata with all of them. Version 3: one
/// zarr.json per attribute, and that of the root with all of them. With attachments, also
/// that of their group.
///
/// @param arrays  of each attribute
std::map<std::string, std::string> documents_of(const Committed& committed,
                                                std::span<const ArrayRows> arrays);

/// Reads a .zattrs or the root's zarr.json; nullopt if a saver has not written it.
///
/// Throws  invalid_metadata for one that claims to be a saver's but is not
std::optional<Committed> committed_from(std::string_view document,
                                        std::string_view where);

}  // namespace bev::save
