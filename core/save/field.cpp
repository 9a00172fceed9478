#include "core/save/field.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.hpp"

namespace bev::save {
namespace {

using nlohmann::json;
using zarr::FieldShape;
using zarr::JsonView;

constexpr std::string_view kConfig = "data config";
constexpr std::size_t kMaxName = 200;  // bytes
constexpr std::size_t kMaxAxes = 31;   // NumPy's 32, with the rows
constexpr std::array<std::string_view, 3> kImageTypes{"image/png", "image/jpeg",
                                                      "image/webp"};

zarr::DType dtype_of(JsonView given, const std::string& name) {
  try {
    return zarr::parse_dtype(given, name);
  } catch (const Error& error) {
    throw Error(Errc::invalid_argument, std::string(kConfig) + ": " + error.what());
  }
}

FieldShape shape_of(JsonView given, const std::string& name) {
  if (!given.is_list() || given.size() > kMaxAxes) {
    refuse("shape of " + name, given, "a list of at most 31 lengths");
  }
  FieldShape out;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const auto length = given.at(i).count();
    if (given.at(i).is_null() ? false : !length || *length == 0) {
      refuse("shape of " + name, given, "positive lengths");
    }
    out.push_back(length);
  }
  return out;
}

bool is_variable(const std::optional<std::uint64_t>& length) {
  return !length;
}

/// Returns the kind that a shape means: with one varying axis, the first, elements one
/// after the other; with others, a file of NumPy's per row.
FieldKind kind_of(const FieldShape& shape) {
  const auto count = std::count_if(shape.begin(), shape.end(), is_variable);
  if (count == 0) return FieldKind::fixed;
  return count == 1 && !shape.front() ? FieldKind::array : FieldKind::npy;
}

/// Checks dtype and shape against the kind.
void check_kind(const Field& field, JsonView given) {
  const bool has_elements =
      field.kind == FieldKind::fixed || field.kind == FieldKind::array;
  if (has_elements && !field.dtype) {
    refuse("dtype of " + field.name, given["dtype"], "a NumPy dtype");
  }
  if (field.kind == FieldKind::array &&
      (!field.shape || kind_of(*field.shape) != FieldKind::array)) {
    refuse("shape of " + field.name, given["shape"],
           "a list whose first length alone is null");
  }
  if (field.kind == FieldKind::array && field.dtype->kind == zarr::Kind::record) {
    refuse("dtype of " + field.name, given["dtype"], "numbers");
  }
  if (has_elements || field.kind == FieldKind::npy) return;
  for (const char* const name : {"dtype", "shape"}) {
    if (given[name]) {
      refuse(std::string(name) + " of " + field.name, given[name],
             joined({"none for ", zarr::name_of(field.kind)}));
    }
  }
}

void read_content_type(Field& out, JsonView given) {
  if (!given) return;
  const auto text = given.text();
  const bool is_image = out.kind == FieldKind::image;
  const bool is_known =
      is_image ? text && std::find(kImageTypes.begin(), kImageTypes.end(), *text) !=
                             kImageTypes.end()
               : out.kind == FieldKind::bytes && text && zarr::is_content_type(*text);
  if (!is_known) {
    refuse("content_type of " + out.name, given,
           is_image ? "image/png, image/jpeg or image/webp"
                    : "a type such as text/csv, of bytes");
  }
  out.content_type = *text;
}

json shape_json(const FieldShape& shape) {
  auto out = json::array();
  for (const auto& length : shape) out.push_back(length ? json(*length) : json());
  return out;
}

zarr::DType plain_type(zarr::Kind kind, std::size_t size) {
  const auto order = size == 1 ? zarr::ByteOrder::none : zarr::ByteOrder::little;
  return {kind, order, size, {}, {}, {}};
}

}  // namespace

std::size_t Attribute::row_bytes() const noexcept {
  std::size_t bytes = dtype.size();
  for (const auto length : shape) bytes *= static_cast<std::size_t>(length);
  return bytes;
}

std::string Attribute::dtype_text() const {
  const auto json = zarr::to_json(dtype);
  return json.is_string() ? json.get<std::string>() : json.dump();
}

void check_members(const json& object, std::initializer_list<std::string_view> known) {
  for (const auto& [name, value] : object.items()) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    fail_at(Errc::invalid_argument, kConfig, {"unknown member \"", name, "\""});
  }
}

