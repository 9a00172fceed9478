#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/scene/records.hpp"

namespace bev::native {

/// Data sets made of others, as L5Kit's zarr_utils makes them: scene by scene, the
/// records as they are, the intervals shifted, chunks and codec L5Kit's usual ones. The
/// three-array layout, which L5Kit fails on, becomes one of four arrays without faces.
///
/// Errors  All of them throw invalid_argument for an output that exists, what reading
///         and writing throw, and what is said below. What is half written then goes.

/// A data set that was left out, and why.
struct Skipped {
  std::string path;
  std::string reason;
};

/// Writes the scenes of all inputs one behind the other.
///
/// @returns  the inputs that are no data sets, which are skipped
std::vector<Skipped> concat(const std::vector<std::string>& inputs,
                            const std::string& output);

/// A part of a data set that is split.
struct SplitPart {
  std::string name;     ///< of the part, below the output folder: "train.zarr"
  double size_gb = -1;  ///< see scene::split_scenes
};

/// Writes each part of a data set.
///
/// @returns       the scenes of each
/// @throws Error  invalid_argument, see scene::split_scenes
std::vector<scene::Interval> split(const std::string& input, const std::string& folder,
                                   const std::vector<SplitPart>& parts);

/// Writes the first `frames` frames of every scene.
///
/// @throws Error  invalid_argument if a scene does not have more, before anything is
///                written
void chop(const std::string& input, const std::string& output, std::uint64_t frames);

}  // namespace bev::native
