#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

#include "core/base/sink.hpp"
#include "core/zip/zip_sink.hpp"

namespace bev::native {

/// A folder as destination of a writer: one file per key, creating parent folders.
///
/// Throws  Errc::invalid_argument for a key that is not a path below a folder;
///         Errc::io, with the system's reason, if writing fails; the file is then
///         removed.
class DirectorySink final : public Sink {
 public:
  explicit DirectorySink(std::filesystem::path folder) : root_(std::move(folder)) {}

  void put(std::string_view key, std::span<const std::byte> bytes) override;

 private:
  std::filesystem::path root_;
};

using zip::ZipSink;

}  // namespace bev::native
