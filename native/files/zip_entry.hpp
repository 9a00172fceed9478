#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "native/files/file.hpp"

namespace bev::native {

/// One file out of a .zip, as np.savez and np.savez_compressed write it: stored or
/// deflated, with the zip64 fields where they are.
///
/// @param file    the .zip; `name` is what messages call it
/// @param entry   the name in it: "arr_0.npy"
/// @throws Error  not_found for a name that is not in it; corrupt_chunk for bytes that
///                are no .zip, cut short, or other than their checksum says;
///                unsupported for other methods and for encryption
std::vector<std::byte> read_zip_entry(const File& file, const std::string& name,
                                      std::string_view entry);

}  // namespace bev::native
