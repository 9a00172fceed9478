#include "native/http/url_text.hpp"

namespace bev::native {
namespace {

constexpr std::string_view kDigits = "0123456789ABCDEF";

std::optional<unsigned> digit_of(char c) {
  const char upper = c >= 'a' && c <= 'f' ? static_cast<char>(c - 'a' + 'A') : c;
  const auto at = kDigits.find(upper);
  return at == kDigits.npos ? std::nullopt : std::optional(static_cast<unsigned>(at));
}

}  // namespace

bool is_url(std::string_view dataset) {
  auto scheme = std::string(dataset.substr(0, dataset.find("//")));
  for (char& c : scheme)
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return scheme.size() < dataset.size() && (scheme == "http:" || scheme == "https:");
}

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
    out += {'%', kDigits[byte >> 4U], kDigits[byte & 15U]};
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
    const auto high = digit_of(text[i + 1]);
    const auto low = digit_of(text[i + 2]);
    if (!high || !low) return std::nullopt;
    out += static_cast<char>(*high << 4U | *low);
    i += 2;
  }
  return out;
}

}  // namespace bev::native
