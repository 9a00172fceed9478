#include "core/pickle/numpy.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "core/base/checked.hpp"
#include "core/base/error.hpp"

namespace bev::pickle {
namespace {

// Functions of NumPy 1 and 2.
using Names = std::array<std::string_view, 2>;
constexpr Names kReconstruct{"numpy.core.multiarray._reconstruct",
                             "numpy._core.multiarray._reconstruct"};
constexpr Names kScalar{"numpy.core.multiarray.scalar",
                        "numpy._core.multiarray.scalar"};
constexpr Names kFromBuffer{"numpy.core.numeric._frombuffer",
                            "numpy._core.numeric._frombuffer"};
constexpr std::string_view kArray = "numpy.ndarray", kType = "numpy.dtype";

constexpr std::array kGlobals{kArray,     kType,      kReconstruct[0], kReconstruct[1],
                              kScalar[0], kScalar[1], kFromBuffer[0],  kFromBuffer[1]};

// Fields of a record, with those of records in it. A dtype may refer to another one
// several times, so that nesting alone does not bound them.
constexpr std::size_t kMaxFields = 4096;
constexpr int kMaxNesting = 32;
constexpr std::size_t kMaxAxes = 64;
constexpr std::size_t kMaxCode = 64;  // characters of a dtype

// Types that Arrays keeps.
constexpr std::size_t kTypesKept = 8;

bool is_one_of(Value value, const Names& names) {
  return value.is_global(names[0]) || value.is_global(names[1]);
}

/// Reads dtypes.
class TypeReader {
 public:
  explicit TypeReader(std::string_view where) : where_(where) {}

  zarr::DType read(Value value, int depth) {
    if (depth > kMaxNesting) {
      fail_at(Errc::limit_exceeded, where_,
              {"dtype: nested too deeply (limit ", kMaxNesting, ")"});
    }
    const auto code = value.arguments().at(0).text();
    if (!value.callee().is_global(kType) || !code || code->size() > kMaxCode) {
      invalid({"expected a dtype (found ", value.describe(), ")"});
    }
    const auto state = value.state();
    if (!state.at(3).is_none()) return record(state, depth);
    if (!state.at(2).is_none()) return subarray(state.at(2), depth);
    return scalar(state, *code);
  }

 private:
  [[noreturn]] void invalid(Message problem) const {
    fail_at(Errc::invalid_metadata, where_, {"dtype: ", joined(problem)});
  }

  std::size_t count(Value value) const {
    const auto found = value.integer();
    if (!found || *found < 0 || std::cmp_greater(*found, SIZE_MAX)) {
      invalid({"invalid size (found ", value.describe(), ")"});
    }
    return static_cast<std::size_t>(*found);
  }

  zarr::DType scalar(Value state, std::string_view code) const {
    const auto order = state.at(1).text().value_or("|");
    return zarr::parse_dtype(
        nlohmann::json(joined({order, code, unit_of(state.at(8), code)})), where_);
  }

  /// Of datetimes, "[25s]": the last member of a state is metadata and (name, count,
  /// divisor, event).
  std::string unit_of(Value metadata, std::string_view code) const {
    if (code.empty() || (code[0] != 'M' && code[0] != 'm')) return "";
    const auto unit = metadata.at(1);
    const auto bytes = unit.at(0).bytes();  // in NumPy 1
    const auto name =
        bytes ? std::string_view(reinterpret_cast<const char*>(bytes->data()),
                                 bytes->size())
              : unit.at(0).text().value_or("");
    if (name.empty() || unit.at(2).integer() != 1) invalid({"unknown unit of time"});
    if (name == "generic") return "";
    const auto steps = count(unit.at(1));
    return steps == 1 ? joined({"[", name, "]"}) : joined({"[", steps, name, "]"});
  }

  zarr::DType subarray(Value pair, int depth) {
    auto type = read(pair.at(0), depth + 1);
    std::vector<std::size_t> shape;
    if (pair.at(1).is(Kind::integer)) {
      shape.push_back(count(pair.at(1)));
    } else {
      for (const auto length : pair.at(1).items()) shape.push_back(count(length));
    }
    type.shape.insert(type.shape.begin(), shape.begin(), shape.end());
    checked_size(type);
    return type;
  }

  zarr::DType record(Value state, int depth) {
    zarr::DType type;
    type.kind = zarr::Kind::record;
    for (const auto item : state.at(3).items()) {
      const auto name = item.text();
      const auto field = name ? state.at(4).find(*name) : Value();
      if (!field || ++fields_ > kMaxFields) {
        invalid({"invalid fields (expected names, and up to ", kMaxFields, ")"});
      }
      if (count(field.at(1)) != type.item_size) refuse_padding();
      auto made = read(field.at(0), depth + 1);
      const auto size = checked_size(made);
      type.fields.push_back({std::string(*name), type.item_size, std::move(made)});
      type.item_size = add_or_throw(type.item_size, size, where_);
    }
    if (count(state.at(5)) != type.item_size) refuse_padding();
    if (type.item_size == 0) invalid({"size must not be 0"});
    return type;
  }

  [[noreturn]] void refuse_padding() const {
    fail_at(Errc::unsupported, where_,
            {"dtype: records whose fields are not contiguous"});
  }

  std::size_t checked_size(const zarr::DType& type) const {
    std::size_t size = type.item_size;
    for (const auto length : type.shape) size = mul_or_throw(size, length, where_);
    return size;
  }

