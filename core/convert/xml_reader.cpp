#include "core/convert/xml_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/base/error.hpp"
#include "core/base/number_text.hpp"

namespace bev::convert {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

bool is_name(char c) {
  return c != '=' && c != '/' && c != '>' && c != '<' && c != '"' && c != '\'' &&
         kSpace.find(c) == kSpace.npos;
}

void append_utf8(std::string& out, std::uint32_t code) {
  const auto byte = [&](std::uint32_t bits) { out.push_back(static_cast<char>(bits)); };
  const auto tail = [&](unsigned shift) { byte(0x80U | ((code >> shift) & 0x3fU)); };
  if (code < 0x80U) return byte(code);
  if (code < 0x800U) {
    byte(0xc0U | code >> 6U);
  } else if (code < 0x10000U) {
    byte(0xe0U | code >> 12U);
    tail(6);
  } else {
    byte(0xf0U | code >> 18U);
    tail(12);
    tail(6);
  }
  tail(0);
}

/// Returns the code of "lt" or "#x3c"; nullopt for others.
std::optional<std::uint32_t> code_of(std::string_view entity) {
  constexpr std::pair<std::string_view, char> kKnown[] = {
      {"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}};
  for (const auto& [name, code] : kKnown) {
    if (name == entity) return static_cast<std::uint32_t>(code);
  }
  if (!entity.starts_with('#')) return std::nullopt;
  const bool is_hex = entity.starts_with("#x");
  entity.remove_prefix(is_hex ? 2 : 1);
  std::uint32_t out = 0;
  const auto* const end = entity.data() + entity.size();
  const auto [stop, error] = std::from_chars(entity.data(), end, out, is_hex ? 16 : 10);
  const bool is_code = out != 0 && out < 0x110000U && (out < 0xd800U || out > 0xdfffU);
  if (error != std::errc() || stop != end || !is_code) return std::nullopt;
  return out;
}

}  // namespace

std::size_t XmlReader::line() const noexcept {
  const auto end = text_.begin() + static_cast<std::ptrdiff_t>(at_);
  return static_cast<std::size_t>(std::count(text_.begin(), end, '\n')) + 1;
}

void XmlReader::fail_here(const char* problem) const {
  fail(Errc::corrupt_chunk, {"XML: line ", line(), ": ", problem});
}

void XmlReader::fail_attribute(std::string_view attribute, const char* problem) const {
  fail(Errc::invalid_metadata,
       {"line ", line(), ": element ", name(), ": attribute ", attribute, problem});
}

void XmlReader::skip_past(std::string_view end) {
  const auto found = text_.find(end, at_);
  if (found == text_.npos) fail_here("truncated");
  at_ = found + end.size();
}

void XmlReader::skip_space() noexcept {
  at_ = std::min(text_.find_first_not_of(kSpace, at_), text_.size());
}

std::string_view XmlReader::take_name() {
  const auto begin = at_;
  while (at_ < text_.size() && is_name(text_[at_])) ++at_;
  if (at_ == begin) fail_here("no name");
  return text_.substr(begin, at_ - begin);
}

std::string XmlReader::decoded(std::string_view raw) const {
  std::string out;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] == '<') fail_here("< in an attribute");
    if (raw[i] != '&') {
      out.push_back(raw[i]);
      continue;
    }
    const auto end = raw.find(';', i);
    const auto code =
        end == raw.npos ? std::nullopt : code_of(raw.substr(i + 1, end - i - 1));
    if (!code) fail_here("unknown entity");
    append_utf8(out, *code);
    i = end;
  }
  return out;
}

void XmlReader::take_attributes() {
  attributes_.clear();
  for (;;) {
    skip_space();
    if (at_ == text_.size()) fail_here("truncated");
    if (text_[at_] == '>') {
      ++at_;
      return;
    }
    if (text_.substr(at_).starts_with("/>")) {
      at_ += 2;
      is_empty_ = true;
      return;
    }
    const auto name = take_name();
    skip_space();
    if (at_ == text_.size() || text_[at_] != '=') fail_here("attribute without value");
    ++at_;
    skip_space();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote != '"' && quote != '\'') fail_here("attribute without quotes");
    const auto begin = ++at_;
    skip_past(std::string_view(&quote, 1));
    if (find(name)) fail_here("attribute twice");
    if (attributes_.size() == kMaxXmlAttributes) {
      fail(Errc::limit_exceeded, {"XML: line ", line(), ": too many attributes"});
    }
    attributes_.emplace_back(name, decoded(text_.substr(begin, at_ - 1 - begin)));
  }
}

