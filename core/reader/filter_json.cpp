#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/json_tree.hpp"
#include "core/reader/expression.hpp"
#include "core/reader/filter_lexer.hpp"
#include "core/reader/scalar_text.hpp"
#include "core/zarr/json_view.hpp"

namespace bev::reader {
namespace {

using nlohmann::json;
using zarr::JsonView;
using zarr::Number;

[[noreturn]] void fail_json(std::string_view path, JsonView found,
                            std::string_view expected) {
  fail_at(Errc::invalid_argument, path,
          {"unexpected value (found ", shortened(found.dump()), ", expected ", expected,
           ")"});
}

json number_json(const Number& number) {
  if (number.kind == Number::Kind::real) return number.real;
  if (!is_exact_in_json(number)) return json{{"integer", number_text(number)}};
  if (number.kind == Number::Kind::unsigned_int) return number.bits;
  return static_cast<std::int64_t>(number.bits);
}

json node_json(const Expression& node) {
  switch (node.op) {
    case Op::number: return number_json(node.value);
    case Op::text: return node.name;
    case Op::boolean: return node.value.bits != 0;
    case Op::field: {
      json out{{"field", node.name}};
      if (node.index >= 0) out["index"] = node.index;
      return out;
    }
    default: break;
  }
  json out{{"op", std::string(operator_of(node.op).name)}};
  if (node.op == Op::label_probability) {
    out["label"] = node.name;
    return out;
  }
  if (node.op == Op::has_tag) {
    out["tag"] = node.name;
    return out;
  }
  auto& args = out["args"] = json::array();
  for (const auto& arg : node.args) args.push_back(node_json(arg));
  if (node.op == Op::hash_split) {
    out["fractions"] = node.split.fractions;
    out["part"] = node.split.part;
    out["seed"] = number_json({Number::Kind::unsigned_int, node.split.seed, 0});
  }
  return out;
}

// Whether text can spell this field.
bool is_field_name(std::string_view name) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  const auto later = [&](char c) {
    return letter(c) || (c >= '0' && c <= '9') || c == '.' || c == '/';
  };
  return !name.empty() && letter(name[0]) &&
         std::all_of(name.begin(), name.end(), later) && name != "true" &&
         name != "false" && !is_operator_word(name);
}

// Converts JSON to a tree. JSON's depth is bounded by its parser.
class FromJson {
 public:
  Expression node(JsonView from, const std::string& path);

 private:
  Expression field(JsonView from, const std::string& path);
  Expression operation(JsonView from, const std::string& path);
  Split split(JsonView from, const std::string& path);

  std::size_t nodes_ = 0;
};

// Throws if an object has a member that means nothing.
void check_members(JsonView from, const std::string& path,
                   std::initializer_list<std::string_view> known) {
  for (const auto& [name, value] : from.json().items()) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    fail_at(Errc::invalid_argument, path, {"unknown member ", in_quotes(name)});
  }
}

// Reads an integer, also as {"integer": "..."}.
std::optional<Number> integer_of(JsonView from) {
  if (const auto count = from.count())
    return Number{Number::Kind::unsigned_int, *count, 0};
  if (const auto integer = from.integer()) {
    return Number{Number::Kind::signed_int, static_cast<std::uint64_t>(*integer), 0};
  }
  const auto text = from["integer"].text();
  if (!text) return std::nullopt;
  return parse_integer(*text);
}

Expression FromJson::node(JsonView from, const std::string& path) {
  if (++nodes_ > Expression::kMaxNodes) {
    fail_at(Errc::limit_exceeded, path,
            {"too many terms (limit ", Expression::kMaxNodes, ")"});
  }
  Expression out;
  if (from["field"]) return field(from, path);
  if (from["op"]) return operation(from, path);
  if (const auto text = from.text()) {
    out.op = Op::text;
    out.name = std::string(*text);
    return out;
  }
  if (const auto boolean = from.boolean()) {
    out.op = Op::boolean;
    out.value = {Number::Kind::unsigned_int, *boolean, 0};
    return out;
  }
  if (const auto integer = integer_of(from)) {
    out.value = *integer;
    return out;
  }
  const auto number = from.number();
  if (!number) fail_json(path, from, "a literal, {\"field\": ...} or {\"op\": ...}");
  out.value = {Number::Kind::real, 0, *number};
  return out;
}

