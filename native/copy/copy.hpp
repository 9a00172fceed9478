#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/scene/records.hpp"

namespace bev::native {

/// Data sets derived from others, as by L5Kit's zarr_utils: scene by scene, with
/// records unchanged, intervals shifted, and L5Kit's usual chunks and codec. The
/// three-array layout, on which L5Kit fails, becomes four arrays without faces.
///
/// Throws  All functions throw invalid_argument if the output exists, errors of reading
///         and writing, and those below. Partial output is removed.

/// A skipped input and the reason.
struct Skipped {
  std::string path;
  std::string reason;
};

/// Concatenates the scenes of all inputs.
///
/// Returns  the inputs that are not data sets, which are skipped
std::vector<Skipped> concat(const std::vector<std::string>& inputs,
                            const std::string& output);

/// One output of split().
struct SplitPart {
  std::string name;     ///< path below the output directory: "train.zarr"
  double size_gb = -1;  ///< see scene::split_scenes
};

/// Writes each part of a data set.
///
/// Returns  the scenes of each part
/// Throws   invalid_argument, see scene::split_scenes
std::vector<scene::Interval> split(const std::string& input, const std::string& folder,
                                   const std::vector<SplitPart>& parts);

/// Writes the first `frames` frames of every scene.
///
/// Throws  invalid_argument if a scene has no more than that, before anything is
///         written
void chop(const std::string& input, const std::string& output, std::uint64_t frames);

}  // namespace bev::native
