#include "arrays.hpp"

#include <cstring>
#include <memory>
#include <utility>

#include "numpy.hpp"

namespace bev::python {
namespace {

namespace nb = nanobind;

using Owner = std::shared_ptr<const void>;

nb::object numpy_of(const ArrayView& array, const nb::capsule& owner) {
  const bool raw = array.dtype() == "utf8" || array.dtype().substr(0, 2) == "|V";
  const std::size_t length = array.bytes().size();
  return raw ? numpy_array("|u1", {&length, 1}, array.bytes(), owner)
             : numpy_array(array.dtype(), array.shape(), array.bytes(), owner);
}

/// Returns the key of an array. Interned: names of arrays recur.
nb::object key_of(const ArrayView& array) {
  PyObject* key = PyUnicode_FromStringAndSize(
      array.name().data(), static_cast<Py_ssize_t>(array.name().size()));
  if (key == nullptr) throw nb::python_error();
  PyUnicode_InternInPlace(&key);
  return nb::steal(key);
}

template <class Value>
Value value_of(const ArrayView& array) {
  Value value;
  std::memcpy(&value, array.bytes().data(), sizeof value);
  return value;
}

/// Returns a scalar of a sample. L5Kit has two Python numbers; the others are NumPy's.
nb::object scalar_of(const ArrayView& array) {
  if (array.name() == "scene_index") return nb::int_(value_of<std::int64_t>(array));
  if (array.name() == "yaw") return nb::float_(value_of<double>(array));
  return numpy_scalar(array.dtype(), array.bytes());
}

void put(nb::dict& all, const ArrayView& array, const nb::object& value) {
  if (PyDict_SetItem(all.ptr(), key_of(array).ptr(), value.ptr()) != 0) {
    throw nb::python_error();
  }
}

}  // namespace

nb::capsule capsule_of(std::shared_ptr<const void> owner) {
  auto held = std::make_unique<Owner>(std::move(owner));
  nb::capsule capsule(
      held.get(), [](void* pointer) noexcept { delete static_cast<Owner*>(pointer); });
  held.release();
  return capsule;
}

NamedArrays dict_of(const Arrays& arrays) {
  NamedArrays all;
  const auto owner = capsule_of(arrays.owner());
  for (const auto& array : arrays.all()) put(all, array, numpy_of(array, owner));
  return all;
}

NamedValues sample_of(const Arrays& arrays) {
  NamedValues all;
  const auto owner = capsule_of(arrays.owner());
  for (const auto& array : arrays.all()) {
    put(all, array, array.shape().empty() ? scalar_of(array) : numpy_of(array, owner));
  }
  return all;
}

NamedArrays raw_dict_of(const Arrays& arrays) {
  NamedArrays all;
  const auto owner = capsule_of(arrays.owner());
  for (const auto& array : arrays.all()) {
    const std::size_t length = array.bytes().size();
    put(all, array, numpy_array("|u1", {&length, 1}, array.bytes(), owner));
  }
  return all;
}

NumpyArray mapped_bytes(const MappedChunk& chunk) {
  const std::size_t length = chunk.bytes.size();
  NumpyArray array =
      numpy_array("|u1", {&length, 1}, chunk.bytes, capsule_of(chunk.owner));
  // Writing would end the process.
  array.attr("setflags")(nb::arg("write") = false);
  return array;
}

NumpyArray bytes_of(const Arrays& arrays, std::string_view name) {
  return numpy_of(arrays[name], capsule_of(arrays.owner()));
}

}  // namespace bev::python
