#include "arrays.hpp"

#include <nanobind/ndarray.h>

#include <bevscope/error.hpp>
#include <memory>
#include <string>

namespace bev::python {
namespace {

namespace nb = nanobind;

using Owner = std::shared_ptr<const void>;

nb::capsule capsule_of(const Arrays& arrays) {
  auto owner = std::make_unique<Owner>(arrays.owner());
  nb::capsule capsule(
      owner.get(), [](void* pointer) noexcept { delete static_cast<Owner*>(pointer); });
  owner.release();
  return capsule;
}

nb::dlpack::dtype type_of(std::string_view code) {
  using nb::dlpack::dtype_code;
  if (code == "utf8" || code.size() < 3 || code[1] == 'V') {
    return {static_cast<std::uint8_t>(dtype_code::UInt), 8, 1};
  }
  const auto bits = static_cast<std::uint8_t>(8 * (code[2] - '0'));
  switch (code[1]) {
    case 'b': return {static_cast<std::uint8_t>(dtype_code::Bool), 8, 1};
    case 'i': return {static_cast<std::uint8_t>(dtype_code::Int), bits, 1};
    case 'u': return {static_cast<std::uint8_t>(dtype_code::UInt), bits, 1};
    case 'f': return {static_cast<std::uint8_t>(dtype_code::Float), bits, 1};
    default: break;
  }
  throw Error(Errc::unsupported, "array: unsupported type " + std::string(code));
}

nb::object numpy_of(const ArrayView& array, const nb::capsule& owner) {
  static std::byte empty[1];
  auto* data = array.bytes().empty() ? empty : array.bytes().data();
  const bool raw = array.dtype() == "utf8" || array.dtype().substr(0, 2) == "|V";
  const std::size_t length = array.bytes().size();
  const std::size_t* shape = raw ? &length : array.shape().data();
  const std::size_t axes = raw ? 1 : array.shape().size();
  const nb::ndarray<nb::numpy> view(const_cast<std::byte*>(data), axes, shape, owner,
                                    nullptr, type_of(array.dtype()));
  nb::object array_object = nb::cast(view);
  // NumPy takes the buffer's 64-bit integers for C's long long, a type of its own.
  if (array.dtype() == "<i8" || array.dtype() == "<u8") {
    return array_object.attr("view")(array.dtype() == "<i8" ? "i8" : "u8");
  }
  return array_object;
}

}  // namespace

nb::dict dict_of(const Arrays& arrays) {
  nb::dict all;
  const auto owner = capsule_of(arrays);
  for (const auto& array : arrays.all()) {
    const nb::str name(array.name().data(), array.name().size());
    all[name] = numpy_of(array, owner);
  }
  return all;
}

nb::object bytes_of(const Arrays& arrays, std::string_view name) {
  return numpy_of(arrays[name], capsule_of(arrays));
}

}  // namespace bev::python
