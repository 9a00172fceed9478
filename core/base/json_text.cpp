#include "core/base/json_text.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/base/number_text.hpp"
#include "core/base/utf8.hpp"

namespace bev {
namespace {

using Json = nlohmann::json;

class Writer {
 public:
  Writer(bool lines, bool ascii) : lines_(lines), ascii_(ascii) {}

  std::string out;

  void value(const Json& value) {
    switch (value.type()) {
      case Json::value_t::object:
        return members(*value.get_ptr<const Json::object_t*>());
      case Json::value_t::array:
        return elements(*value.get_ptr<const Json::array_t*>());
      case Json::value_t::string: return text(*value.get_ptr<const std::string*>());
      case Json::value_t::boolean:
        out += *value.get_ptr<const bool*>() ? "true" : "false";
        return;
      case Json::value_t::number_integer:
        out += std::to_string(*value.get_ptr<const Json::number_integer_t*>());
        return;
      case Json::value_t::number_unsigned:
        out += std::to_string(*value.get_ptr<const Json::number_unsigned_t*>());
        return;
      case Json::value_t::number_float: return real(*value.get_ptr<const double*>());
      default: out += "null";
    }
  }

 private:
  void members(const Json::object_t& object) {
    out += '{';
    ++level_;
    for (const auto& member : object) {
      next();
      text(member.first);
      out += lines_ ? ": " : ":";
      value(member.second);
    }
    end('}');
  }

  void elements(const Json::array_t& array) {
    out += '[';
    ++level_;
    for (const auto& element : array) {
      next();
      value(element);
    }
    end(']');
  }

  // A comma, unless a bracket was just opened.
  void next() {
    if (out.back() != '{' && out.back() != '[') out += ',';
    line();
  }

  void end(char bracket) {
    --level_;
    if (out.back() != '{' && out.back() != '[') line();
    out += bracket;
  }

  void line() {
    if (!lines_) return;
    out += '\n';
    out.append(4 * level_, ' ');
  }

  void real(double number) {
    out += std::isfinite(number) ? python_repr(number) : "null";
  }

  void text(std::string_view text) {
    out += '"';
    while (!text.empty()) {
      const auto first = first_point(text);
      point(first.point);
      text.remove_prefix(std::max<std::size_t>(first.length, 1));
    }
    out += '"';
  }

  void point(std::uint32_t point) {
    constexpr std::string_view kEscaped = "\"\\\b\f\n\r\t";
    constexpr std::string_view kLetters = "\"\\bfnrt";
    if (const auto at = point < 0x80 ? kEscaped.find(static_cast<char>(point))
                                     : std::string_view::npos;
        at != std::string_view::npos) {
      out += '\\';
      out += kLetters[at];
    } else if (point >= 0x20 && (point < 0x7f || !ascii_)) {
      out += utf8_of(point).text();
    } else if (point < 0x10000) {
      escape(point);
    } else {  // two halves of ten bits
      escape(0xd7c0 + (point >> 10));
      escape(0xdc00 + (point & 0x3ff));
    }
  }

  void escape(std::uint32_t unit) {
    out += "\\u";
    for (int shift = 12; shift >= 0; shift -= 4) {
      out += "0123456789abcdef"[unit >> shift & 0xf];
    }
  }

  bool lines_;
  bool ascii_;
  std::size_t level_ = 0;
};

}  // namespace

std::string json_text(const Json& value, bool ascii) {
  Writer writer(false, ascii);
  writer.value(value);
  return std::move(writer.out);
}

std::string json_lines(const Json& value) {
  Writer writer(true, true);
  writer.value(value);
  return std::move(writer.out);
}

}  // namespace bev
