#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/sink.hpp"
#include "core/scene/records.hpp"
#include "core/scene/scene_records.hpp"

namespace bev::scene {

/// Layout of a dataset. The defaults are L5Kit's.
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

/// Writes a dataset of four arrays as L5Kit does: construct, append, close. Full chunks
/// are written at once, so that one chunk per array is held in memory.
///
/// Lifetime       The sink outlives the writer. The dataset can be opened only after
///                close(), which writes the last chunks (padded with zeros) and the
///                metadata.
/// Throws         invalid_argument for a string of more than 16 code points, a chunk
///                length of 0 or an unknown codec; exceptions of the sink.
/// Thread safety  A writer belongs to one thread.
class Writer {
 public:
  explicit Writer(Sink& sink, const WriterOptions& options = {});
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  /// Append records to their array. Intervals are global and written as given.
  void append(std::span<const Scene> scenes);
  void append(std::span<const Frame> frames);
  void append(std::span<const Agent> agents);
  void append(std::span<const Face> faces);

  /// Return the number of rows appended so far: where the next interval begins.
  std::int64_t scene_count() const noexcept;
  std::int64_t frame_count() const noexcept;
  std::int64_t agent_count() const noexcept;
  std::int64_t face_count() const noexcept;

  /// Sets an attribute of the group, which close() writes.
  ///
  /// @throws Error  invalid_argument if `json` is not JSON
  void set_attribute(const std::string& name, std::string_view json);

  /// Returns the counts and pending records. A new writer that restores them continues
  /// with the next record: it replaces the chunks written since with equal ones.
  nlohmann::json state() const;

  /// Throws corrupt_chunk for a state of another layout.
  void restore(const nlohmann::json& state);

  /// Writes pending records, .zgroup, .zattrs, the four .zarray and .zmetadata.
  /// Appending afterwards is an error; closing twice is not.
  void close();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// Appends a scene to the writer, with its intervals shifted by the writer's counts.
void append_scene(Writer& writer, const SceneRecords& records);

}  // namespace bev::scene
