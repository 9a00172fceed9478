#include "native/cli/output.hpp"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "native/cli/arguments.hpp"

namespace bev::cli {
namespace {

bool is_special(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
}

}  // namespace

Output::Output(const std::string& path) : path_(path) {
  if (path_ == "-") {
    path_ = "standard output";
    file_ = stdout;
  } else if (is_special(path)) {
    file_ = std::fopen(path.c_str(), "wbe");
    if (file_ == nullptr) fail();
  } else {
    new_file_.emplace(path);
  }
}

Output::~Output() {
  if (file_ == nullptr || file_ == stdout) return;
  static_cast<void>(std::fclose(file_));  // uncommitted output is discarded
}

void Output::write(std::span<const std::byte> bytes) {
  if (new_file_) return new_file_->write(bytes);
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) fail();
}

void Output::commit() {
  if (new_file_) return new_file_->commit();
  if (std::fflush(file_) != 0) fail();
  if (file_ == stdout) return;
  if (std::fclose(std::exchange(file_, nullptr)) != 0) fail();
}

void Output::fail() const {
  native::fail_write(path_, errno);
}

void require_legible(const std::string& path, const std::string& format) {
  if (path != "-" || (format != "npy" && format != "arrow")) return;
  if (::isatty(STDOUT_FILENO) != 1) return;
  throw UsageError("--format " + format +
                   ": binary, and standard output is a terminal (expected --output "
                   "FILE, a pipe, or --format csv)");
}

void print(std::string_view text) {
  Output out("-");
  out.write(text);
  out.commit();
}

}  // namespace bev::cli
