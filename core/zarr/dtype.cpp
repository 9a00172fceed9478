#include "core/zarr/dtype.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "core/base/checked.hpp"
#include "core/base/error.hpp"

namespace bev::zarr {
namespace {

using nlohmann::json;

// Bounds the recursion; deeper than any realistic record.
constexpr int kMaxDepth = 32;

std::string in_quotes(std::string_view text) {
  return joined({"\"", text, "\""});
}

std::optional<std::size_t> parse_size(std::string_view digits) {
  std::size_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

struct Code {
  char letter;
  Kind kind;
  std::array<std::size_t, 4> sizes;  // 0: unused; all 0: any size
};

constexpr Code kCodes[] = {
    {'b', Kind::boolean, {1}},
    {'i', Kind::signed_int, {1, 2, 4, 8}},
    {'u', Kind::unsigned_int, {1, 2, 4, 8}},
    {'f', Kind::real, {2, 4, 8}},
    {'c', Kind::complex, {8, 16}},
    {'S', Kind::bytes, {}},
    {'a', Kind::bytes, {}},
    {'U', Kind::unicode, {}},
    {'V', Kind::raw, {}},
    {'M', Kind::datetime, {8}},
    {'m', Kind::timedelta, {8}},
};

const Code* find_code(char letter) {
  const auto* found =
      std::find_if(std::begin(kCodes), std::end(kCodes),
                   [&](const Code& code) { return code.letter == letter; });
  return found == std::end(kCodes) ? nullptr : found;
}

bool has_order(Kind kind, std::size_t size) {
  switch (kind) {
    case Kind::boolean:
    case Kind::bytes:
    case Kind::raw:
    case Kind::record: return false;
    case Kind::unicode: return true;
    default: return size > 1;
  }
}

bool is_unit(std::string_view unit) {
  constexpr std::string_view kUnits[] = {"Y",  "M",  "W",  "D",  "h",  "m", "s",
                                         "ms", "us", "ns", "ps", "fs", "as"};
  const auto name = unit.find_first_not_of("0123456789");
  if (name == std::string_view::npos) return false;
  if (name > 0 && parse_size(unit.substr(0, name)).value_or(0) == 0) return false;
  return std::find(std::begin(kUnits), std::end(kUnits), unit.substr(name)) !=
         std::end(kUnits);
}

// Removes the unit from the code and returns it: "<M8[25s]" -> "25s".
std::string take_unit(std::string_view& code, std::string_view where) {
  const auto open = code.find('[');
  if (open == std::string_view::npos) return "";
  const std::string whole(code);
  std::string unit(code.substr(open + 1, code.size() - open - 2));
  if (code.back() != ']' || !is_unit(unit)) {
    fail_at(Errc::invalid_metadata, where,
            {"dtype ", in_quotes(whole), ": unknown time unit"});
  }
  code = code.substr(0, open);
  return unit;
}

ByteOrder parse_order(char prefix, const Code& code, std::size_t size) {
  if (!has_order(code.kind, size)) return ByteOrder::none;
  return prefix == '>' ? ByteOrder::big : ByteOrder::little;
}

void check_size(const Code& code, std::size_t size, std::string_view text,
                std::string_view where) {
  if (code.sizes[0] == 0) return;
  if (size != 0 && std::count(code.sizes.begin(), code.sizes.end(), size) > 0) return;
  const bool long_double = (code.kind == Kind::real && (size == 12 || size == 16)) ||
                           (code.kind == Kind::complex && (size == 24 || size == 32));
  fail_at(long_double ? Errc::unsupported : Errc::invalid_metadata, where,
          {"dtype ", in_quotes(text),
           (long_double ? " is not supported: its layout "
                          "depends on the machine that wrote it"
                        : ": invalid size")});
}

DType parse_code(std::string_view text, std::string_view where) {
  if (text.size() >= 2 && text[1] == 'O') {
    fail_at(Errc::unsupported, where,
            {"dtype ", in_quotes(text), ": objects are not supported"});
  }
  const Code* code = text.size() < 2 ? nullptr : find_code(text[1]);
  const bool prefixed =
      !text.empty() && std::string_view("<>|").find(text[0]) != std::string_view::npos;
  if (code == nullptr || !prefixed) {
    fail_at(Errc::invalid_metadata, where,
            {"dtype ", in_quotes(text), ": not a type code (expected e.g. \"<f8\")"});
  }
  std::string_view sized = text;
  DType type;
  if (code->kind == Kind::datetime || code->kind == Kind::timedelta) {
    type.unit = take_unit(sized, where);
  }
  const auto size = parse_size(sized.substr(2));
  if (!size) {
    fail_at(Errc::invalid_metadata, where,
            {"dtype ", in_quotes(text), ": size is missing"});
  }
  check_size(*code, *size, text, where);
  type.kind = code->kind;
  type.item_size =
      code->kind == Kind::unicode ? mul_or_throw(*size, std::size_t{4}, where) : *size;
  type.order = parse_order(text[0], *code, type.item_size);
  if (text[0] == '|' && type.order != ByteOrder::none) {
    fail_at(Errc::invalid_metadata, where,
            {"dtype ", in_quotes(text), ": byte order is missing (expected < or >)"});
  }
  return type;
}

std::size_t checked_size(const DType& type, std::string_view where) {
  std::size_t size = type.item_size;
  for (const std::size_t length : type.shape) size = mul_or_throw(size, length, where);
  return size;
}

DType parse(JsonView dtype, std::string_view where, int depth);

std::vector<std::size_t> parse_subarray(JsonView shape, const std::string& field,
                                        std::string_view where) {
  std::vector<std::size_t> lengths;
  const auto add = [&](JsonView length) {
    const auto value = length.count();
    const bool fits = value && *value <= std::numeric_limits<std::size_t>::max();
    if (fits) lengths.push_back(static_cast<std::size_t>(*value));
    return fits;
  };
  bool good = shape.is_list() || add(shape);
  for (std::size_t i = 0; good && i < shape.size(); ++i) good = add(shape.at(i));
  if (good) return lengths;
  fail_at(Errc::invalid_metadata, where,
          {"field ", in_quotes(field), ": invalid shape (found ", shape.dump(),
           ", expected a list of lengths)"});
}

Field parse_field(JsonView entry, std::string_view where, int depth) {
  const auto name = entry.at(0).text();
  if (entry.size() < 2 || entry.size() > 3 || !name) {
    fail_at(Errc::invalid_metadata, where,
            {"invalid field ", entry.dump(),
             " (expected [name, type] or [name, type, shape])"});
  }
  Field field;
  field.name = *name;
  const auto place = std::string(where) + ": field " + in_quotes(field.name);
  field.type = parse(entry.at(1), place, depth + 1);
  if (entry.size() == 3) {
    const auto outer = parse_subarray(entry.at(2), field.name, where);
    field.type.shape.insert(field.type.shape.begin(), outer.begin(), outer.end());
    checked_size(field.type, place);
  }
  return field;
}

DType parse_record(JsonView list, std::string_view where, int depth) {
  DType type;
  type.kind = Kind::record;
  for (std::size_t i = 0; i < list.size(); ++i) {
    Field field = parse_field(list.at(i), where, depth);
    const bool taken =
        std::any_of(type.fields.begin(), type.fields.end(),
                    [&](const Field& other) { return other.name == field.name; });
    if (taken) {
      fail_at(Errc::invalid_metadata, where,
              {"duplicate field ", in_quotes(field.name)});
    }
    field.offset = type.item_size;
    type.item_size = add_or_throw(type.item_size, field.type.size(), where);
    type.fields.push_back(std::move(field));
  }
  return type;
}

DType parse(JsonView dtype, std::string_view where, int depth) {
  if (depth > kMaxDepth) {
    fail_at(Errc::invalid_metadata, where, {"records nested deeper than ", kMaxDepth});
  }
  if (const auto code = dtype.text()) return parse_code(*code, where);
  if (dtype.size() > 0) return parse_record(dtype, where, depth);
  fail_at(Errc::invalid_metadata, where,
          {"dtype ", dtype.dump(), ": expected a code or a list of fields"});
}

char letter_of(Kind kind) {
  switch (kind) {
    case Kind::boolean: return 'b';
    case Kind::signed_int: return 'i';
    case Kind::unsigned_int: return 'u';
    case Kind::real: return 'f';
    case Kind::complex: return 'c';
    case Kind::bytes: return 'S';
    case Kind::unicode: return 'U';
    case Kind::raw:
    case Kind::record: return 'V';
    case Kind::datetime: return 'M';
    case Kind::timedelta: return 'm';
  }
  return 'V';
}

char prefix_of(ByteOrder order) {
  switch (order) {
    case ByteOrder::little: return '<';
    case ByteOrder::big: return '>';
    case ByteOrder::none: return '|';
  }
  return '|';
}

}  // namespace

std::size_t DType::size() const noexcept {
  std::size_t size = item_size;
  for (const std::size_t length : shape) size *= length;
  return size;
}

DType parse_dtype(JsonView dtype, std::string_view where) {
  DType type = parse(dtype, where, 0);
  if (type.size() == 0) {
    fail_at(Errc::invalid_metadata, where,
            {"dtype ", dtype.dump(), ": size must not be 0"});
  }
  return type;
}

std::string to_string(const DType& type) {
  const std::size_t size =
      type.kind == Kind::unicode ? type.item_size / 4 : type.item_size;
  std::string code{prefix_of(type.order), letter_of(type.kind)};
  code += std::to_string(size);
  if (!type.unit.empty()) code += "[" + type.unit + "]";
  return code;
}

json to_json(const DType& type) {
  if (type.kind != Kind::record) return to_string(type);
  json::array_t list;
  for (const Field& field : type.fields) {
    json::array_t entry{field.name, to_json(field.type)};
    if (!field.type.shape.empty()) entry.emplace_back(field.type.shape);
    list.emplace_back(std::move(entry));
  }
  return list;
}

}  // namespace bev::zarr
