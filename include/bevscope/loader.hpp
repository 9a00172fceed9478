#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "export.hpp"
#include "source.hpp"

namespace bev {

/// Parameters of a loader.
struct LoaderOptions {
  /// Memory for chunks: half for encoded ones, half for decoded ones. At least twice the
  /// size of the largest object.
  std::size_t byte_budget = std::size_t{512} << 20;
  /// Attributes that are loaded, in this order; nullopt: all. Of others, nothing is read.
  std::optional<std::vector<std::string>> attributes = std::nullopt;
};

/// Length of an axis that varies from row to row.
inline constexpr auto kVariableLength = std::numeric_limits<std::uint64_t>::max();

/// An attribute of a saved data set.
struct LoadedAttribute {
  std::string name;   ///< "image"
  std::string dtype;  ///< NumPy's code; fields of a record as JSON; "utf8"
  std::vector<std::uint64_t> shape;  ///< of an item: (28, 28), (kVariableLength, 4)
  std::uint64_t chunk_rows = 0;      ///< rows per object
  /// Of variable length: "array", "bytes", "text", "image" or "npy"; otherwise "".
  std::string kind = {};
  std::string content_type = {};  ///< of images and bytes, if known
  bool nullable = false;          ///< the array NAME.valid says which rows are not null
};

/// A file that was attached to a saved data set.
struct LoadedAttachment {
  std::string name;         ///< "calibration.json"
  std::uint64_t bytes = 0;  ///< its size
  std::string sha256;       ///< 64 hexadecimal digits
};

/// What a loader has read.
struct LoaderCounters {
  std::uint64_t chunks = 0;    ///< chunks read and decoded, again after eviction
  std::size_t held_bytes = 0;  ///< of decoded chunks in memory
};

/// Loads rows of a data set that savers have written: by index, or in order.
///
/// Opening reads metadata only. A row costs one read per attribute, which reads the whole
/// chunk; its other rows are then served from memory within the byte budget. Calls of
/// rows() that continue each other read one chunk at first, then one, two, four ...
/// chunks ahead, and each chunk once.
///
/// Shapes         Arrays are in the attributes' order, in the stored byte order.
///                ArrayView::dtype() is the attribute's dtype. Attributes of variable
///                length are as in a Reader's batches: see Arrays::ragged().
/// Lifetime       Results own their memory, and may outlive the loader.
/// Throws         out_of_range for rows that do not exist; changed if the data set was
///                replaced since it was opened; missing_key for an absent chunk;
///                corrupt_chunk for a damaged one; out_of_memory if the byte budget is
///                too small; and errors of the source. Nothing is returned then, and the
///                loader remains usable.
/// Thread safety  A loader belongs to one thread.
/// Reference      docs/saver.md
class BEV_EXPORT DataLoader {
 public:
  /// Reads the metadata from `source`.
  ///
  /// Throws  invalid_argument for a store that no saver has written, for an empty list
  ///         of attributes and for one named twice; not_found for an unknown one
  explicit DataLoader(std::shared_ptr<Source> source,
                      const LoaderOptions& options = {});
  ~DataLoader();
  DataLoader(DataLoader&&) noexcept;             ///< leaves the other unusable
  DataLoader& operator=(DataLoader&&) noexcept;  ///< leaves the other unusable

  /// Returns the number of rows.
  std::uint64_t size() const noexcept;

  /// Returns the config as given to the savers, with all members; of the attributes,
  /// those that are loaded.
  const std::string& config_json() const noexcept;

  /// Returns the identifier of the commit that wrote the data set.
  const std::string& commit() const noexcept;

  /// Returns the attributes, in the config's order.
  std::span<const LoadedAttribute> attributes() const noexcept;

  /// Returns the attachments, sorted by name.
  std::span<const LoadedAttachment> attachments() const noexcept;

  /// Reads an attachment.
  ///
  /// Throws  not_found if there is none of this name; corrupt_chunk if its bytes differ
  ///         from its SHA-256
  std::vector<std::byte> attachment(const std::string& name);

  /// Returns a row: arrays of the items' shapes. -1 is the last row.
  Arrays item(std::int64_t index);

  /// Returns these rows, in this order: arrays of shape (n, ...). Negative indices count
  /// from the end.
  Arrays items(std::span<const std::int64_t> indices);

  /// Returns rows [begin, end), where begin <= end <= size().
  Arrays rows(std::uint64_t begin, std::uint64_t end);

  /// Removes all chunks from memory, and forgets remembered failures.
  void clear();

  /// Returns what was read.
  LoaderCounters counters() const noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Batches of consecutive rows.
///
/// Lifetime  The loader outlives it.
class BEV_EXPORT DataBatches {
 public:
  /// Begins at row 0.
  ///
  /// Throws  invalid_argument for a batch of 0 rows
  DataBatches(DataLoader& loader, std::uint64_t batch);

  /// Returns the next batch, of fewer rows at the end; nullopt after the last one.
  std::optional<Arrays> next();

  /// Goes to a row: the next batch begins there.
  void seek(std::uint64_t row) noexcept { row_ = row; }

  /// Returns the first row of the next batch.
  std::uint64_t position() const noexcept { return row_; }

 private:
  DataLoader* loader_;
  std::uint64_t batch_;
  std::uint64_t row_ = 0;
};

}  // namespace bev
