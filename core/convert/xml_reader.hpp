#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bev::convert {

/// Reads the elements of an XML document, one after the other. Comments and instructions
/// are skipped, as is text that is not asked for. Documents with a DOCTYPE are refused, so
/// that entities are the five predefined ones and numbers.
///
/// Lifetime  Names and attributes are valid until the next element is opened; the text
///           outlives the reader.
/// Throws    corrupt_chunk, with the line, for text that is not well-formed; unsupported
///           for a DOCTYPE; limit_exceeded above kMaxXmlDepth and kMaxXmlAttributes;
///           invalid_metadata, with element and line, for an absent or invalid attribute
///           and for text that is not a number.
class XmlReader {
 public:
  explicit XmlReader(std::string_view text) : text_(text) {}

  /// Opens the next child of the open element, or the root. Returns false at the end of
  /// the open element, which is then closed.
  bool open() { return advance(nullptr); }

  /// Closes the open element without reading its children.
  void skip();

  /// Calls `use(name)` for each child of the open element; closes what it leaves open.
  template <class Use>
  void each(Use use) {
    for (const auto depth = open_.size(); open();) {
      use(open_.back());
      while (open_.size() > depth) skip();
    }
  }

  std::string_view name() const noexcept { return open_.back(); }

  /// Returns an attribute of the element that was opened last; nullopt if it is absent.
  std::optional<std::string_view> find(std::string_view attribute) const noexcept;

  // The value of an attribute that is required, or a default.
  std::string_view text(std::string_view attribute) const;
  double number(std::string_view attribute) const;
  double number(std::string_view attribute, double usual) const;
  std::int64_t integer(std::string_view attribute) const;

  /// Closes the open element and returns its text, without that of its children and
  /// without the space around it.
  std::string content();
  double content_number();

 private:
  bool advance(std::string* text);
  [[noreturn]] void fail_here(const char* problem) const;
  [[noreturn]] void fail_attribute(std::string_view attribute,
                                   const char* problem) const;
  std::size_t line() const noexcept;
  void skip_past(std::string_view end);
  void skip_space() noexcept;
  std::string_view take_name();
  void take_attributes();
  std::string decoded(std::string_view raw) const;
  void close(std::string_view name);

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<std::string_view> open_;
  std::vector<std::pair<std::string_view, std::string>> attributes_;
  bool is_empty_ = false;  // the open element has no content
  bool has_root_ = false;
};

inline constexpr std::size_t kMaxXmlDepth = 64;
inline constexpr std::size_t kMaxXmlAttributes = 256;

}  // namespace bev::convert
