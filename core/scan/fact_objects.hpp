#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine/state.hpp"
#include "core/reader/statistics.hpp"
#include "core/scan/fact_archive.hpp"
#include "core/scan/fact_file_head.hpp"
#include "core/scan/object_state.hpp"
#include "core/scene/dataset.hpp"

namespace bev {

/// What a host knows of an object without reading it.
struct ObjectNow {
  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

  double size = -1;  ///< in bytes; -1 if it does not exist, NaN if unknown
  /// Seconds by which it was modified after the side file; negative if before, NaN if
  /// unknown.
  double newer_s = kUnknown;
  double zip_crc = kUnknown;  ///< CRC-32, as an archive's directory has it
};

/// The objects of a data set as they were when facts were computed from them, and which
/// of them have changed since.
///
/// Lifetime  The head, the arrays of `dataset` and the state outlive it.
/// Throws    read() as FactArchive; invalid_metadata if the states are not those of the
///           head's identity
class FactObjects {
 public:
  explicit FactObjects(EngineState& state) : state_(state) {}

  /// Finds the arrays of the head's sources, which the data set has.
  void bind(const FactFileHead& head, const scene::ChunkedDataset& dataset);

  /// Reads the states of all objects; returns false while requests are pending.
  bool read(FactArchive& archive);

  /// Keys of the objects from which facts are computed.
  std::vector<std::string> keys() const;

  /// The state of an object of an array; nullopt for others than the head's sources.
  std::optional<ObjectState> known(std::string_view path, std::uint64_t object) const;

  /// Compares the objects of keys().
  ///
  /// @param statistics  see FactFile::check
  void compare(std::span<const ObjectNow> objects,
               const reader::Statistics* statistics);

  /// Counts all objects as unchanged.
  void believe();

  /// Returns 16 hexadecimal digits that differ if a scene's rows, or the states of the
  /// objects that it is in, do.
  std::string mark_of(const SceneRows& rows) const;

  /// Whether any of the objects that a scene is in has changed.
  bool have_changed(const SceneRows& rows) const;

 private:
  /// Calls `visit(first, end)` with the numbers of the objects of each source that a scene
  /// is in, until it returns false; returns whether it never did.
  template <class Visit>
  bool visit_objects(const SceneRows& rows, const Visit& visit) const;

  ObjectState state_at(std::uint64_t number) const;
  bool is_same(std::uint64_t number, std::size_t source, std::uint64_t object,
               const ObjectNow& now, const reader::Statistics* statistics) const;

  EngineState& state_;
  const FactFileHead* head_ = nullptr;
  std::vector<const store::Array*> stored_;  // per source
  std::vector<std::byte> sizes_, checksums_, zip_crcs_;
  std::vector<std::uint64_t> changed_before_;  // per object, all sources in a row
};

}  // namespace bev
