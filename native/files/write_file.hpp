#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace bev::native {

/// Throws Errc::io: "agents/3: write failed: No space left on device".
[[noreturn]] void fail_write(const std::string& name, int error);

/// Writes a whole file. If writing fails, the file is removed.
///
/// @param name    the file's name in messages: "agents/3"
/// Throws  io with the system's reason
void write_file(const std::filesystem::path& path, std::span<const std::byte> bytes,
                const std::string& name);

/// Makes entries renamed or created in a folder durable across a power failure. File
/// systems without support are ignored.
///
/// Throws  io with the system's reason: written data did not reach the disk
void sync_folder(const std::filesystem::path& folder);

/// As sync_folder(), for all files and folders below a folder, with their content.
void sync_tree(const std::filesystem::path& folder);

/// Lets SIGINT, SIGTERM and SIGHUP remove the partial files of all threads before they end
/// the program. For programs: a library leaves signals to the program.
void remove_partials_on_signals();

/// What happens to an existing output.
enum class Existing { refuse, replace };

/// A file that appears under its name when complete. Replaces an existing file, keeping
/// its permissions, unless that is refused; follows symbolic links.
///
/// Until then it is named NAME.partial-NUMBER and locked. Such files left by killed
/// processes are removed. See remove_partials_on_signals().
///
/// Thread safety  A file belongs to one thread; several threads may have files.
/// Throws  Errc::io with the path and the system's reason. If existing files are
///         refused, commit() throws invalid_argument for one.
class NewFile {
 public:
  explicit NewFile(const std::string& path, Existing existing = Existing::replace);
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile();

  void write(std::span<const std::byte> bytes);

  /// Sets the time of the last modification that the complete file will have.
  void set_modified(std::int64_t ns) noexcept { modified_ns_ = ns; }

  /// Completes the file and gives it its name.
  void commit();

 private:
  void publish();

  std::string name_;              // as given, for messages
  std::filesystem::path target_;  // with links resolved
  std::filesystem::path partial_;
  Existing existing_;
  std::optional<std::int64_t> modified_ns_;
  std::FILE* file_ = nullptr;
  std::size_t slot_ = 0;  // of the name that signals remove
};

}  // namespace bev::native
