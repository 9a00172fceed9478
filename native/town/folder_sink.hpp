#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "core/scene/writer.hpp"

namespace bev::town {

/// Stores objects as files below a folder, which is made as needed.
///
/// Errors  Errc::network, with the file's name and what the system says.
class FolderSink : public scene::Sink {
 public:
  explicit FolderSink(std::filesystem::path root) : root_(std::move(root)) {}

  void write(std::string_view key, std::span<const std::byte> bytes) override;
  void write(std::string_view key, std::string_view text) {
    write(key, std::as_bytes(std::span(text)));
  }

 private:
  std::filesystem::path root_;
};

}  // namespace bev::town
