#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace bev::reader {

/// Scenes by tag. A converted data set has the tags of its scenes in its attributes:
/// bevscope.scenes[i].tags is an object, by tag the frames, or none for the whole scene.
struct SceneTags {
  std::map<std::string, std::vector<std::uint64_t>, std::less<>> scenes;  ///< ascending

  /// Reads the attributes of a data set; those without tags give none.
  ///
  /// @param scene_count  of the data set
  /// Throws  invalid_metadata if scenes have tags, and the attributes are of another
  ///         number of scenes.
  static SceneTags parse(const nlohmann::json& attributes, std::uint64_t scene_count);

  std::vector<std::string> names() const;
};

}  // namespace bev::reader
