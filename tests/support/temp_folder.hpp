#pragma once

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace bev::test {

/// A new folder that is removed with its content at the end of the scope. Native tests
/// only.
class TempFolder {
 public:
  TempFolder() {
    auto name = (std::filesystem::temp_directory_path() / "bev-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp " + name);
    path_ = std::filesystem::canonical(name);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::filesystem::path& path() const { return path_; }
  std::string at(std::string_view name) const { return (path_ / name).string(); }

  /// Writes a file, creating parent folders; returns its path.
  std::string write(std::string_view name, std::string_view content) const {
    const auto file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::FILE* out = std::fopen(file.c_str(), "wb");
    if (out == nullptr) throw std::runtime_error("cannot write " + file.string());
    const bool complete =
        std::fwrite(content.data(), 1, content.size(), out) == content.size();
    if (std::fclose(out) != 0 || !complete) {
      throw std::runtime_error("cannot write " + file.string());
    }
    return file.string();
  }

 private:
  std::filesystem::path path_;
};

/// Returns a file's content.
inline std::string file_text(const std::string& path) {
  std::FILE* in = std::fopen(path.c_str(), "rb");
  if (in == nullptr) throw std::runtime_error("cannot read " + path);
  std::string text;
  for (int c = std::fgetc(in); c != EOF; c = std::fgetc(in)) {
    text += static_cast<char>(c);
  }
  std::fclose(in);
  return text;
}

}  // namespace bev::test
