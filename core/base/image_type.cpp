#include "core/base/image_type.hpp"

namespace bev {

std::string_view image_type(std::span<const std::byte> bytes) noexcept {
  using namespace std::string_view_literals;
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()),
                              bytes.size());
  if (text.starts_with("\x89PNG\r\n\x1a\n"sv)) return "image/png";
  if (text.starts_with("\xff\xd8\xff"sv)) return "image/jpeg";
  const bool is_webp = text.starts_with("RIFF"sv) && text.substr(4).size() >= 8 &&
                       text.substr(8, 4) == "WEBP"sv;
  return is_webp ? "image/webp" : "";
}

}  // namespace bev
