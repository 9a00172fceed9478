#include "native/serve/app_folder.hpp"

#include <array>
#include <filesystem>
#include <system_error>

namespace bev::serve {

std::optional<std::string> find_app_folder() {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return std::nullopt;
  return find_app_folder(program.string());
}

std::optional<std::string> find_app_folder(const std::string& program) {
  // PREFIX/bin/bevscope if installed; build/release/bevscope beside build/app.
  constexpr std::array kFromProgram = {"../share/bevscope/app", "../app"};
  const auto folder = std::filesystem::path(program).parent_path();
  for (const auto* relative : kFromProgram) {
    const auto candidate = (folder / relative).lexically_normal();
    std::error_code error;
    if (std::filesystem::is_regular_file(candidate / "index.html", error)) {
      return candidate.string();
    }
  }
  return std::nullopt;
}

}  // namespace bev::serve