void refuse(std::string_view name, JsonView found, std::string_view expected) {
  fail_at(Errc::invalid_argument, kConfig,
          {"invalid ", name, " (found ", found ? found.dump() : "nothing",
           ", expected ", expected, ")"});
}

std::string text_member(const json& object, std::string_view name) {
  const auto found = JsonView(object)[name];
  const auto text = found.text();
  if (!text || text->empty() || text->size() > kMaxName) {
    refuse(name, found, "a string of 1 to 200 bytes");
  }
  return std::string(*text);
}

Field read_field(const json& given) {
  if (!given.is_object()) refuse("attribute", given, "an object");
  check_members(given, {"name", "dtype", "shape", "kind", "nullable", "content_type"});
  const JsonView view(given);
  Field out;
  out.name = text_member(given, "name");
  if (!is_key_name(out.name)) {
    refuse("name", view["name"], "a name without slashes that begins with no dot");
  }
  if (view["dtype"]) out.dtype = dtype_of(view["dtype"], out.name);
  if (view["shape"]) out.shape = shape_of(view["shape"], out.name);
  if (const auto kind = view["kind"]) {
    const auto found = kind.text() ? zarr::field_kind(*kind.text()) : std::nullopt;
    if (!found) {
      refuse("kind of " + out.name, kind,
             "\"array\", \"bytes\", \"text\", \"image\" or \"npy\"");
    }
    out.kind = *found;
  } else if (out.shape) {
    out.kind = kind_of(*out.shape);
  }
  if (const auto nullable = view["nullable"]) {
    if (!nullable.boolean()) refuse("nullable of " + out.name, nullable, "a boolean");
    out.nullable = *nullable.boolean();
  }
  check_kind(out, view);
  if (out.kind == FieldKind::fixed && !out.shape) out.shape.emplace();
  read_content_type(out, view["content_type"]);
  return out;
}

json field_json(const Field& field) {
  json out = {{"name", field.name}};
  if (field.dtype) out["dtype"] = zarr::to_json(*field.dtype);
  if (field.shape) out["shape"] = shape_json(*field.shape);
  if (field.is_ragged()) out["kind"] = std::string(zarr::name_of(field.kind));
  if (field.nullable) out["nullable"] = true;
  if (!field.content_type.empty()) out["content_type"] = field.content_type;
  return out;
}

void add_arrays(Field& field, std::vector<Attribute>& arrays) {
  field.array = arrays.size();
  std::vector<std::uint64_t> inner;
  const bool has_elements =
      field.kind == FieldKind::fixed || field.kind == FieldKind::array;
  if (has_elements) {
    for (const auto& length : *field.shape) {
      if (length) inner.push_back(*length);
    }
  }
  if (field.kind == FieldKind::fixed) {
    arrays.push_back({field.name, *field.dtype, std::move(inner)});
  } else {
    field.values = arrays.size() + 1;
    arrays.push_back(
        {field.name, plain_type(zarr::Kind::signed_int, 8), {2}, field.values});
    auto element =
        has_elements ? *field.dtype : plain_type(zarr::Kind::unsigned_int, 1);
    arrays.push_back({field.name + "_values", std::move(element), std::move(inner)});
    arrays.back().is_values = true;
    arrays.back().is_raw = field.kind == FieldKind::image;
  }
  if (!field.nullable) return;
  field.valid = arrays.size();
  arrays.push_back({field.name + "_valid", plain_type(zarr::Kind::boolean, 1), {}});
}

json fields_attribute(const std::vector<Field>& fields,
                      const std::vector<Attribute>& arrays) {
  auto list = json::array();
  for (const auto& field : fields) {
    json one = {{"name", field.name}, {"array", arrays[field.array].name}};
    if (field.is_ragged()) {
      one["kind"] = std::string(zarr::name_of(field.kind));
      one["values"] = arrays[*field.values].name;
    }
    if (field.kind == FieldKind::npy) {
      if (field.dtype) one["dtype"] = zarr::to_json(*field.dtype);
      if (field.shape) one["shape"] = shape_json(*field.shape);
    }
    if (field.valid) one["valid"] = arrays[*field.valid].name;
    if (!field.content_type.empty()) one["content_type"] = field.content_type;
    list.push_back(std::move(one));
  }
  return {{"version", zarr::kFieldsVersion},
          {"tables", {{std::string(kTable), std::move(list)}}}};
}

}  // namespace bev::save
