#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/save/chunk_length.hpp"
#include "core/save/commit_plan.hpp"
#include "core/save/stored_rows.hpp"

namespace bev::save {

/// Makes a data set of one complete part, for hosts without threads. The host reads what
/// is missing and writes what next() returns, in this order: chunks, the arrays'
/// documents, .zattrs, .zgroup, .zmetadata.
///
///   while (!commit.is_complete()) {
///     for (const auto& key : commit.missing()) commit.supply(key, read(key));
///     if (auto object = commit.next()) write(*object);
///   }
///
/// The objects are those of native::commit_parts() for the same rows. Each is returned
/// once: before the first chunk of an array, all that must be encoded are compared with
/// the limit.
///
/// Thread safety  An instance belongs to one thread.
class PartCommit {
 public:
  /// Throws  invalid_argument for a part that is not complete; invalid_metadata for a
  ///         manifest of another config
  PartCommit(const DataConfig& config, std::string_view manifest);
  PartCommit(const PartCommit&) = delete;  // the plan refers to the part
  PartCommit& operator=(const PartCommit&) = delete;

  /// Returns the keys of the part's objects that next() needs.
  std::vector<std::string> missing() const;

  /// Takes an object of the part.
  ///
  /// Throws  corrupt_chunk if it differs from its entry in the manifest; not_found for
  ///         one that is not missing
  void supply(const std::string& key, std::vector<std::byte> bytes);

  /// Returns the next object of the data set; nullopt if it needs other objects first, or
  /// if all were returned.
  ///
  /// Throws  invalid_argument while objects are missing
  std::optional<NewObject> next();

  bool is_complete() const noexcept { return is_complete_; }
  std::uint64_t rows() const noexcept { return parts_[0].rows; }

 private:
  const Attribute& schema() const { return config_.attributes()[attribute_]; }
  std::string key_of(const Slice& slice) const;
  std::vector<Slice> slices() const;
  std::vector<std::byte> decoded() const;
  void begin_array();
  void find_length();
  void check_chunk();
  std::vector<std::byte> encoded() const;
  void keep_last();
  NewObject chunk();
  std::optional<NewObject> document();

  DataConfig config_;
  std::vector<Manifest> parts_;
  std::size_t attribute_ = 0;
  std::optional<JoinPlan> plan_;
  std::optional<ChunkLength> length_;
  std::uint64_t chunk_rows_ = 0;  // 0: not found yet
  bool fits_ = false;             // no chunk exceeds the limit
  std::uint64_t index_ = 0;
  std::map<std::string, std::vector<std::byte>> held_;
  std::vector<std::uint64_t> lengths_;
  std::vector<NewObject> documents_;  // the last one is returned first
  bool is_complete_ = false;
};

}  // namespace bev::save
