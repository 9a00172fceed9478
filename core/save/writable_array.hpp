#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/save/array_documents.hpp"
#include "core/save/array_object.hpp"
#include "core/save/array_store.hpp"
#include "core/zarr/assignment.hpp"

namespace bev::save {

/// What an array's objects occupy; with shards, those instead of chunks.
struct ArrayUse {
  std::uint64_t chunks = 0;        ///< that the shape has
  std::uint64_t stored = 0;        ///< of these, in the store
  std::uint64_t stored_bytes = 0;  ///< of chunks and the document
};

/// An array of a store that others may change at the same time: other threads, processes
/// and machines.
///
/// Of two assignments to the same elements one is the last, chunk by chunk. A reader gets
/// each chunk from before or from after an assignment; of several chunks some may be from
/// before. If a writer is killed, each chunk is the old or the new one. Codec, order and
/// fill value stay as the document says. Absent chunks read as the fill value.
///
/// Lifetime       The store outlives the array.
/// Throws         not_found if there is no array; unsupported as parse_document();
///                corrupt_chunk for chunks that do not decode, which then keep their
///                bytes; out_of_range and invalid_argument for elements outside the
///                array and for values that do not fit; errors of the store
/// Thread safety  As the store.
class WritableArray {
 public:
  /// @param path  "agents"; "" if the array is the store
  WritableArray(ArrayStore& store, std::string path);

  enum class Existing { keep, replace };

  /// Creates an array and the groups around it, in version 3 of the format if
  /// `meta.prefixed_keys`, else in version 2. Returns whether there was none.
  ///
  /// @param existing  keep: nothing is changed if there is an array. replace: it is
  ///        removed first, with its chunks; a writer that is killed leaves it or none
  /// Throws  unsupported within a group of the other version; invalid_argument if a group
  ///         is at the path
  static bool create(ArrayStore& store, const std::string& path,
                     const zarr::ArrayMeta& meta, Existing existing = Existing::keep);

  const std::string& path() const noexcept { return path_; }

  /// The metadata as last read or written.
  const zarr::ArrayMeta& meta() const noexcept { return document_.meta; }

  /// Reads the metadata again: others may have changed the shape.
  const zarr::ArrayMeta& refresh();

  /// Returns the target's elements in C order. Nothing is cached.
  std::vector<std::byte> read(const zarr::Target& target);

  /// Changes elements. Chunks are read only if a part of them is kept.
  void assign(const zarr::Assignment& assignment);

  /// Appends rows along the first axis: the bytes of whole rows, in C order. Without
  /// locks (S3) the rows read as fill values until they are written; otherwise they
  /// appear at once.
  void append(std::span<const std::byte> rows);

  /// Changes the length of the axes. New elements have the fill value; chunks outside
  /// are removed.
  ///
  /// Throws  unsupported for a smaller shape in a store without locks
  void resize(std::vector<std::uint64_t> shape);

  /// Counts the chunks in the store, from a listing.
  ArrayUse use();

 private:
  using Chunk = zarr::ChunkIndex;

  /// What is done to the chunks of an object.
  struct Change {
    std::function<bool(const Chunk&)> keeps;  ///< whether old elements are needed
    std::function<void(const Chunk&, std::span<std::byte>)> edit;
    bool only_stored = false;  ///< absent chunks of shards stay absent
  };

  std::string key_of(const Chunk& object) const;
  std::string_view name_in(std::string_view key) const;
  void load();
  void cut(const Chunk& chunk, std::span<std::byte> decoded,
           const std::vector<std::uint64_t>& shape) const;
  void change(const ObjectPart& part, const Change& change);
  void append_rows(std::span<const std::byte> rows, std::uint64_t count,
                   bool has_locks);
  void clear_outside(const std::vector<std::uint64_t>& old);
  void check_shape(const std::vector<std::uint64_t>& shape) const;
  bool store_shape(const std::vector<std::uint64_t>& shape);
  void store_consolidated();

  ArrayStore& store_;
  std::string path_;
  ArrayDocument document_;
  std::string tag_;  // of the document
};

}  // namespace bev::save
