#include "core/zarr/field_kind.hpp"

#include <algorithm>
#include <array>

namespace bev::zarr {
namespace {

constexpr std::array<std::string_view, 6> kKindNames{"",     "array", "bytes",
                                                     "text", "image", "npy"};

}  // namespace

std::string_view name_of(FieldKind kind) noexcept {
  return kKindNames[static_cast<std::size_t>(kind)];
}

std::optional<FieldKind> field_kind(std::string_view name) noexcept {
  const auto* found = std::find(kKindNames.begin() + 1, kKindNames.end(), name);
  if (found == kKindNames.end()) return std::nullopt;
  return static_cast<FieldKind>(found - kKindNames.begin());
}

bool is_content_type(std::string_view text) noexcept {
  constexpr std::size_t kMaxLength = 100;
  const auto slash = text.find('/');
  return slash != text.npos && slash > 0 && slash + 1 < text.size() &&
         text.size() <= kMaxLength && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '/' ||
                  c == '.' || c == '+' || c == '-';
         });
}

}  // namespace bev::zarr
