#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "core/engine/result_array.hpp"

namespace bev::native {

/// The name of an item's folder: its number in five digits or more.
std::string item_name(std::uint64_t item);

/// Writes every array as FOLDER/<item_name>/<name>.npy. The folders are made; a file
/// that is there is replaced, and appears once it is complete.
///
/// @throws Error  network for what cannot be written; internal for an array that is of
///                texts, which samples have none of
void write_npy_folder(const std::filesystem::path& folder, std::uint64_t item,
                      std::span<const ResultArray> arrays);

}  // namespace bev::native
