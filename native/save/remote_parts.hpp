#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/save/settings.hpp"

namespace bev::native {

/// Parts of a data set in S3, of savers on several machines, below KEY.parts/:
/// settings.json, which is equal for all, and per saver NNNNNN/ with the objects and,
/// written last, manifest.json.

/// Copies a complete part there. Objects that are there with equal bytes are kept, so
/// that a killed upload is repeated.
///
/// @param part  its folder
/// Throws  invalid_argument if there are parts of another config, mode or base, or of
///         another saver of this number; network; io
void upload_part(const std::string& store, const save::SaveSettings& settings,
                 std::uint64_t saver, const std::filesystem::path& part);

/// Copies the parts to this machine's PartsFolder, from where commit_parts() joins them.
/// Parts that are there already are not fetched again.
///
/// @param savers  how many there must be
/// Returns  their numbers
/// Throws  not_found if there are none; invalid_argument for another number of parts,
///         one whose upload is not complete, and other parts on this machine
std::vector<std::uint64_t> fetch_parts(const std::string& store, std::uint64_t savers);

/// Removes the parts of these savers in S3, after their commit. Those of others, which
/// were uploaded meanwhile, stay.
void remove_remote_parts(const std::string& store,
                         std::span<const std::uint64_t> savers);

/// Removes all parts in S3. Returns whether there were any.
bool remove_remote_parts(const std::string& store);

}  // namespace bev::native
