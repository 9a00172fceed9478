#include "native/cli/output.hpp"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "core/base/error.hpp"

namespace bev::cli {
namespace {

bool is_special(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
}

}  // namespace

Output::Output(const std::string& path) : path_(path), file_(stdout) {
  if (path_ == "-") {
    path_ = "standard output";
    return;
  }
  if (!is_special(path)) partial_ = path + ".partial-" + std::to_string(::getpid());
  file_ = std::fopen(partial_.empty() ? path.c_str() : partial_.c_str(), "wb");
  if (file_ == nullptr) fail();
}

Output::~Output() {
  if (file_ == nullptr || file_ == stdout) return;
  static_cast<void>(std::fclose(file_));  // what it held is given up
  if (!partial_.empty()) ::unlink(partial_.c_str());
}

void Output::write(std::span<const std::byte> bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) fail();
}

void Output::commit() {
  if (std::fflush(file_) != 0) fail();
  if (file_ == stdout) return;
  const int closed = std::fclose(file_);
  file_ = nullptr;
  if (closed != 0) fail();
  if (!partial_.empty() && std::rename(partial_.c_str(), path_.c_str()) != 0) fail();
}

void Output::fail() const {
  throw Error(Errc::network, path_ + ": " + std::generic_category().message(errno));
}

void print(std::string_view text) {
  Output out("-");
  out.write(text);
  out.commit();
}

}  // namespace bev::cli
