#include "numpy.hpp"

#include <nanobind/stl/string.h>

#include <bevscope/error.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace bev::python {
namespace {

namespace nb = nanobind;

using Length = std::intptr_t;  // npy_intp

/// Functions of NumPy's table; the numbers are their indices in __multiarray_api.h.
struct Api {
  PyTypeObject* array_type;                          // 2
  PyObject* (*descr_from_type)(int);                 // 45
  PyObject* (*scalar)(void*, PyObject*, PyObject*);  // 60
  PyObject* (*new_from_descr)(PyTypeObject*, PyObject*, int, const Length*,
                              const Length*, void*, int, PyObject*);  // 94
  int (*set_base_object)(PyObject*, PyObject*);                       // 282
};

template <class Function>
void take(Function& function, void* const* table, std::size_t index) {
  function = reinterpret_cast<Function>(table[index]);
}

Api load() {
  const auto version =
      nb::cast<std::string>(nb::module_::import_("numpy").attr("__version__"));
  const bool first = version.substr(0, 2) == "1.";
  const auto module = nb::module_::import_(first ? "numpy.core._multiarray_umath"
                                                 : "numpy._core._multiarray_umath");
  const nb::object capsule = module.attr("_ARRAY_API");
  auto* const table =
      static_cast<void* const*>(PyCapsule_GetPointer(capsule.ptr(), nullptr));
  if (table == nullptr) throw nb::python_error();
  unsigned (*abi_version)() = nullptr;
  take(abi_version, table, 0);
  if (const auto abi = abi_version() >> 24; abi != 1 && abi != 2) {
    throw Error(Errc::unsupported, "NumPy " + version + ": unknown ABI (found " +
                                       std::to_string(abi) + ", expected 1 or 2)");
  }
  Api api{};
  api.array_type = static_cast<PyTypeObject*>(table[2]);
  take(api.descr_from_type, table, 45);
  take(api.scalar, table, 60);
  take(api.new_from_descr, table, 94);
  take(api.set_base_object, table, 282);
  return api;
}

/// Not a guarded static: the import may pass the GIL to a thread that waits for the guard.
/// Two threads that come first load equal tables.
const Api& numpy() {
  static Api api;
  static bool is_loaded = false;
  if (!is_loaded) {
    api = load();
    is_loaded = true;
  }
  return api;
}

/// Returns the number of a type in NumPy (enum NPY_TYPES).
int type_number(std::string_view dtype) {
  constexpr int kInt64 = sizeof(long) == 8 ? 7 : 9;
  const char size = dtype.size() == 3 ? dtype[2] : '0';
  switch (size == '0' ? '?' : dtype[1]) {
    case 'b': return 0;
    case 'i': return size == '1' ? 1 : size == '2' ? 3 : size == '4' ? 5 : kInt64;
    case 'u': return size == '1' ? 2 : size == '2' ? 4 : size == '4' ? 6 : kInt64 + 1;
    case 'f': return size == '4' ? 11 : 12;
    default: break;
  }
  throw Error(Errc::unsupported, "array: unsupported type " + std::string(dtype));
}

nb::object descr_of(std::string_view dtype) {
  return nb::steal(numpy().descr_from_type(type_number(dtype)));
}

}  // namespace

nb::object numpy_array(std::string_view dtype, std::span<const std::size_t> shape,
                       std::span<const std::byte> bytes, nb::handle owner) {
  constexpr int kAlignedWritable = 0x0100 | 0x0400;
  constexpr std::size_t kMaxAxes = 8;
  static std::byte empty[8];
  Length lengths[kMaxAxes]{};
  if (shape.size() > kMaxAxes) {
    throw Error(Errc::unsupported, "array: more than 8 axes are not supported");
  }
  for (std::size_t i = 0; i < shape.size(); ++i) {
    lengths[i] = static_cast<Length>(shape[i]);
  }
  auto* const data = bytes.empty() ? empty : const_cast<std::byte*>(bytes.data());
  const auto axes = static_cast<int>(shape.size());
  const auto& api = numpy();
  nb::object array = nb::steal(
      api.new_from_descr(api.array_type, descr_of(dtype).release().ptr(), axes, lengths,
                         nullptr, data, kAlignedWritable, nullptr));
  if (!array.is_valid()) throw nb::python_error();
  if (api.set_base_object(array.ptr(), nb::borrow(owner).release().ptr()) != 0) {
    throw nb::python_error();
  }
  return array;
}

nb::object numpy_scalar(std::string_view dtype, std::span<const std::byte> bytes) {
  auto* const data = const_cast<std::byte*>(bytes.data());
  nb::object scalar = nb::steal(numpy().scalar(data, descr_of(dtype).ptr(), nullptr));
  if (!scalar.is_valid()) throw nb::python_error();
  return scalar;
}

}  // namespace bev::python
