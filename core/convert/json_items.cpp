#include "core/convert/json_items.hpp"

#include "core/base/error.hpp"

namespace bev::convert {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

}  // namespace

void JsonItems::invalid(std::size_t at) const {
  fail(Errc::invalid_metadata,
       {"not a JSON ", root_ == Root::array ? "array" : "object", " (byte ",
        begin_ + at, ")"});
}

void JsonItems::push(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (is_item_) {
      at = collect(text, at);
      if (is_item_) break;
      continue;
    }
    if (!is_blank(text[at])) step(text[at], at);
    if (!is_item_) ++at;
  }
  begin_ += text.size();
}

void JsonItems::end() const {
  if (!is_complete_) invalid(0);
}

/// Takes a character between items.
void JsonItems::step(char c, std::size_t at) {
  if (is_complete_) invalid(at);
  if (open_ == 0) {
    if (c != (root_ == Root::array ? '[' : '{')) invalid(at);
    return open(c, at);
  }
  auto& level = levels_[open_ - 1];
  if (c == ',' || c == ']' || c == '}') return separate(c, at);
  if (!level.is_empty && !is_after_comma_) invalid(at);
  const bool needs_key = level.close == '}' && !has_key_;
  if (needs_key && c != '"') invalid(at);
  if (!needs_key && open_ < depth() && (c == '[' || c == '{')) return open(c, at);
  is_item_ = true;
  item_begin_ = begin_ + at;
}

void JsonItems::open(char c, std::size_t) {
  levels_[open_++] = {c == '[' ? ']' : '}'};
  has_key_ = false;
  is_after_comma_ = false;
}

/// Takes a comma or a closing bracket.
void JsonItems::separate(char c, std::size_t at) {
  auto& level = levels_[open_ - 1];
  if (has_key_ || is_after_comma_) invalid(at);
  if (c == ',') {
    if (level.is_empty) invalid(at);
    is_after_comma_ = true;
    return;
  }
  if (c != level.close) invalid(at);
  --open_;
  is_complete_ = open_ == 0;
  if (!is_complete_) levels_[open_ - 1].is_empty = false;
}

/// Takes a key or an item that is complete.
void JsonItems::finish_item(std::size_t at) {
  while (!item_.empty() && is_blank(item_.back())) item_.pop_back();
  is_item_ = false;
  auto& level = levels_[open_ - 1];
  if (level.close == '}' && !has_key_) {
    if (item_.size() < 2 || item_.back() != '"') invalid(at);
    (open_ == 1 ? section_ : key_) = item_.substr(1, item_.size() - 2);
    item_.clear();
    has_key_ = true;
    return;
  }
  const bool has_section = root_ == Root::object;
  use_({has_section ? std::string_view(section_) : std::string_view(),
        open_ == 2 && level.close == '}' ? std::string_view(key_) : std::string_view(),
        item_, item_begin_});
  item_.clear();
  level.is_empty = false;
  has_key_ = false;
  is_after_comma_ = false;
}

/// Collects an item from here on. Returns the position behind it.
std::size_t JsonItems::collect(std::string_view text, std::size_t at) {
  const auto from = at;
  const bool is_key = levels_[open_ - 1].close == '}' && !has_key_;
  const auto add = [&](std::size_t end) {
    if (end - from > kMaxItem - item_.size()) {
      fail(Errc::limit_exceeded, {"an item of more than ", kMaxItem, " bytes"});
    }
    item_.append(text.substr(from, end - from));
  };
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (in_string_) {
      if (is_escaped_) {
        is_escaped_ = false;
      } else if (c == '\\') {
        is_escaped_ = true;
      } else if (c == '"') {
        in_string_ = false;
      }
      continue;
    }
    if (c == '"') {
      in_string_ = true;
    } else if (c == '[' || c == '{') {
      ++nested_;
    } else if (nested_ > 0) {
      if (c == ']' || c == '}') --nested_;
    } else if (c == ',' || c == ']' || c == '}' || c == ':') {
      if ((c == ':') != is_key) invalid(at);
      add(at);
      finish_item(at);
      return is_key ? at + 1 : at;  // a colon belongs to its key
    }
  }
  add(at);
  return at;
}

}  // namespace bev::convert
