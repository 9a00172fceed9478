#include "native/s3/s3_xml.hpp"

#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/error.hpp"

namespace bev::native {
namespace {

constexpr std::size_t kMaxDepth = 16;
constexpr std::string_view kXmlBlank = " \t\r\n";

/// Appends a code point as UTF-8; false if it is none.
bool append_utf8(std::string& out, std::uint32_t point) {
  const auto tail = [&](unsigned shift) {
    out += static_cast<char>(0x80U | ((point >> shift) & 0x3FU));
  };
  if (point == 0 || point > 0x10FFFF || (point >= 0xD800 && point < 0xE000))
    return false;
  if (point < 0x80) {
    out += static_cast<char>(point);
  } else if (point < 0x800) {
    out += static_cast<char>(0xC0U | point >> 6U);
    tail(0);
  } else if (point < 0x10000) {
    out += static_cast<char>(0xE0U | point >> 12U);
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xF0U | point >> 18U);
    tail(12);
    tail(6);
    tail(0);
  }
  return true;
}

/// Appends the text of an entity: "amp", "#38", "#x26".
bool append_entity(std::string& out, std::string_view name) {
  constexpr std::array<std::pair<std::string_view, char>, 5> kNamed = {
      {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}}};
  for (const auto& [known, c] : kNamed) {
    if (name != known) continue;
    out += c;
    return true;
  }
  const bool hex = name.starts_with("#x");
  if (!name.starts_with('#')) return false;
  name.remove_prefix(hex ? 2 : 1);
  std::uint32_t point = 0;
  const auto* const end = name.data() + name.size();
  const auto parsed = std::from_chars(name.data(), end, point, hex ? 16 : 10);
  return parsed.ec == std::errc{} && parsed.ptr == end && append_utf8(out, point);
}

class XmlReader {
 public:
  XmlReader(std::string_view xml, const std::string& name) : xml_(xml), name_(name) {}

  template <class Take>
  void run(const Take& take) {
    while (at_ < xml_.size()) {
      if (xml_[at_] != '<') {
        read_text();
      } else if (skipped("<?", "?>") || skipped("<!--", "-->")) {
        continue;
      } else if (xml_.substr(at_, 2) == "</") {
        close(take);
      } else {
        open(take);
      }
    }
    if (!open_.empty() || !rooted_) refuse();
  }

 private:
  [[noreturn]] void refuse() const {
    fail_at(Errc::invalid_metadata, name_, {"invalid XML at byte ", at_});
  }

  bool skipped(std::string_view begin, std::string_view end) {
    if (xml_.substr(at_, begin.size()) != begin) return false;
    const auto found = xml_.find(end, at_ + begin.size());
    if (found == xml_.npos) refuse();
    at_ = found + end.size();
    return true;
  }

  void read_text() {
    const auto end = std::min(xml_.find('<', at_), xml_.size());
    while (at_ < end) {
      const char c = xml_[at_];
      if (open_.empty() && kXmlBlank.find(c) == kXmlBlank.npos) refuse();
      if (c != '&') {
        text_ += c;
        ++at_;
        continue;
      }
      const auto semicolon = xml_.substr(0, end).find(';', at_);
      if (semicolon == xml_.npos ||
          !append_entity(text_, xml_.substr(at_ + 1, semicolon - at_ - 1))) {
        refuse();
      }
      at_ = semicolon + 1;
    }
  }

  /// Returns what is between < and >.
  std::string_view tag(std::size_t begin) {
    const auto end = xml_.find('>', begin);
    if (end == xml_.npos) refuse();
    at_ = end + 1;
    return xml_.substr(begin, end - begin);
  }

  template <class Take>
  void open(const Take& take) {
    auto inside = tag(at_ + 1);
    const bool closed = inside.ends_with('/');
    if (closed) inside.remove_suffix(1);
    const auto name = inside.substr(0, inside.find_first_of(kXmlBlank));
    const bool second_root = open_.empty() && rooted_;
    if (name.empty() || name[0] == '!' || second_root || open_.size() == kMaxDepth) {
      refuse();
    }
    rooted_ = true;
    open_.emplace_back(name);
    text_.clear();
    if (closed) end(take);
  }

  template <class Take>
  void close(const Take& take) {
    auto name = tag(at_ + 2);
    name = name.substr(0, name.find_last_not_of(kXmlBlank) + 1);
    if (open_.empty() || open_.back() != name) refuse();
    end(take);
  }

  template <class Take>
  void end(const Take& take) {
    std::string path;
    for (std::size_t i = 1; i < open_.size(); ++i) {
      path += (i > 1 ? "/" : "") + open_[i];
    }
    if (open_.size() > 1) take(path, text_);
    open_.pop_back();
    text_.clear();
  }

  std::string_view xml_;
  const std::string& name_;
  std::size_t at_ = 0;
  bool rooted_ = false;
  std::vector<std::string> open_;
  std::string text_;
};

}  // namespace

void for_each_xml_text(
    std::string_view xml, const std::string& name,
    const std::function<void(std::string_view path, const std::string& text)>& take) {
  XmlReader(xml, name).run(take);
}

std::string s3_code(const HttpAnswer& answer) {
  const std::string_view xml(reinterpret_cast<const char*>(answer.body.data()),
                             answer.body.size());
  if (xml.find("<Error") == xml.npos) return {};
  std::string code;
  try {
    for_each_xml_text(xml, "error",
                      [&](std::string_view path, const std::string& text) {
                        if (path == "Code") code = text.substr(0, 64);
                      });
  } catch (const Error&) {
    return {};
  }
  const bool plain =
      code.find_first_not_of(
          "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
          ".") == code.npos;
  return plain ? code : std::string();
}

std::string s3_reason(const HttpAnswer& answer) {
  auto code = s3_code(answer);
  const bool moved = answer.status == 301 || answer.status == 307 ||
                     code == "AuthorizationHeaderMalformed";
  if (moved) code += code.empty() ? "check AWS_REGION" : "; check AWS_REGION";
  return code.empty() ? code : " (" + code + ")";
}

}  // namespace bev::native
