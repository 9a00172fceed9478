#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/engine/numbers.hpp"
#include "core/ops/operation.hpp"
#include "core/ops/tables.hpp"
#include "core/save/array_session.hpp"
#include "core/save/array_spec.hpp"
#include "core/save/array_values.hpp"
#include "core/save/writable_array.hpp"
#include "core/store/selection.hpp"
#include "core/store/target_selection.hpp"

// Arrays that change: the host does what `writable_next` returns until that is nothing.

namespace bev::ops {

namespace {

using nlohmann::json;
using save::StoreRequest;
using save::WritableArray;
using Bytes = std::vector<std::byte>;

/// An array, what is done with it, and the result.
struct Writable {
  std::string path;
  save::ArraySession session;
  std::optional<WritableArray> array = std::nullopt;
  save::ArrayValues values = {};
  std::vector<StoreRequest> requests = {};
  store::TargetSelection selection = {};
  Bytes read = {};
  save::ArrayUse use = {};

  std::string name() const { return session.name_of(path); }

  WritableArray& opened() {
    if (!array) fail_at(Errc::invalid_argument, name(), {"not opened"});
    return *array;
  }
};

/// A new array; see save::array_spec.
struct NewArray {
  std::vector<double> shape;
  std::string dtype;
  std::vector<double> chunks;
  std::string codec = "blosc:lz4";
  std::optional<Integer> level;
  std::string fill = "0";
  std::string order = "C";
  std::uint32_t format = 2;
};

/// Elements of an array.
struct Chosen {
  std::optional<std::vector<double>> axes;
  std::optional<std::vector<double>> indices;
  std::optional<std::vector<std::uint8_t>> mask;
};

}  // namespace

template <>
inline constexpr const char* kObjectName<Writable> = "Writable";

template <>
struct Members<NewArray> {
  static void visit(const auto& visitor, auto& array) {
    visitor("shape", array.shape);
    visitor("dtype", array.dtype);
    visitor("chunks", array.chunks);
    visitor("codec", array.codec);
    visitor("level", array.level);
    visitor("fill", array.fill);
    visitor("order", array.order);
    visitor("format", array.format);
  }
};

template <>
struct Members<Chosen> {
  static void visit(const auto& visitor, auto& chosen) {
    visitor("axes", chosen.axes);
    visitor("indices", chosen.indices);
    visitor("mask", chosen.mask);
  }
};

namespace {

std::vector<std::uint64_t> lengths_from(std::span<const double> numbers,
                                        std::string_view what) {
  std::vector<std::uint64_t> out;
  for (const auto number : numbers) out.push_back(index_from(number, what));
  return out;
}

/// Returns the chosen elements of the array as it is now.
store::TargetSelection selected(Writable& writable, const Chosen& chosen) {
  const auto name = writable.name();
  const auto& shape = writable.opened().refresh().shape;
  using Selection = store::TargetSelection;
  if (chosen.indices) {
    return Selection::list(name, shape, integers_from(*chosen.indices, "indices"));
  }
  if (chosen.mask) {
    const auto length = shape.empty() ? 1 : shape.front();
    return Selection::list(name, shape, store::rows_where(name, length, *chosen.mask));
  }
  const auto axes =
      chosen.axes ? axes_from(*chosen.axes) : std::vector<store::AxisSlice>();
  return Selection::box(name, shape, axes);
}

std::unique_ptr<Writable> make_writable(std::string path, std::string place,
                                        bool has_locks) {
  return std::unique_ptr<Writable>(
      new Writable{std::move(path), save::ArraySession(std::move(place), has_locks)});
}

void open_array(Writable& writable) {
  writable.session.begin(
      [&] { writable.array.emplace(writable.session, writable.path); });
}

void create_array(Writable& writable, const std::string& existing, NewArray array) {
  std::optional<int> level;
  if (array.level) {
    constexpr std::int64_t kMinLevel = -10, kMaxLevel = 100;
    level =
        static_cast<int>(std::clamp<std::int64_t>(*array.level, kMinLevel, kMaxLevel));
    if (*level != *array.level) {
      fail(Errc::invalid_argument, {"create: invalid level (found ", array.level->value,
                                    ", expected -10 to 100)"});
    }
  }
  auto meta = save::array_spec(
      lengths_from(array.shape, "shape"), array.dtype,
      lengths_from(array.chunks, "chunks"), array.codec, level, array.fill,
      array.order.size() == 1 ? array.order[0] : ' ', static_cast<int>(array.format));
  const bool replaces = existing == "replace";
  const bool refuses = existing == "refuse";
  writable.session.begin([&writable, meta = std::move(meta), replaces, refuses] {
    const bool is_new = WritableArray::create(
        writable.session, writable.path, meta,
        replaces ? WritableArray::Existing::replace : WritableArray::Existing::keep);
    if (!is_new && refuses) {
      fail_at(Errc::invalid_argument, writable.name(), {"already exists"});
    }
    const auto& found = writable.array.emplace(writable.session, writable.path).meta();
    if (found.shape == meta.shape && found.dtype == meta.dtype) return;
    if (is_new || replaces) return;  // others have resized it since
    fail_at(Errc::invalid_argument, writable.name(),
            {"already exists with another shape or dtype"});
  });
}

void refresh_array(Writable& writable) {
  writable.opened();
  writable.session.begin([&] { writable.opened().refresh(); });
}

/// Passes values of a field, or of whole elements, in C order.
///
/// @param dtype  of the values, little-endian; "": they are as stored
void add_values(Writable& writable, const std::string& field, const std::string& dtype,
                const RawBytes& bytes) {
  const auto& type = writable.opened().meta().dtype;
  writable.values.add({type, field, writable.name()}, dtype, bytes);
}

/// Passes one value for all elements, as JSON.
void add_value(Writable& writable, const std::string& field, const std::string& value) {
  const auto& type = writable.opened().meta().dtype;
  writable.values.add_one({type, field, writable.name()}, value);
}

void clear_values(Writable& writable) {
  writable.values.clear();
}

void assign_values(Writable& writable, Chosen chosen,
                   std::optional<std::vector<std::uint8_t>> where) {
  writable.opened();
  writable.session.begin(
      [&writable, chosen = std::move(chosen),
       where = std::move(where).value_or(std::vector<std::uint8_t>())] {
        auto target = selected(writable, chosen).target;
        auto& array = writable.opened();
        array.assign(writable.values.assignment(array.meta().dtype, writable.name(),
                                                std::move(target), where));
      });
}

void append_values(Writable& writable) {
  writable.opened();
  writable.session.begin([&writable] {
    auto& array = writable.opened();
    array.append(writable.values.rows(array.refresh().dtype, writable.name()));
  });
}

void resize_array(Writable& writable, std::span<const double> shape) {
  writable.opened();
  writable.session.begin([&writable, lengths = lengths_from(shape, "shape")] {
    writable.opened().resize(lengths);
  });
}

void read_array(Writable& writable, Chosen chosen) {
  writable.opened();
  writable.session.begin([&writable, chosen = std::move(chosen)] {
    writable.selection = selected(writable, chosen);
    writable.read = writable.opened().read(writable.selection.target);
  });
}

void use_array(Writable& writable) {
  writable.opened();
  writable.session.begin([&] { writable.use = writable.opened().use(); });
}

json request_json(const StoreRequest& request) {
  static constexpr const char* kKinds[] = {"read", "replace", "remove",
                                           "list", "lock",    "unlock"};
  json out{{"kind", kKinds[static_cast<int>(request.kind)]},
           {"id", request.id},
           {"key", request.key}};
  if (request.kind == StoreRequest::Kind::lock) {
    out["name"] = request.name;
    out["exclusive"] = request.access == save::ArrayStore::Access::exclusive;
  }
  if (request.tag) out["tag"] = *request.tag;
  return out;
}

/// Returns what the host does next, in this order, as JSON; an empty list at the end.
std::string next_requests(Writable& writable) {
  writable.requests = writable.session.next();
  auto out = json::array();
  for (const auto& request : writable.requests) out.push_back(request_json(request));
  return out.dump();
}

Bytes request_content(Writable& writable, Index id) {
  for (auto& request : writable.requests) {
    if (request.id == id) return std::move(request.bytes);
  }
  fail(Errc::invalid_argument, {"request: unknown (found ", id.value, ")"});
}

void supply_object(Writable& writable, Index id, std::optional<RawBytes> bytes,
                   std::string tag) {
  save::StoredObject object;
  object.tag = std::move(tag);
  if (bytes) object.bytes.emplace(bytes->begin(), bytes->end());
  writable.session.supply(id, std::move(object));
}

void supply_replaced(Writable& writable, Index id, bool replaced) {
  writable.session.supply(id, replaced);
}

void supply_listed(Writable& writable, Index id, std::vector<std::string> keys,
                   std::span<const double> sizes) {
  std::vector<save::ListedObject> listed;
  for (std::size_t i = 0; i < keys.size() && i < sizes.size(); ++i) {
    listed.push_back({std::move(keys[i]), index_from(sizes[i], "sizes")});
  }
  writable.session.supply(id, std::move(listed));
}

/// Returns what was read by field: numbers little-endian.
Outcome take_read(Writable& writable, const std::string& field) {
  const auto owner = std::make_shared<const save::ArrayColumns>(
      writable.opened().meta().dtype, field, std::exchange(writable.read, {}));
  std::vector<ResultArray> arrays;
  for (const auto& [name, dtype, inner, bytes] : owner->columns()) {
    auto shape = writable.selection.shape;
    shape.insert(shape.end(), inner.begin(), inner.end());
    arrays.push_back({name, dtype, std::move(shape), bytes});
  }
  return Outcome(arrays, owner);
}

/// Returns the metadata as last read, as a .zarray.
std::string describe_writable(Writable& writable) {
  return writable.opened().meta().json;
}

std::vector<double> writable_counts(Writable& writable) {
  const auto& use = writable.use;
  return {static_cast<double>(use.chunks), static_cast<double>(use.stored),
          static_cast<double>(use.stored_bytes)};
}

constexpr std::array kWritableOperations{
    operation<&make_writable, "path", "place", "has_locks">(
        "writable", "", "an array that changes: core/save/array_session.hpp"),
    operation<&open_array, "array">("writable_open", "", "begins to open it"),
    operation<&create_array, "array", "existing">(
        "writable_create", "",
        "begins to create and open it; existing: refuse, keep, replace"),
    operation<&refresh_array, "array">("writable_refresh", "",
                                       "begins to read the metadata again"),
    operation<&add_values, "array", "field", "dtype", "bytes">(
        "writable_values", "", "passes values; dtype empty: as stored"),
    operation<&add_value, "array", "field", "value">(
        "writable_value", "", "passes one value for all elements, as JSON"),
    operation<&clear_values, "array">("writable_clear", "", "forgets the values"),
    operation<&assign_values, "array", "where">("writable_assign", "",
                                                "begins to assign the values"),
    operation<&append_values, "array">("writable_append", "",
                                       "begins to append the values as rows"),
    operation<&resize_array, "array", "shape">("writable_resize", "",
                                               "begins to change the shape"),
    operation<&read_array, "array">("writable_read", "", "begins to read elements"),
    operation<&use_array, "array">("writable_use", "", "begins to count the objects"),
    operation<&next_requests, "array">(
        "writable_next", "",
        "JSON: what the host does next, in this order; [] at the end"),
    operation<&request_content, "array", "request">("writable_content", "",
                                                    "bytes that a request writes"),
    operation<&supply_object, "array", "request", "bytes", "tag">(
        "writable_supply", "", "answers a read; without bytes: absent"),
    operation<&supply_replaced, "array", "request", "replaced">(
        "writable_replaced", "", "answers a conditional replacement"),
    operation<&supply_listed, "array", "request", "keys", "sizes">(
        "writable_listed", "", "answers a list"),
    operation<&take_read, "array", "field">("writable_take", "*",
                                            "the elements read, by field"),
    operation<&describe_writable, "array">("describe_writable", "",
                                           "the metadata as a .zarray"),
    operation<&writable_counts, "array">(
        "writable_counts", "", "chunks, those stored, and bytes of the objects"),
};

}  // namespace

std::span<const Operation> writable_operations() {
  return kWritableOperations;
}

}  // namespace bev::ops
