#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/owned_bytes.hpp"
#include "core/save/config.hpp"

namespace bev::save {

/// An array of loaded rows.
///
/// Lifetime  The bytes are those of the LoadedFields.
struct LoadedArray {
  std::string name;
  std::string dtype;
  std::vector<std::size_t> shape;
  std::span<const std::byte> bytes;
};

/// Loaded rows by field: as a reader's batches, fields of variable length have their
/// elements, and NAME.offsets with where those of each row begin; fields that may be
/// null have NAME.valid.
class LoadedFields {
 public:
  /// @param columns  by attribute, as of RowLoader::take()
  /// @param rows     their number; nullopt: one, without an axis for rows
  /// Throws  corrupt_chunk for text that is not UTF-8
  LoadedFields(const DataConfig& config, std::vector<RawBytes> columns,
               std::optional<std::size_t> rows);

  std::span<const LoadedArray> arrays() const noexcept { return arrays_; }

 private:
  void add_ragged(const Field& field, const Attribute& values);
  std::vector<std::size_t> item_shape() const;

  std::vector<RawBytes> columns_;
  std::optional<std::size_t> rows_;
  std::vector<std::vector<std::uint32_t>> offsets_;
  std::vector<LoadedArray> arrays_;
};

}  // namespace bev::save
