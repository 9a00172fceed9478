#include "core/base/url_text.hpp"

namespace bev {
namespace {

constexpr std::string_view kEscapeDigits = "0123456789ABCDEF";

std::optional<unsigned> escape_digit_of(char c) {
  const char upper = c >= 'a' && c <= 'f' ? static_cast<char>(c - 'a' + 'A') : c;
  const auto at = kEscapeDigits.find(upper);
  return at == kEscapeDigits.npos ? std::nullopt
                                  : std::optional(static_cast<unsigned>(at));
}

bool is_name(std::string_view segment) {
  return !segment.empty() && segment != "." && segment != ".." &&
         segment.find('\0') == std::string_view::npos;
}

}  // namespace

std::string url_encoded(std::string_view text, std::string_view plain) {
  constexpr std::string_view kUnreserved =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
  std::string out;
  for (const char c : text) {
    if (kUnreserved.find(c) != kUnreserved.npos || plain.find(c) != plain.npos) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += {'%', kEscapeDigits[byte >> 4U], kEscapeDigits[byte & 15U]};
  }
  return out;
}

std::optional<std::string> url_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i] == '+' ? ' ' : text[i];
      continue;
    }
    if (text.size() - i < 3) return std::nullopt;
    const auto high = escape_digit_of(text[i + 1]);
    const auto low = escape_digit_of(text[i + 2]);
    if (!high || !low) return std::nullopt;
    out += static_cast<char>(*high << 4U | *low);
    i += 2;
  }
  return out;
}

bool is_key(std::string_view key) {
  for (;;) {
    const auto slash = key.find('/');
    if (!is_name(key.substr(0, slash))) return false;
    if (slash == std::string_view::npos) return true;
    key.remove_prefix(slash + 1);
  }
}

}  // namespace bev
