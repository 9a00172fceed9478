#include "core/base/secrets.hpp"

#include <algorithm>

namespace bev {
namespace {

constexpr std::string_view kMark = "://";
constexpr std::string_view kSpace = " \t\r\n\"";
/// Of a message, after an address.
constexpr std::string_view kPunctuation = ")]},;:.'";
constexpr std::string_view kNameCharacters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~%";

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::size_t found_or_end(std::size_t found, std::string_view text) {
  return std::min(found, text.size());
}

/// Returns the host of an authority and what follows it. Passwords that are not encoded
/// may contain slashes and question marks: "me:a/b@host/c".
std::string_view without_user(std::string_view word) {
  const auto authority = word.substr(0, word.find_first_of("/?#"));
  const auto at = authority.rfind('@');
  if (at != authority.npos) return word.substr(at + 1);
  const auto colon = authority.rfind(':');
  if (colon == authority.npos) return word;
  if (authority.find(']', colon) != authority.npos) return word;  // [::1]
  auto port = authority.substr(colon + 1);
  port = port.substr(0, port.find_last_not_of(kPunctuation) + 1);
  if (port.find_first_not_of("0123456789") == port.npos) return word;
  const auto end = word.rfind('@');
  return end == word.npos ? std::string_view() : word.substr(end + 1);
}

/// Appends the rest of an address, up to white space.
void append_address(std::string& out, std::string_view word, bool is_s3) {
  const auto bare = without_user(word);
  auto cut = found_or_end(bare.find_first_of(is_s3 ? "?" : "?#"), bare);
  if (is_s3 && bare.find('=', cut) == bare.npos) cut = bare.size();
  out += bare.substr(0, cut);
  const auto rest = bare.substr(cut);
  out += rest.substr(rest.find_last_not_of(kPunctuation) + 1);
}

/// Returns whether text begins with "?name=".
bool is_query(std::string_view text) {
  const auto end = text.find_first_not_of(kNameCharacters, 1);
  return end != text.npos && end > 1 && text[end] == '=';
}

/// Appends text around addresses, without queries: they end addresses with spaces or
/// without scheme.
void append_text(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const auto mark = found_or_end(text.find('?'), text);
    out += text.substr(0, mark);
    text.remove_prefix(mark);
    const auto word = text.substr(0, text.find_first_of(kSpace));
    const auto end = is_query(word) ? word.find_last_not_of(kPunctuation) + 1 : 0;
    out += word.substr(end);
    text.remove_prefix(word.size());
  }
}

}  // namespace

std::string without_secrets(std::string_view text) {
  std::string out;
  for (;;) {
    const auto mark = text.find(kMark);
    const bool found = mark != text.npos;
    const auto before = text.substr(0, found ? mark + kMark.size() : text.size());
    append_text(out, before);
    if (!found) return out;
    const bool is_s3 = text.substr(0, mark).ends_with("s3");
    const bool is_scheme = mark > 0 && is_letter(text[mark - 1]);
    text.remove_prefix(before.size());
    if (!is_scheme && !is_s3) continue;
    const auto word = text.substr(0, found_or_end(text.find_first_of(kSpace), text));
    append_address(out, word, is_s3);
    text.remove_prefix(word.size());
  }
}

}  // namespace bev
