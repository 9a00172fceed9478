#include "core/base/json_tree.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "core/base/decimal.hpp"
#include "core/base/utf8.hpp"

namespace bev {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kBlanks = " \t\n\r";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// The digits of a number, and what stands around them.
struct NumberText {
  bool negative = false;
  bool whole = true;          // without a point and an exponent
  std::string digits;         // before and after the point
  std::int64_t exponent = 0;  // of the last of them
};

/// Takes apart a text from its beginning, one piece a call, each of which is false
/// where the text is not JSON.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool too_deep = false;

  bool document(Json& root) {
    take("\xef\xbb\xbf");  // the mark with which some editors begin
    if (!value(root)) return false;
    skip_blanks();
    return text_.empty();
  }

 private:
  bool value(Json& out) {
    skip_blanks();
    if (take("{")) return nested(out, Json::object());
    if (take("[")) return nested(out, Json::array());
    if (take("\"")) {
      out = std::string();
      return string(*out.get_ptr<std::string*>());
    }
    const bool yes = take("true");
    if (yes || take("false")) {
      out = yes;
      return true;
    }
    if (!take("null")) return number(out);
    out = nullptr;
    return true;
  }

  bool nested(Json& out, Json empty) {
    out = std::move(empty);
    if (levels_ == kDeepestJson) {
      too_deep = true;
      return false;
    }
    ++levels_;
    const bool good = out.is_object() ? members(*out.get_ptr<Json::object_t*>())
                                      : elements(*out.get_ptr<Json::array_t*>());
    --levels_;
    return good;
  }

  bool members(Json::object_t& out) {
    if (take_mark('}')) return true;
    do {
      std::string name;
      if (!take_mark('"') || !string(name)) return false;
      if (!take_mark(':') || !value(out[name])) return false;
    } while (take_mark(','));
    return take_mark('}');
  }

  bool elements(Json::array_t& out) {
    if (take_mark(']')) return true;
    do {
      out.emplace_back();
      if (!value(out.back())) return false;
    } while (take_mark(','));
    return take_mark(']');
  }

  // What follows the quote, and the one at its end.
  bool string(std::string& out) {
    while (!text_.empty()) {
      if (take("\"")) return true;
      if (take("\\")) {
        if (!escape(out)) return false;
        continue;
      }
      const auto first = first_point(text_);
      if (first.length == 0 || first.point < 0x20) return false;
      out.append(text_.substr(0, first.length));
      text_.remove_prefix(first.length);
    }
    return false;
  }

  bool escape(std::string& out) {
    constexpr std::string_view kLetters = "\"\\/bfnrt";
    constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
    if (take("u")) return point(out);
    const auto at = text_.empty() ? std::string_view::npos : kLetters.find(text_[0]);
    if (at == std::string_view::npos) return false;
    out += kMeant[at];
    text_.remove_prefix(1);
    return true;
  }

  bool point(std::string& out) {
    std::uint32_t first = 0;
    if (!unit(first) || (first >= 0xdc00 && first < 0xe000)) return false;
    if (first >= 0xd800 && first < 0xdc00) {
      std::uint32_t second = 0;
      if (!take("\\u") || !unit(second) || second < 0xdc00 || second > 0xdfff) {
        return false;
      }
      first = 0x10000 + ((first & 0x3ff) << 10 | (second & 0x3ff));
    }
    out += utf8_of(first).text();
    return true;
  }

  // Four hexadecimal digits.
  bool unit(std::uint32_t& out) {
    if (text_.size() < 4) return false;
    for (const char c : text_.substr(0, 4)) {
      const char small = static_cast<char>(c | 0x20);
      const bool letter = small >= 'a' && small <= 'f';
      if (!letter && !is_digit(c)) return false;
      out = out << 4 | static_cast<std::uint32_t>(letter ? small - 'a' + 10 : c - '0');
    }
    text_.remove_prefix(4);
    return true;
  }

  bool number(Json& out) {
    NumberText number;
    number.negative = take("-");
    const bool zero = take("0");
    if (!zero && !digits(number.digits)) return false;
    if (take(".")) {
      number.whole = false;
      const auto before = number.digits.size();
      if (!digits(number.digits)) return false;
      number.exponent = -static_cast<std::int64_t>(number.digits.size() - before);
    }
    if (take("e") || take("E")) {
      number.whole = false;
      if (!exponent(number.exponent)) return false;
    }
    return integer(number, out) || real(number, out);
  }

  // At least one.
  bool digits(std::string& out) {
    const auto end = std::find_if_not(text_.begin(), text_.end(), is_digit);
    const auto count = static_cast<std::size_t>(end - text_.begin());
    out.append(text_.substr(0, count));
    text_.remove_prefix(count);
    return count > 0;
  }

  bool exponent(std::int64_t& out) {
    constexpr std::int64_t kMost = 1'000'000'000'000;  // more than digits make up for
    const bool negative = take("-");
    if (!negative) take("+");
    std::string power;
    if (!digits(power)) return false;
    std::int64_t value = 0;
    for (const char digit : power) value = std::min(value * 10 + (digit - '0'), kMost);
    out += negative ? -value : value;
    return true;
  }

  // Of numbers without a point those that 64 bits hold.
  static bool integer(const NumberText& number, Json& out) {
    if (!number.whole) return false;
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
    constexpr std::uint64_t kMostNegative = std::uint64_t{1} << 63;
    std::uint64_t value = 0;
    for (const char c : number.digits) {
      const auto digit = static_cast<std::uint64_t>(c - '0');
      if (value > (kMost - digit) / 10) return false;
      value = value * 10 + digit;
    }
    if (!number.negative) {
      out = value;
      return true;
    }
    if (value > kMostNegative) return false;
    out = static_cast<std::int64_t>(~value + 1);
    return true;
  }

  // Of all others those that a double holds.
  static bool real(const NumberText& number, Json& out) {
    const double value = nearest_double(number.digits, number.exponent);
    out = number.negative ? -value : value;
    return std::isfinite(value);
  }

  void skip_blanks() {
    text_.remove_prefix(std::min(text_.find_first_not_of(kBlanks), text_.size()));
  }

  bool take(std::string_view what) {
    if (!text_.starts_with(what)) return false;
    text_.remove_prefix(what.size());
    return true;
  }

  bool take_mark(char mark) {
    skip_blanks();
    return take({&mark, 1});
  }

  std::string_view text_;  // what is left
  int levels_ = 0;
};

}  // namespace

std::optional<nlohmann::json> parse_json_tree(std::string_view text, bool& too_deep) {
  Reader reader(text);
  Json root;
  const bool parsed = reader.document(root);
  too_deep = reader.too_deep;
  if (!parsed) return std::nullopt;
  return root;
}

}  // namespace bev
