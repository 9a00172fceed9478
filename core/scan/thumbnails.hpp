#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/error.hpp"

// Where the thumbnails of scenes are that `bevscope index --thumbnails` writes: PNG files
// in archives without compression, which are objects of the data set's store.

namespace bev {

/// Scenes of an archive, about 2 MB.
inline constexpr std::uint64_t kScenesOfThumbnails = 1024;

/// The member that says how an archive's pictures were drawn.
inline constexpr std::string_view kThumbnailStyle = "style.json";

/// Returns the key of the archive that has a scene's thumbnail: ".bevscope/thumbnails-0.zip".
inline std::string thumbnails_key(std::uint64_t scene) {
  return joined({".bevscope/thumbnails-", scene / kScenesOfThumbnails, ".zip"});
}

/// Whether a key is that of such an archive.
inline bool is_thumbnails_key(std::string_view key) {
  constexpr std::string_view kBefore = ".bevscope/thumbnails-", kAfter = ".zip";
  if (!key.starts_with(kBefore) || !key.ends_with(kAfter)) return false;
  key.remove_prefix(kBefore.size());
  if (key.size() <= kAfter.size()) return false;
  key.remove_suffix(kAfter.size());
  return key.find_first_not_of("0123456789") == key.npos;
}

/// Returns the member's name, which binds it to the scene as it was drawn:
/// "3-0123456789abcdef.png".
///
/// @param mark  FactFile::mark_of()
inline std::string thumbnail_name(std::uint64_t scene, std::string_view mark) {
  return joined({scene, "-", mark, ".png"});
}

}  // namespace bev