Expression FromJson::field(JsonView from, const std::string& path) {
  check_members(from, path, {"field", "index"});
  const auto name = from["field"].text();
  if (!name || !is_field_name(*name)) {
    fail_json(path + ".field", from["field"], "the name of a field");
  }
  Expression out;
  out.op = Op::field;
  out.name = std::string(*name);
  if (!from["index"]) return out;
  const auto index = from["index"].count();
  if (!index || *index >= 1u << 30)
    fail_json(path + ".index", from["index"], "an index");
  out.index = static_cast<std::int32_t>(*index);
  return out;
}

Expression FromJson::operation(JsonView from, const std::string& path) {
  const auto* const known = operator_named(from["op"].text().value_or(""));
  if (!known) fail_json(path + ".op", from["op"], "an operator");
  const auto& [op, name, precedence, least, most] = *known;
  if (op == Op::label_probability)
    check_members(from, path, {"op", "label", "args"});
  else if (op == Op::has_tag)
    check_members(from, path, {"op", "tag", "args"});
  else if (op == Op::hash_split)
    check_members(from, path, {"op", "args", "fractions", "part", "seed"});
  else
    check_members(from, path, {"op", "args"});
  Expression out;
  out.op = op;
  const auto args = from["args"];
  if (args.size() < least || args.size() > most) {
    fail_at(Errc::invalid_argument, path + ".args",
            {"wrong number of arguments (found ", args.size(), ", expected ",
             least == most ? "" : "at least ", least, ")"});
  }
  for (std::size_t i = 0; i < args.size(); ++i) {
    const auto at = path + ".args[" + std::to_string(i) + "]";
    out.args.push_back(node(args.at(i), at));
    const bool is_literal = out.args.back().op <= Op::boolean;
    if (op == Op::in && i > 0 && !is_literal) fail_json(at, args.at(i), "a literal");
  }
  if (op == Op::label_probability) {
    const auto label = from["label"].text();
    if (!label) fail_json(path + ".label", from["label"], "a label");
    out.name = std::string(*label);
  }
  if (op == Op::has_tag) {
    const auto tag = from["tag"].text();
    if (!tag) fail_json(path + ".tag", from["tag"], "a tag");
    out.name = std::string(*tag);
  }
  if (op == Op::hash_split) out.split = split(from, path);
  out.set_depth();
  return out;
}

Split FromJson::split(JsonView from, const std::string& path) {
  Split out;
  const auto fractions = from["fractions"];
  for (std::size_t i = 0; i < fractions.size(); ++i) {
    const auto fraction = fractions.at(i).number();
    if (!fraction || std::signbit(*fraction)) {
      fail_json(path + ".fractions", fractions, "numbers from 0");
    }
    out.fractions.push_back(*fraction);
  }
  const auto part = from["part"].count();
  if (!part || *part >= out.fractions.size()) {
    fail_json(path + ".part", from["part"], "the number of a fraction");
  }
  out.part = static_cast<std::uint32_t>(*part);
  if (!from["seed"]) return out;
  const auto seed = integer_of(from["seed"]);
  if (!seed || seed->kind != Number::Kind::unsigned_int) {
    fail_json(path + ".seed", from["seed"], "a whole number");
  }
  out.seed = seed->bits;
  return out;
}

}  // namespace

std::string to_json(const Expression& filter) {
  return node_json(filter).dump(-1, ' ', false, json::error_handler_t::replace);
}

Expression filter_from_json(std::string_view text) {
  if (text.size() > Expression::kMaxBytes) {
    fail(Errc::limit_exceeded, {"filter: too long (found ", text.size(),
                                " bytes, limit ", Expression::kMaxBytes, ")"});
  }
  bool too_deep = false;
  const auto tree = parse_json_tree(text, too_deep);
  if (!tree) {
    fail(too_deep ? Errc::limit_exceeded : Errc::invalid_argument,
         {"filter: ", too_deep ? "nested too deeply" : "not JSON"});
  }
  return FromJson().node(*tree, "filter");
}

}  // namespace bev::reader
