#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/scene/copy_layout.hpp"
#include "core/scene/overlay.hpp"
#include "core/scene/records.hpp"
#include "core/store/box_selection.hpp"
#include "native/copy/copy.hpp"
#include "native/source/source.hpp"

namespace bev::native {

struct CopyOptions {
  store::AxisSlice scenes = {};  ///< in the order of the copy; an index is one scene
  scene::CopyLayout layout = {};
  /// Write the limits of every chunk's values for filters, unless they are larger than
  /// kMaxStatisticsBytes.
  bool statistics = false;
  int zarr_format = 2;                 ///< 2 or 3, which has no types for records
  std::uint64_t chunks_per_shard = 0;  ///< of version 3; 0: none, see Version3Store
  CopyProgress progress = {};
  Existing existing = Existing::refuse;
  std::shared_ptr<const scene::Overlay> overlay = {};  ///< replaces scenes
};

/// Maximum size of the statistics that a copy has.
inline constexpr std::size_t kMaxStatisticsBytes = std::size_t{8} << 20;

/// What copy_dataset() wrote.
struct Copied {
  std::uint64_t scenes = 0;
  std::vector<std::string> left_out;  ///< arrays of the original that were not copied
  bool has_statistics = false;
  std::vector<std::string> absent = {};  ///< chunks of a Source, read as fill values
};

/// The data set that is copied.
class CopySource {
 public:
  virtual ~CopySource() = default;

  /// Returns Engine::describe().
  virtual std::string description() = 0;

  /// Returns rows of an array as records, valid until the next call. There is at least
  /// one row.
  virtual std::span<const std::byte> read(std::string_view array,
                                          scene::Interval rows) = 0;

  /// See Source::check_unchanged().
  virtual void check_unchanged() = 0;
};

/// Copies scenes of an L5Kit data set to a new store, which appears under its name when
/// it is complete; see create_store(). Records are unchanged but for intervals, which are
/// shifted; attributes of the root are copied.
///
/// Throws  As scene::Copier; out_of_range for a scene that does not exist; errors of the
///         source, of create_store() and of `progress`. Partial output is removed.
Copied copy_dataset(Source& source, const std::string& output,
                    const CopyOptions& options = {});
Copied copy_dataset(CopySource& source, const std::string& output,
                    const CopyOptions& options);

}  // namespace bev::native
