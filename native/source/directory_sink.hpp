#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "core/scene/writer.hpp"

namespace bev::native {

/// A folder that a writer fills: one file per key, with the folders it needs.
///
/// Errors  Errc::invalid_argument for a key that is no path below a folder,
///         Errc::network, with the system's reason, for a file that cannot be written;
///         nothing is left of that file.
class DirectorySink final : public scene::Sink {
 public:
  explicit DirectorySink(std::filesystem::path folder) : root_(std::move(folder)) {}

  void write(std::string_view key, std::span<const std::byte> bytes) override;

 private:
  std::filesystem::path root_;
};

}  // namespace bev::native
