#pragma once

#include <cstddef>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "native/files/write_file.hpp"

namespace bev::cli {

/// The destination of a command's result: a file or standard output.
///
/// Lifetime  A file appears under its name only with commit(); without it, the previous
///           file remains. See native::NewFile.
/// Throws    Errc::io, with the name and the system's reason, if writing fails.
class Output {
 public:
  /// @param path  "-" for standard output. An existing non-file (a pipe, /dev/null) is
  ///        written directly.
  explicit Output(const std::string& path);
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  ~Output();

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }

  /// Flushes all data and gives the file its name.
  void commit();

 private:
  [[noreturn]] void fail() const;

  std::string path_;
  std::optional<native::NewFile> new_file_;
  std::FILE* file_ = nullptr;  // used if there is no new file
};

/// Throws UsageError if `path` is "-", standard output is a terminal, and `format` is
/// none for eyes: npy, arrow.
void require_legible(const std::string& path, const std::string& format);

/// Writes `text` to standard output.
void print(std::string_view text);

}  // namespace bev::cli
