#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "core/engine/result_array.hpp"

namespace bev::native {

/// Returns the name of an item's folder: its number with at least five digits.
std::string item_name(std::uint64_t item);

/// Writes every array as FOLDER/<item_name>/<name>.npy. Creates folders; replaces an
/// item's folder by one rename, with all of its files.
///
/// Throws  io if writing fails; internal for an array of strings, which samples do
///         not have
void write_npy_folder(const std::filesystem::path& folder, std::uint64_t item,
                      std::span<const ResultArray> arrays);

}  // namespace bev::native
