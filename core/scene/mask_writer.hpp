#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "core/scene/writer.hpp"
#include "core/zarr/metadata.hpp"

namespace bev::scene {

/// Concatenates the masks of scenes to one row per agent of the dataset; agents in no
/// scene have (0, 0).
///
/// Throws  add() throws unsupported for a scene whose agents begin before the end of
///         the previous one, out_of_range for agents that do not exist.
class MaskRows {
 public:
  /// Receives rows of (past, future) in order, without gaps.
  using Emit = std::function<void(std::span<const std::uint32_t>)>;

  MaskRows(std::uint64_t agent_count, Emit emit)
      : agent_count_(agent_count), emit_(std::move(emit)) {}

  /// Adds the mask, of shape (n, 2), of the agents from row `first`.
  void add(std::uint64_t first, std::span<const std::uint32_t> mask);

  /// Fills the rows after the last scene.
  void finish() { skip_to(agent_count_); }

 private:
  void skip_to(std::uint64_t row);

  std::uint64_t agent_count_;
  std::uint64_t next_ = 0;
  Emit emit_;
};

/// Writes a mask as an array in L5Kit's layout: (n, 2), uint32, 10 000 rows per chunk,
/// Blosc. Holds one chunk in memory.
///
/// Lifetime  The sink outlives the writer.
/// Throws    Exceptions of the sink.
class MaskWriter {
 public:
  /// Returns L5Kit's compressor: Blosc with lz4 and byte shuffle. In wasm only `none`
  /// is supported.
  static zarr::Compressor usual_compressor() {
    return {zarr::Compressor::Id::blosc, "lz4", 5, 1, 0};
  }

  /// Returns the metadata of the array.
  static zarr::ArrayMeta array_meta(
      std::uint64_t agent_count,
      const zarr::Compressor& compressor = usual_compressor());

  /// @param path  of the array: "agents_mask/0.5"
  MaskWriter(Sink& sink, std::string path, std::uint64_t agent_count,
             const zarr::Compressor& compressor = usual_compressor());

  /// Creates a writer of an array as long as the rows that will be appended.
  MaskWriter(Sink& sink, std::string path, const zarr::Compressor& compressor)
      : MaskWriter(sink, std::move(path), 0, compressor) {
    is_growing_ = true;
  }

  /// Appends rows.
  void append(std::span<const std::uint32_t> rows);

  /// As Writer::state() and restore(), for a writer of a growing array.
  nlohmann::json state() const;
  void restore(const nlohmann::json& state);

  /// Writes the last chunk, padded with zeros, and the metadata.
  void close();

 private:
  void flush();

  Sink& sink_;
  std::string path_;
  zarr::ArrayMeta meta_;
  std::vector<std::byte> pending_;
  std::uint64_t chunk_ = 0;
  bool is_growing_ = false;  // meta_.shape[0] counts the rows appended
};

}  // namespace bev::scene
