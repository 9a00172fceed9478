#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/save/array_join.hpp"
#include "core/save/documents.hpp"
#include "core/save/settings.hpp"
#include "core/save/stored_rows.hpp"
#include "core/zarr/version3_store.hpp"

namespace bev::save {

/// Joins complete parts into a data set, for hosts without threads. The host reads what
/// is missing and writes what next() returns, in this order: chunks or shards,
/// attachments, the arrays' documents, then .zattrs, .zgroup and .zmetadata, or the root's zarr.json.
///
///   while (!commit.is_complete()) {
///     for (const auto& key : commit.missing()) commit.supply(key, read(key));
///     if (auto object = commit.next()) write(*object);
///   }
///
/// Keys of missing objects begin with the name of a part (see part_name()): "000003/a/0-9",
/// or with "base/": objects of the data set that is appended to.
///
/// The objects are those of native::commit_parts() for the same parts. Each is returned
/// once: before the first chunk of an array, all that must be encoded are compared with
/// the limit.
///
/// Thread safety  An instance belongs to one thread.
class PartCommit {
 public:
  struct Inputs {
    SaveSettings settings;
    std::vector<std::string> manifests;  ///< of all parts, in any order
    /// The data set that is at the store's path, if its rows come first.
    std::optional<Committed> base;
  };

  /// Throws  invalid_argument for a part that is not complete, and two of one saver;
  ///         invalid_metadata for a manifest of another config
  explicit PartCommit(const Inputs& inputs);
  PartCommit(const PartCommit&) = delete;  // the plan refers to the parts
  PartCommit& operator=(const PartCommit&) = delete;

  /// Returns the keys of the objects that next() needs.
  std::vector<std::string> missing() const;

  /// Takes a missing object.
  ///
  /// Throws  corrupt_chunk if it differs from its entry in the manifest; not_found for
  ///         one that is not missing; invalid_metadata for an array of the base that is
  ///         not that of the config
  void supply(const std::string& key, std::vector<std::byte> bytes);

  /// Returns the next object of the data set; nullopt if it needs other objects or calls
  /// first, or if all were returned.
  ///
  /// Throws  invalid_argument while objects are missing
  std::optional<NewObject> next();

  bool is_complete() const noexcept { return is_complete_; }
  std::uint64_t rows() const noexcept;

  /// Returns the identity of the commit.
  const std::string& id() const noexcept { return id_; }

 private:
  const DataConfig& config() const noexcept { return settings_.config; }
  std::string key_of(const Slice& slice) const;
  std::vector<Slice> slices() const;
  ArrayJoin::Read read() const;
  void begin_array();
  void find_length();
  void check_chunk();
  std::vector<std::byte> encoded() const;
  void keep_last();
  std::optional<NewObject> chunk();
  void list_attachments();
  const Attachment* next_attachment() const;
  std::optional<NewObject> attachment();
  std::optional<NewObject> document();

  SaveSettings settings_;
  std::string id_;
  std::optional<Base> base_;
  std::vector<Manifest> parts_;  // with the base, once it is known
  std::size_t attribute_ = 0;
  std::optional<ArrayJoin> join_;  // nullopt: the base's documents are missing
  std::optional<ChunkLength> length_;
  std::uint64_t chunk_rows_ = 0;  // 0: not found yet
  bool fits_ = false;             // no chunk exceeds the limit
  std::uint64_t index_ = 0;
  std::map<std::string, std::vector<std::byte>> held_;
  zarr::Shard shard_;
  std::vector<Attachment> base_attachments_;
  std::vector<Attachment> attachments_;             // of the data set
  std::map<std::string, std::string> attached_in_;  // keys that next() needs, by name
  std::size_t attached_ = 0;                        // attachments returned
  std::vector<ArrayRows> shapes_;
  std::vector<NewObject> documents_;  // the last one is returned first
  bool is_complete_ = false;
};

}  // namespace bev::save
