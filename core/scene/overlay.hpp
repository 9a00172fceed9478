#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/scene/columns.hpp"
#include "core/scene/records.hpp"

namespace bev::scene {

/// The first virtual row of an array. Rows from here on are in memory.
inline constexpr std::int64_t kFirstVirtualRow = std::int64_t{1} << 52U;

/// The arrays with virtual rows.
enum class VirtualArray : std::uint8_t { frames, agents, faces };

/// Virtual rows of an array: those of one scene, and the place of a range in them.
///
/// Lifetime  The columns belong to the overlay; valid until it changes.
struct VirtualRows {
  static constexpr std::size_t kMaxColumns = 6;

  Interval all;           ///< rows of the scene
  std::size_t first = 0;  ///< of the range, counted from all.begin
  /// The scene's columns in the order of ChunkedDataset::Table, in native byte order.
  std::array<std::span<const std::byte>, kMaxColumns> columns;
};

/// Throws invalid_argument, naming the scene, if columns have different lengths or the
/// frames' intervals do not cover the rows in order, from 0.
void check_arrays(std::uint64_t scene, const SceneArrays& arrays);

/// Scenes in memory that replace scenes of a data set; see ChunkedDataset::with. Their
/// rows are virtual: they lie beyond the ends of the stored arrays. A scene that is
/// replaced again gets new virtual rows, so that data cached by row are never those of
/// an older version.
///
/// Throws         put() throws as check_arrays(); rows() throws out_of_range for rows of
///                no scene or of an older version.
/// Thread safety  Change an overlay only while no query reads it.
class Overlay {
 public:
  /// Replaces a scene. Call it again after changes of `arrays`.
  void put(std::uint64_t scene, std::shared_ptr<const SceneArrays> arrays);

  /// Restores the stored scene, if it is replaced.
  void drop(std::uint64_t scene);

  /// Returns the scene in memory, or null if it is not replaced.
  const SceneArrays* find(std::uint64_t scene) const noexcept;

  /// Returns the virtual frames of a scene that is replaced.
  Interval frames_of(std::uint64_t scene) const;

  /// Returns the rows of a range, which lie in one scene.
  VirtualRows rows(VirtualArray array, Interval range) const;

  /// Returns the end of an array's virtual rows.
  std::int64_t end(VirtualArray array) const noexcept {
    return ends_[static_cast<std::size_t>(array)];
  }

  /// Returns a number that differs after every change.
  std::uint64_t version() const noexcept { return version_; }

 private:
  struct Replaced {
    std::uint64_t scene = 0;
    std::shared_ptr<const SceneArrays> arrays;
    std::array<Interval, 3> rows;  ///< by VirtualArray
    std::vector<Interval> agents;  ///< intervals of the frames, in virtual rows
    std::vector<Interval> faces;
  };

  const Replaced* replaced(std::uint64_t scene) const noexcept;

  std::vector<Replaced> scenes_;
  std::array<std::int64_t, 3> ends_{kFirstVirtualRow, kFirstVirtualRow,
                                    kFirstVirtualRow};
  std::uint64_t version_ = 0;
};

}  // namespace bev::scene
