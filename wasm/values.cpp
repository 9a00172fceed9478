#include "wasm/values.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace bev::wasm {

/// A result array, in the memory layout read by dispatcher.js.
struct ArrayForJs {
  const char* name;
  const char* dtype;
  const char* view;
  const std::byte* data;
  std::size_t length;  ///< elements of the view
  const std::size_t* shape;
  std::size_t axes;
};

/// A request, in the memory layout read by dispatcher.js.
struct RequestForJs {
  double begin;
  double end;
  double tail;
  const char* key;
  std::uint32_t required;
};

// Defined in dispatcher.js: one call, where building objects from here takes forty calls
// per array, and reading strings five calls each.
extern "C" {
emscripten::EM_VAL bev_arrays_to_js(const ArrayForJs* arrays, std::size_t count);
emscripten::EM_VAL bev_requests_to_js(const RequestForJs* requests, std::size_t count);
}

namespace {

using emscripten::val;

/// The typed array class for a NumPy dtype, and its element size in bytes.
struct ViewType {
  std::string_view dtype;
  const char* name;
  std::size_t size;
};

constexpr std::array kViewTypes{
    ViewType{"i1", "Int8Array", 1},      ViewType{"i2", "Int16Array", 2},
    ViewType{"u2", "Uint16Array", 2},    ViewType{"i4", "Int32Array", 4},
    ViewType{"u4", "Uint32Array", 4},    ViewType{"f4", "Float32Array", 4},
    ViewType{"c8", "Float32Array", 4},   ViewType{"f8", "Float64Array", 8},
    ViewType{"c16", "Float64Array", 8},  ViewType{"i8", "BigInt64Array", 8},
    ViewType{"u8", "BigUint64Array", 8}, ViewType{"M8", "BigInt64Array", 8},
    ViewType{"m8", "BigInt64Array", 8}};

// Types without a typed array of their own (bool, V, utf8) are exposed as bytes.
constexpr ViewType kBytes{"", "Uint8Array", 1};

ViewType view_type(std::string_view dtype) {
  const auto code = dtype.substr(std::min<std::size_t>(1, dtype.size()));
  const auto found =
      std::find_if(kViewTypes.begin(), kViewTypes.end(), [&](const ViewType& type) {
        return code.substr(0, code.find('[')) == type.dtype;
      });
  return found == kViewTypes.end() ? kBytes : *found;
}

ArrayForJs for_js(const ResultArray& array) {
  const auto type = view_type(array.dtype);
  return {array.name.c_str(),
          array.dtype.c_str(),
          type.name,
          array.bytes.data(),
          array.bytes.size() / type.size,
          array.shape.data(),
          array.shape.size()};
}

double bound(std::uint64_t byte) {
  return static_cast<double>(byte);
}

}  // namespace

const char* view_of(std::string_view dtype) {
  return view_type(dtype).name;
}

val to_js(std::span<const ResultArray> arrays) {
  std::vector<ArrayForJs> out;
  out.reserve(arrays.size());
  for (const auto& array : arrays) out.push_back(for_js(array));
  return val::take_ownership(bev_arrays_to_js(out.data(), out.size()));
}

val to_js(const std::vector<store::Request>& requests) {
  std::vector<RequestForJs> out;
  out.reserve(requests.size());
  for (const auto& [key, range, required, tail] : requests) {
    out.push_back({range ? bound(range->begin) : -1.0, range ? bound(range->end) : -1.0,
                   bound(tail), key.c_str(), required ? 1U : 0U});
  }
  return val::take_ownership(bev_requests_to_js(out.data(), out.size()));
}

}  // namespace bev::wasm
