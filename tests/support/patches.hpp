#pragma once

#include <string>

namespace bev::test {

/// Returns the JSON of a patch with these edits.
inline std::string patch_json(const std::string& edits, const std::string& more = "") {
  return R"({"format": "bevscope-patch", "version": 1, "edits": [)" + edits + "]" +
         more + "}";
}

/// Edits of scene 0 of small_scenes.hpp, one of each kind.
inline const std::string kEveryEdit = R"(
  {"op": "move", "scene": 0, "track": 2, "from": 2, "to": 4, "by": [1.5, -0.25],
   "turn": 0.5, "in": "track", "ease": 1},
  {"op": "move", "scene": 0, "track": "ego", "by": [0, 0.5]},
  {"op": "stop", "scene": 0, "track": 1, "from": 1, "deceleration": 20},
  {"op": "retime", "scene": 0, "track": 3, "factor": 1.5},
  {"op": "remove", "scene": 0, "track": 2, "from": 4},
  {"op": "add", "scene": 0, "track": 900, "from": 1, "label": "CAR",
   "extent": [4.5, 2, 1.5], "path": [[0, 1, 2, 3], [4, 5, 6, -3]]},
  {"op": "light", "scene": 0, "face": "red", "state": "inactive", "to": 2})";

}  // namespace bev::test
