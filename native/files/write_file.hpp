#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <span>
#include <string>

namespace bev::native {

/// Throws Errc::network: "agents/3: write failed: No space left on device".
[[noreturn]] void fail_write(const std::string& name, int error);

/// Writes a whole file. If that fails nothing is left of it.
///
/// @param name    what messages call it: "agents/3"
/// @throws Error  network with the system's reason
void write_file(const std::filesystem::path& path, std::span<const std::byte> bytes,
                const std::string& name);

/// Makes what was renamed or created in a folder last over a power failure. File systems
/// that cannot do so are ignored.
void sync_folder(const std::filesystem::path& folder);

/// The same for all files below a folder.
void sync_tree(const std::filesystem::path& folder);

/// A file that appears under its name once it is complete. Replaces the file of that
/// name, keeping its permissions; through a symbolic link, the file it leads to.
///
/// Until then it is NAME.partial-PID, locked. Such files that a killed process has left
/// are removed. SIGINT, SIGTERM and SIGHUP remove it before they end the program.
///
/// Errors  Errc::network with the path and the system's reason.
class NewFile {
 public:
  explicit NewFile(const std::string& path);
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile();

  void write(std::span<const std::byte> bytes);

  /// Completes the file and gives it its name.
  void commit();

 private:
  std::string name_;              // as given, for messages
  std::filesystem::path target_;  // where links lead
  std::filesystem::path partial_;
  std::FILE* file_ = nullptr;
};

}  // namespace bev::native