  std::string_view where_;
  std::size_t fields_ = 0;
};

std::vector<std::size_t> shape_of(Value value, std::string_view where) {
  std::vector<std::size_t> shape;
  const bool is_shape = value.is(Kind::tuple) && value.size() <= kMaxAxes;
  for (const auto length : is_shape ? value.items() : Items()) {
    const auto found = length.integer();
    if (found && *found >= 0 && std::cmp_less_equal(*found, SIZE_MAX)) {
      shape.push_back(static_cast<std::size_t>(*found));
    }
  }
  if (!is_shape || shape.size() != value.size()) {
    fail_at(Errc::invalid_metadata, where, {"array: invalid shape"});
  }
  return shape;
}

// The axes from the one that varies slowest to the one that varies fastest in memory.
using Axes = std::vector<std::size_t>;

Axes axes_of(std::size_t count, bool is_fortran) {
  Axes axes(count);
  for (std::size_t i = 0; i < count; ++i) axes[i] = is_fortran ? count - 1 - i : i;
  return axes;
}

// Returns an array with strides and data, of which `axes` is the order.
Array checked(Array array, const Axes& axes, Value data, std::string_view where) {
  const auto bytes = data.bytes();
  if (!bytes) {
    fail_at(Errc::invalid_metadata, where,
            {"array: expected bytes (found ", data.describe(), ")"});
  }
  std::size_t size = array.dtype.size();
  array.strides.resize(array.shape.size());
  for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
    array.strides[*axis] = size;
    size = mul_or_throw(size, array.shape[*axis], where);
  }
  if (bytes->size() != size) {
    fail_at(Errc::invalid_metadata, where,
            {"array of ", zarr::to_string(array.dtype), ": wrong length (found ",
             bytes->size(), " bytes, expected ", size, ")"});
  }
  array.data = *bytes;
  return array;
}

}  // namespace

// _reconstruct(ndarray, (0,), b"b"), with the state (1, shape, dtype, is_fortran, data).
Array Arrays::reconstructed(Value value) {
  const auto type = value.arguments().at(0);
  if (!type.is_global(kArray)) {
    fail_at(Errc::unsupported, where_, {"array: class ", type.describe()});
  }
  const auto state = value.state();
  const auto order = state.at(3);
  if (state.size() != 5 || state.at(0).integer() != 1 ||
      (!order.boolean() && !order.integer())) {
    fail_at(Errc::invalid_metadata, where_, {"array: unknown state"});
  }
  const bool is_fortran = order.boolean().value_or(order.integer().value_or(0) != 0);
  Array array{type_of(state.at(2)), shape_of(state.at(1), where_), {}, {}};
  const auto axes = axes_of(array.shape.size(), is_fortran);
  return checked(std::move(array), axes, state.at(4), where_);
}

namespace {

// Transposes an array as NumPy does: axis i becomes the one that was axes[i]. Returns
// where the former axes are.
Axes transpose(Array& array, Value axes, std::string_view where) {
  const auto shape = array.shape;
  const auto none = shape.size();
  Axes places(none, none);
  for (std::size_t i = 0; i < none; ++i) {
    const auto axis = axes.at(i).integer().value_or(-1);
    const bool is_axis = axes.size() == none && axis >= 0 && std::cmp_less(axis, none);
    const auto from = is_axis ? static_cast<std::size_t>(axis) : 0;
    if (!is_axis || places[from] != none) {
      fail_at(Errc::invalid_metadata, where, {"array: invalid order of axes"});
    }
    places[from] = i;
    array.shape[i] = shape[from];
  }
  return places;
}

}  // namespace

// _frombuffer(data, dtype, shape, order), of protocol 5. With order "K" the fifth argument
// transposes the array, which is in C order before.
Array Arrays::from_buffer(Value given) {
  const auto order = given.at(3).text();
  if (order != "C" && order != "F" && order != "K") {
    fail_at(Errc::invalid_metadata, where_, {"array: unknown order"});
  }
  Array array{type_of(given.at(1)), shape_of(given.at(2), where_), {}, {}};
  const auto axes = order == "K" ? transpose(array, given.at(4), where_)
                                 : axes_of(array.shape.size(), order == "F");
  return checked(std::move(array), axes, given.at(0), where_);
}

Arrays::Function Arrays::function_of(Value callee) {
  if (latest_.callee && latest_.callee.is_same(callee)) return latest_.function;
  auto function = Function::none;
  if (is_one_of(callee, kReconstruct)) function = Function::reconstruct;
  if (is_one_of(callee, kFromBuffer)) function = Function::from_buffer;
  if (is_one_of(callee, kScalar)) function = Function::scalar;
  latest_ = {callee, function};
  return function;
}

const zarr::DType& Arrays::type_of(Value value) {
  const auto found = std::find_if(types_.begin(), types_.end(), [&](const auto& one) {
    return one.value.is_same(value);
  });
  if (found != types_.end()) return found->type;
  auto type = dtype_of(value, where_);
  if (types_.size() == kTypesKept) types_.erase(types_.begin());
  types_.push_back({value, std::move(type)});
  return types_.back().type;
}

std::optional<Array> Arrays::read(Value value) {
  const auto given = value.arguments();
  switch (function_of(value.callee())) {
    case Function::none: return std::nullopt;
    case Function::reconstruct: return reconstructed(value);
    case Function::from_buffer: return from_buffer(given);
    case Function::scalar: break;
  }
  return checked({type_of(given.at(0)), {}, {}, {}}, {}, given.at(1), where_);
}

std::span<const std::string_view> numpy_globals() noexcept {
  return kGlobals;
}

zarr::DType dtype_of(Value value, std::string_view where) {
  return TypeReader(where).read(value, 0);
}

std::optional<Array> array_of(Value value, std::string_view where) {
  return Arrays(where).read(value);
}

}  // namespace bev::pickle
