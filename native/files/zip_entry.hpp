#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "native/files/file.hpp"

namespace bev::native {

/// Reads one member of a .zip, as np.savez and np.savez_compressed write it: stored or
/// deflated, with zip64 fields if present.
///
/// @param file    the .zip; `name` is its name in messages
/// @param entry   the member's name: "arr_0.npy"
/// Throws  not_found for an unknown member; corrupt_chunk if the bytes are not a .zip,
///         are truncated or do not match their checksum; unsupported for other methods
///         and for encryption
std::vector<std::byte> read_zip_entry(const File& file, const std::string& name,
                                      std::string_view entry);

}  // namespace bev::native
