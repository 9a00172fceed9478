#include "core/parquet/unischema.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/pickle/read.hpp"

namespace bev::parquet {
namespace {

using nlohmann::json;
using pickle::Kind;
using pickle::Value;

constexpr std::string_view kWhere = "Unischema";
constexpr std::size_t kMaxBytes = std::size_t{16} << 20;
constexpr std::size_t kMaxFields = 4096;

// Codecs and Spark's types are classes of any module; none is called.
constexpr std::string_view kAnyGlobal[] = {"*"};
constexpr pickle::Limits kLimits{
    .max_bytes = kMaxBytes, .max_opcodes = 1'000'000, .max_expanded = 1U << 24};

[[noreturn]] void invalid(Message problem) {
  fail_at(Errc::invalid_metadata, kWhere, problem);
}

// The class of an object, or a class; none for other values. Protocols 0 and 1 make
// objects by copyreg._reconstructor(class, ..), later ones also by __newobj__(class).
Value class_of(Value value) {
  while (value.is(Kind::call)) {
    const auto callee = value.callee();
    const bool is_copied =
        callee.name() == "_reconstructor" || callee.name() == "__newobj__";
    value = is_copied ? value.arguments().at(0) : callee;
  }
  return value.is(Kind::global) ? value : Value();
}

std::string text_of(Value value, std::string_view what) {
  const auto text = value.text();
  if (!text) invalid({what, ": expected text (found ", value.describe(), ")"});
  return std::string(*text);
}

enum Member : std::size_t { kName, kType, kShape, kCodec, kNullable, kMembers };
using Members = std::array<Value, kMembers>;

/// Returns the members of a field, a named tuple. PySpark pickles these by name, as
/// _restore("UnischemaField", names, values).
Members members_of(Value field) {
  constexpr std::array<std::string_view, kMembers> kNames{"name", "numpy_dtype",
                                                          "shape", "codec", "nullable"};
  if (!field.is(Kind::call)) {
    invalid({"expected a field (found ", field.describe(), ")"});
  }
  const auto given = field.arguments();
  const auto made_by = field.callee().name();
  const bool is_named = made_by == "_restore";
  const auto values = is_named || made_by == "_reconstructor" ? given.at(2) : given;
  const auto names = is_named ? given.at(1) : Value();
  Members out;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto* const at =
        std::find(kNames.begin(), kNames.end(), names.at(i).text().value_or(""));
    const auto member = is_named ? static_cast<std::size_t>(at - kNames.begin()) : i;
    if (member < kMembers) out[member] = values.at(i);
  }
  return out;
}

// JSON of a field's shape, or of text.
std::string shape_json(Value shape, std::string_view name) {
  std::string out;
  bool is_shape = shape.is(Kind::tuple) || shape.is(Kind::list);
  for (const auto length : shape.items()) {
    const auto found = length.integer();
    is_shape = is_shape && (length.is_none() || found.value_or(-1) >= 0);
    out += out.empty() ? "" : ",";
    out += found ? joined({*found}) : "null";
  }
  if (!is_shape) invalid({"field ", name, ": invalid shape"});
  return "[" + out + "]";
}

std::string quoted(const std::string& text) {
  return json(text).dump();
}

bool is_true(Value value, std::string_view name) {
  const auto number = value.number();
  if (number || value.is_none()) return number.value_or(0) != 0;
  const auto found = value.boolean();
  if (!found) {
    invalid({"field ", name, ": nullable: expected a boolean (found ", value.describe(),
             ")"});
  }
  return *found;
}

/// Returns the class of a codec; "" for none.
std::string codec_of(Value codec, std::string_view name) {
  const auto type = class_of(codec);
  if (!type && !codec.is_none()) {
    invalid({"field ", name, ": expected a codec (found ", codec.describe(), ")"});
  }
  return std::string(type.name());
}

/// Returns the format of a codec's images.
std::string image_of(Value codec) {
  const auto image = codec.state().find("_image_codec");
  auto out = image ? text_of(image, "image codec") : "png";
  out.erase(0, out.find_first_not_of('.'));
  return out;
}

/// Reads fields one after the other.
class Fields {
 public:
  /// Reads an OrderedDict, whose pairs are given to it, or set later; or a dict.
  void read(Value fields) {
    if (!fields.is(Kind::dict) && !fields.is(Kind::call)) {
      invalid({"expected a dict of fields (found ", fields.describe(), ")"});
    }
    add_pairs(fields);
    for (const auto pair : fields.arguments().at(0).items()) {
      if (pair.size() != 2) invalid({"expected pairs (found ", pair.describe(), ")"});
      add_values(pair.items());
    }
    add_pairs(fields.pairs());
  }

  std::string to_json() const { return "[" + json_ + "]"; }

 private:
  void add_pairs(Value dict) {
    if (dict.is(Kind::dict)) add_values(dict.items());
  }

  /// Adds every second item: those that are values, not names.
  void add_values(pickle::Items items) {
    bool is_name = true;
    for (const auto item : items) {
      if (!is_name) add(item);
      is_name = !is_name;
    }
  }

  void add(Value field) {
    const auto members = members_of(field);
    const auto name = text_of(members[kName], "a field's name");
    if (std::find(names_.begin(), names_.end(), name) != names_.end()) {
      invalid({"field ", name, " is given twice"});
    }
    if (names_.size() == kMaxFields)
      invalid({"too many fields (limit ", kMaxFields, ")"});
    names_.push_back(name);
    const auto type = class_of(members[kType]);
    // A type, or a dtype, which is pickled as a call with a code.
    const auto dtype = members[kType].is(Kind::call) && type.name() == "dtype"
                           ? text_of(members[kType].arguments().at(0), "dtype")
                           : std::string(type.name());
    const auto codec = codec_of(members[kCodec], name);
    const auto image =
        codec == "CompressedImageCodec" ? image_of(members[kCodec]) : std::string();
    const bool is_nullable = is_true(members[kNullable], name);
    json_ += joined({json_.empty() ? "" : ",", "{\"name\":", quoted(name),
                     ",\"dtype\":", quoted(dtype),
                     ",\"shape\":", shape_json(members[kShape], name),
                     ",\"codec\":", quoted(codec), ",\"image\":", quoted(image),
                     ",\"nullable\":", is_nullable ? "true" : "false", "}"});
  }

  std::vector<std::string> names_;
  std::string json_;
};

std::string read_schema(std::span<const std::byte> pickled) {
  const auto read = pickle::read(pickled, kWhere, {.globals = kAnyGlobal}, kLimits);
  const auto schema = read.root();
  const auto fields = schema.state().find("_fields");
  if (class_of(schema).name() != "Unischema" || !fields) {
    invalid({"not a Unischema with fields (found ", schema.describe(), ")"});
  }
  Fields out;
  out.read(fields);
  return out.to_json();
}

}  // namespace

std::string unischema_json(std::span<const std::byte> pickled) {
  if (pickled.size() > kMaxBytes) {
    fail_at(Errc::limit_exceeded, kWhere,
            {"too long (found ", pickled.size(), " bytes, limit ", kMaxBytes, ")"});
  }
  try {
    return read_schema(pickled);
  } catch (const Error& error) {
    throw Error(Errc::invalid_metadata, error.what());
  }
}

}  // namespace bev::parquet
