#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/save/documents.hpp"
#include "core/save/load_schema.hpp"
#include "core/save/row_loader.hpp"
#include "core/zarr/metadata.hpp"

namespace bev::save {

/// Loads rows of a data set that savers have written, for hosts without an engine: from
/// its consolidated metadata, and from whole encoded chunks.
class LoadSession {
 public:
  /// @param metadata     the object .zmetadata, or the root's zarr.json
  /// @param where        the data set, for messages
  /// @param byte_budget  of decoded chunks
  /// @param fields       those that are loaded; nullopt: all
  /// Throws  out_of_memory if a chunk exceeds the budget; and errors of load_schema()
  LoadSession(std::string_view metadata, std::string_view where,
              std::size_t byte_budget,
              const std::optional<std::vector<std::string>>& fields = std::nullopt);

  const LoadSchema& schema() const noexcept { return schema_; }
  RowLoader& rows() noexcept { return loader_; }
  const RowLoader& rows() const noexcept { return loader_; }

  /// Returns the key of the object with a chunk: "image/3.0.0"; chunks of a shard have
  /// equal keys.
  std::string key(const ChunkRequest& request) const;

  /// Decodes a chunk of a whole object and supplies it to the loader.
  ///
  /// Throws  corrupt_chunk
  void supply(const ChunkRequest& request, std::span<const std::byte> object);

 private:
  LoadSession(const zarr::Group& group, std::string_view where, std::size_t byte_budget,
              const std::optional<std::vector<std::string>>& fields);

  LoadSchema schema_;
  std::vector<zarr::ArrayMeta> metas_;
  RowLoader loader_;
};

/// The objects of a data set that savers have written, for hosts that copy it.
struct StoredObjects {
  Committed committed;
  /// Keys of the metadata, of attachments and of chunks; a shard is one object.
  std::vector<std::string> documents, others;
};

/// Lists the objects by the consolidated metadata.
///
/// Throws  invalid_argument for a store that no saver has written; invalid_metadata;
///         limit_exceeded for more than 10 million objects
StoredObjects stored_objects(std::string_view metadata, std::string_view where);

}  // namespace bev::save
