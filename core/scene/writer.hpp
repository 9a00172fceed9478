#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/scene/records.hpp"

namespace bev::scene {

/// Where a writer puts objects: a folder, a map in memory.
class Sink {
 public:
  virtual ~Sink() = default;

  /// Stores `bytes` under `key` ("agents/3"), replacing what was there. Throws
  /// bev::Error when it cannot; the writer passes that on.
  virtual void write(std::string_view key, std::span<const std::byte> bytes) = 0;
};

/// How a data set is laid out. The defaults are L5Kit's.
struct WriterOptions {
  std::uint64_t scenes_per_chunk = 10'000;
  std::uint64_t frames_per_chunk = 10'000;
  std::uint64_t agents_per_chunk = 20'000;
  std::uint64_t faces_per_chunk = 10'000;
  /// "none", "zlib", "gzip", "zstd", "lz4", or Blosc with "blosc:blosclz", "blosc:lz4",
  /// "blosc:lz4hc", "blosc:zlib", "blosc:zstd". In wasm only "none".
  std::string codec = "blosc:lz4";
  int level = 5;
};

/// Writes a data set of four arrays as L5Kit writes it: initialize (the constructor),
/// append, close. Full chunks leave at once, so the memory held is a chunk per array.
///
/// Lifetime  The sink outlives the writer. Nothing can be opened before close(), which
///           writes the last chunks (padded with zeros) and the metadata.
/// Errors    invalid_argument for a text of more than 16 code points, for a chunk
///           length of 0 and for a codec that is not known; whatever the sink throws.
/// Threads   A writer belongs to one thread.
class Writer {
 public:
  explicit Writer(Sink& sink, const WriterOptions& options = {});
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  /// Appends records to their array. Intervals are global and written as given.
  void append(std::span<const Scene> scenes);
  void append(std::span<const Frame> frames);
  void append(std::span<const Agent> agents);
  void append(std::span<const Face> faces);

  /// Rows appended so far: where the next interval begins.
  std::int64_t scene_count() const noexcept;
  std::int64_t frame_count() const noexcept;
  std::int64_t agent_count() const noexcept;
  std::int64_t face_count() const noexcept;

  /// Writes what is still held, .zgroup, .zattrs, the four .zarray and .zmetadata.
  /// Appending afterwards is an error; closing twice is not.
  void close();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace bev::scene
