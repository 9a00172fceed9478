#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bev::native {

/// Returns the bytes of an uncompressed .npz file with one array, as np.savez writes
/// it.
///
/// @param npy     the array as an .npy file
/// Throws  unsupported for 4 GiB or more
std::vector<std::byte> npz_of(std::span<const std::byte> npy,
                              std::string_view name = "arr_0");

}  // namespace bev::native
