#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/sink.hpp"
#include "core/facts/columns.hpp"
#include "core/scan/fact_file_head.hpp"
#include "core/scan/object_state.hpp"

namespace bev {

/// Writes the side file of facts as a zarr group, which FactFile reads: columns of
/// scenes and tracks, the rows that scenes are in, the objects that these are in, and
/// the limits of all chunks. Equal input gives equal bytes.
///
/// Lifetime       The sink outlives the writer.
/// Throws         As zarr::ArrayWriter; limit_exceeded above a limit of FactFileHead.
/// Thread safety  A writer belongs to one thread.
class FactFileWriter {
 public:
  /// Rows per chunk. Tracks: 128 kB of a column of doubles, so that a filter that few
  /// tracks pass reads little more than it needs.
  static constexpr std::uint64_t kSceneChunk = 4096;
  static constexpr std::uint64_t kTrackChunk = 16384;

  /// @param head  definitions, map, sources and documents; the writer counts the rest
  FactFileWriter(Sink& sink, FactFileHead head);
  ~FactFileWriter();

  /// Adds the next scenes.
  ///
  /// @param rows  per scene, as kSceneRowColumns
  void add(const facts::FactTable& scenes, const facts::FactTable& tracks,
           std::span<const SceneRows> rows);

  /// Adds the next object of the sources, and then of the documents, in their order.
  void add_object(std::string_view key, const ObjectState& state);

  /// Writes the rest and the metadata. Call after the last scene and object.
  ///
  /// Returns  the identity of the objects
  std::string finish();

 private:
  struct Tables;

  Sink& sink_;
  FactFileHead head_;
  DataIdentity identity_;
  std::unique_ptr<Tables> tables_;
};

}  // namespace bev
