#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/sink.hpp"
#include "core/scene/copy_layout.hpp"
#include "core/scene/overlay.hpp"
#include "core/scene/records.hpp"

namespace bev::scene {

/// Copies scenes of a data set, in any order and layout. Records keep all of their
/// fields, known or not, and become little-endian; only intervals change.
///
///     Copier copier(sink, engine.describe(), layout);
///     for (each chosen scene) {
///       copier.begin(scene, its record);
///       copier.frames(records of copier.frame_rows());
///       copier.agents(records of copier.agent_rows());
///       copier.faces(records of copier.face_rows());
///     }
///     copier.close();
///
/// Lifetime       The sink outlives the copier. The copy can be opened after close().
/// Throws         Errors of TableWriter; corrupt_chunk for invalid intervals;
///                invalid_argument for records of another length than requested.
/// Thread safety  A copier belongs to one thread.
class Copier {
 public:
  /// @param description  Engine::describe() of the original
  /// @param on_chunk     called for the chunks of the four arrays
  /// @param overlay      scenes in memory to copy in place of those of the original
  /// @throws Error  missing_key if it is not a data set; invalid_metadata if intervals
  ///                have another type; errors of table_layout() and check_names()
  Copier(Sink& sink, std::string_view description, const CopyLayout& layout,
         const TableWriter::OnChunk& on_chunk = {},
         std::shared_ptr<const Overlay> overlay = {});
  ~Copier();
  Copier(const Copier&) = delete;
  Copier& operator=(const Copier&) = delete;

  /// Number of scenes in the original.
  std::uint64_t scene_count() const noexcept;

  /// Whether the original has faces; the copy then has them too.
  bool has_faces() const noexcept;

  /// Paths of the original's arrays that are not copied: masks, predictions.
  const std::vector<std::string>& left_out() const noexcept { return left_out_; }

  /// Begins a scene. Then frame_rows() are the frames to pass to frames(), and so on.
  /// Returns true for a scene in memory, which is then complete.
  bool begin(std::uint64_t scene, std::span<const std::byte> record);
  Interval frame_rows() const noexcept { return frame_rows_; }
  void frames(std::span<const std::byte> records);
  Interval agent_rows() const noexcept { return agent_rows_; }
  void agents(std::span<const std::byte> records);
  Interval face_rows() const noexcept { return face_rows_; }
  void faces(std::span<const std::byte> records);

  /// Writes the last chunks and all metadata, with the original's attributes: of what
  /// bevscope.scenes says of each scene, that of the copied ones, in their order.
  void close();

 private:
  struct Table;
  enum TableIndex : std::size_t {
    scenes_index,
    frames_index,
    agents_index,
    faces_index
  };

  nlohmann::json open_table(std::size_t index, const nlohmann::json& arrays,
                            const CopyLayout& layout,
                            const TableWriter::OnChunk& on_chunk);
  std::vector<std::byte> native(std::size_t index, std::span<const std::byte> records,
                                std::uint64_t count) const;
  Interval rebase(std::vector<std::byte>& records, std::size_t index,
                  std::string_view field, std::size_t target) const;
  std::string attributes() const;

  void append_from_memory();

  Sink& sink_;
  std::shared_ptr<const Overlay> overlay_;
  std::array<std::unique_ptr<Table>, 4> tables_;
  std::unique_ptr<TableWriter> tracks_;  ///< of agent_tracks, if the copy has it
  std::string attributes_;               ///< without those of the scenes
  std::string scenes_;                   ///< their list; "" without one for each scene
  std::vector<std::uint64_t> copied_;  ///< scenes of the original, in the copy's order
  int indent_ = 4;                     ///< of JSON documents; -1: none
  std::vector<std::string> left_out_;
  std::uint64_t scene_ = 0;
  Interval frame_rows_;
  Interval agent_rows_;
  Interval face_rows_;
};

}  // namespace bev::scene
