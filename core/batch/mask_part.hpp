#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/sink.hpp"
#include "core/scene/mask_writer.hpp"
#include "core/scene/records.hpp"
#include "core/zarr/metadata.hpp"

namespace bev::batch {

/// Writes some chunks of a mask (see scene::MaskWriter) from the masks of the scenes that
/// overlap them. Other tasks write the others; the chunks are those of one writer.
///
/// The scenes of a data set may be divided among parts if their agents are in order. A
/// part checks this of its scenes, and check_spans() of the scenes of all parts.
///
/// Lifetime  The sink outlives it.
/// Throws    exceptions of the sink
class MaskPart {
 public:
  /// Chunks [begin, end) of the mask of so many agents.
  struct Range {
    std::uint64_t agent_count = 0;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };

  /// Returns the number of chunks of a mask.
  static std::uint64_t chunk_count(std::uint64_t agent_count);

  /// @param path  of the array: "agents_mask/0.5"
  /// Throws  out_of_range for chunks that do not exist
  MaskPart(Sink& sink, std::string path, const Range& range,
           const zarr::Compressor& compressor = scene::MaskWriter::usual_compressor());

  /// The rows of `agents` that the part covers.
  scene::Interval rows() const noexcept { return rows_; }

  /// Adds the mask, of shape (n, 2), of the agents from row `first`: of the first scene
  /// that overlaps the rows and of all after it, until needs_more() is false.
  ///
  /// Throws  unsupported for a scene whose agents begin before the end of the previous
  ///         one; out_of_range for agents that do not exist
  void add(std::uint64_t first, std::span<const std::uint32_t> mask);

  /// Whether a further scene may have rows of the part.
  bool needs_more() const noexcept {
    return last_ < static_cast<std::uint64_t>(rows_.end);
  }

  /// Returns the rows that the scenes with agents span; [0, 0) without any.
  scene::Interval spanned() const noexcept;

  /// Writes what remains; agents in no scene have (0, 0).
  void finish();

 private:
  void append(std::span<const std::uint32_t> mask);
  void fill_to(std::uint64_t row);
  void flush();

  Sink& sink_;
  std::string path_;
  zarr::ArrayMeta meta_;
  std::uint64_t agent_count_;
  scene::Interval rows_;
  std::uint64_t next_;                  // row that is written next
  std::uint64_t chunk_;                 // that is written next
  std::uint64_t first_ = 0, last_ = 0;  // agents of the scenes
  std::vector<std::byte> pending_;
};

/// The scenes that a part has read, and the rows of `agents` that they span.
struct MaskSpan {
  std::uint64_t first_scene = 0;
  std::uint64_t end_scene = 0;
  std::uint64_t first_agent = 0;
  std::uint64_t end_agent = 0;
};

/// Checks that the parts of a mask, in order, have read all scenes, and that the agents of
/// all scenes are in order.
///
/// Throws  unsupported if they are not
void check_spans(std::span<const MaskSpan> spans, std::uint64_t scene_count);

}  // namespace bev::batch
