#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "native/source/source.hpp"

namespace bev::native {

/// Options of write_thumbnails().
struct ThumbnailOptions {
  std::optional<std::string> map = {};  ///< file of the semantic map; none: no roads
  /// Called with the scenes that are done, and all scenes.
  std::function<void(std::uint64_t done, std::uint64_t all)> progress = {};
};

/// What write_thumbnails() wrote.
struct ThumbnailsMade {
  std::uint64_t scenes = 0;
  std::uint64_t kept = 0;   ///< scenes whose pictures were there
  std::uint64_t bytes = 0;  ///< of all archives
};

/// Whether a data set in a folder has thumbnails.
bool has_thumbnails(const std::string& dataset);

/// Draws a picture of each scene's first frame and publishes them beside a data set in a
/// folder, as the archives that core/scan/thumbnails.hpp describes, each by one rename.
/// Pictures are bound to the facts beside the data set, which index_facts() has written.
/// Scenes that have not changed keep their pictures. Equal data give equal bytes.
///
/// @param source  of the data set, opened after its facts were written
/// Throws  `changed` if there are no facts of the data set as it is; errors of the source;
///         those of read_semantic_map(); io, with the system's reason
ThumbnailsMade write_thumbnails(Source& source, const std::string& dataset,
                                const ThumbnailOptions& options);

/// Draws a moment of a data set's first scene for previews of links, 1200 x 630 pixels.
///
/// @param map  file of the semantic map; "" for none
/// Returns  a PNG file; empty for a data set without frames
/// Throws   errors of the source, and of read_semantic_map()
std::vector<std::byte> draw_preview(Source& source, const std::string& map);

/// Returns a line: "thumbnails: 8 scenes (6 kept), 14,021 bytes".
std::string text_of_thumbnails(const ThumbnailsMade& made);

}  // namespace bev::native
