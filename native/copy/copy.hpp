#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/scene/records.hpp"
#include "include/bevscope/cache.hpp"
#include "native/files/write_file.hpp"

namespace bev::native {

/// Data sets derived from others, as by L5Kit's zarr_utils: scene by scene, with
/// records unchanged, intervals shifted, and L5Kit's usual chunks and codec. The
/// three-array layout, on which L5Kit fails, becomes four arrays without faces.
///
/// An output whose name ends in ".zip" is an archive. Every output appears under its
/// name when it is complete; see create_store().
///
/// Throws  All functions throw invalid_argument if an output exists, unless it may be
///         replaced, errors of reading and writing, and those below. Partial output is
///         removed.

/// Called after each written scene with their number.
using CopyProgress = std::function<void(std::uint64_t scenes)>;

/// A skipped input and the reason.
struct Skipped {
  std::string path;
  std::string reason;
};

struct ConcatOptions {
  bool skip_invalid = true;  ///< skip inputs that are not data sets, as L5Kit does
  CopyProgress progress = {};
  CacheOptions cache = {};  ///< of inputs read over HTTP
  Existing existing = Existing::refuse;
};

/// Concatenates the scenes of all inputs.
///
/// Returns  the skipped inputs
std::vector<Skipped> concat(const std::vector<std::string>& inputs,
                            const std::string& output,
                            const ConcatOptions& options = {});

/// One output of split().
struct SplitPart {
  std::string name;     ///< path below the output directory: "train.zarr"
  double size_gb = -1;  ///< see scene::split_scenes
};

struct SplitOptions {
  CopyProgress progress = {};
  Existing existing = Existing::refuse;
};

/// Writes each part of a data set.
///
/// Returns  the scenes of each part
/// Throws   invalid_argument, see scene::split_scenes
std::vector<scene::Interval> split(const std::string& input, const std::string& folder,
                                   const std::vector<SplitPart>& parts,
                                   const SplitOptions& options = {});

struct ChopOptions {
  CopyProgress progress = {};
  CacheOptions cache = {};  ///< of an input read over HTTP
  Existing existing = Existing::refuse;
};

/// Writes the first `frames` frames of every scene.
///
/// Throws  invalid_argument if a scene has no more than that, before anything is
///         written
void chop(const std::string& input, const std::string& output, std::uint64_t frames,
          const ChopOptions& options = {});

}  // namespace bev::native