void XmlReader::close(std::string_view name) {
  if (open_.empty() || open_.back() != name) fail_here("another element is open");
  open_.pop_back();
}

/// As open(). Appends the text up to there.
bool XmlReader::advance(std::string* text) {
  if (is_empty_) {
    is_empty_ = false;
    open_.pop_back();
    return false;
  }
  for (;;) {
    const auto found = text_.find('<', at_);
    if (found == text_.npos) {
      if (open_.empty() && has_root_) return false;
      fail_here("truncated");
    }
    if (text != nullptr) *text += decoded(text_.substr(at_, found - at_));
    at_ = found + 1;
    const auto rest = text_.substr(at_);
    if (rest.starts_with("!--")) {
      skip_past("-->");
    } else if (rest.starts_with("![CDATA[")) {
      const auto begin = at_ + std::string_view("![CDATA[").size();
      skip_past("]]>");
      if (text != nullptr) *text += text_.substr(begin, at_ - 3 - begin);
    } else if (rest.starts_with('?')) {
      skip_past("?>");
    } else if (rest.starts_with("!DOCTYPE")) {
      fail(Errc::unsupported, {"XML: line ", line(), ": a DOCTYPE"});
    } else if (rest.starts_with('!')) {
      fail_here("unknown declaration");
    } else if (rest.starts_with('/')) {
      ++at_;
      close(take_name());
      skip_space();
      if (at_ == text_.size() || text_[at_] != '>') fail_here("end of element");
      ++at_;
      return false;
    } else {
      if (open_.empty() && has_root_) fail_here("a second root");
      if (open_.size() == kMaxXmlDepth) {
        fail(Errc::limit_exceeded, {"XML: line ", line(), ": too deep"});
      }
      has_root_ = true;
      open_.push_back(take_name());
      take_attributes();
      return true;
    }
  }
}

void XmlReader::skip() {
  for (const auto depth = open_.size(); open_.size() >= depth;) open();
}

std::optional<std::string_view> XmlReader::find(
    std::string_view attribute) const noexcept {
  for (const auto& [name, value] : attributes_) {
    if (name == attribute) return value;
  }
  return std::nullopt;
}

std::string_view XmlReader::text(std::string_view attribute) const {
  const auto found = find(attribute);
  if (!found) fail_attribute(attribute, ": missing");
  return *found;
}

double XmlReader::number(std::string_view attribute) const {
  const auto found = parse_real(text(attribute));
  if (!found || !std::isfinite(*found)) fail_attribute(attribute, ": not a number");
  return *found;
}

double XmlReader::number(std::string_view attribute, double usual) const {
  return find(attribute) ? number(attribute) : usual;
}

std::string XmlReader::content() {
  std::string out;
  while (advance(&out)) skip();
  const auto begin = out.find_first_not_of(kSpace);
  if (begin == out.npos) return {};
  return out.substr(begin, out.find_last_not_of(kSpace) + 1 - begin);
}

double XmlReader::content_number() {
  const auto element = name();
  const auto found = parse_real(content());
  if (found && std::isfinite(*found)) return *found;
  fail(Errc::invalid_metadata,
       {"line ", line(), ": element ", element, ": not a number"});
}

std::int64_t XmlReader::integer(std::string_view attribute) const {
  const auto found = text(attribute);
  std::int64_t out = 0;
  const auto* const end = found.data() + found.size();
  const auto* const begin = found.starts_with('+') ? found.data() + 1 : found.data();
  const auto [stop, error] = std::from_chars(begin, end, out);
  if (error != std::errc() || stop != end)
    fail_attribute(attribute, ": not an integer");
  return out;
}

}  // namespace bev::convert
