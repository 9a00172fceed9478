#pragma once

#include <cstddef>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "native/files/write_file.hpp"

namespace bev::cli {

/// Where a command's result goes: a file, or standard output.
///
/// Lifetime  A file appears under its name only with commit(); an output that goes
///           without it leaves what was there before. See native::NewFile.
/// Errors    Errc::network, with the name and the system's reason, when something cannot
///           be written.
class Output {
 public:
  /// @param path  "-" is standard output. What exists and is no file (a pipe,
  ///              /dev/null) is written into directly.
  explicit Output(const std::string& path);
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  ~Output();

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }

  /// Everything was written: makes sure of it, and gives the file its name.
  void commit();

 private:
  [[noreturn]] void fail() const;

  std::string path_;
  std::optional<native::NewFile> new_file_;
  std::FILE* file_ = nullptr;  // where there is no new file
};

/// Writes `text` to standard output.
void print(std::string_view text);

}  // namespace bev::cli
