#include "core/model/tensor.hpp"

#include <algorithm>
#include <array>

namespace bev::model {
namespace {

struct Names {
  Element element;
  std::string_view onnx, python, numpy;
};

constexpr std::array kNames{
    Names{Element::float16, "float16", "tensor(float16)", "<f2"},
    Names{Element::float32, "float32", "tensor(float)", "<f4"},
    Names{Element::float64, "float64", "tensor(double)", "<f8"},
    Names{Element::int32, "int32", "tensor(int32)", "<i4"},
    Names{Element::int64, "int64", "tensor(int64)", "<i8"},
    Names{Element::uint8, "uint8", "tensor(uint8)", "|u1"},
    Names{Element::boolean, "bool", "tensor(bool)", "|b1"},
};

std::string name_of(const JsonPlace& place) {
  auto name = place.text();
  if (name.size() > Signature::kMaxNameBytes) {
    fail(Errc::limit_exceeded,
         {place.path(), ": ", name.size(), " bytes (expected at most ",
          Signature::kMaxNameBytes, ")"});
  }
  return name;
}

Axis axis_of(const JsonPlace& place) {
  Axis out;
  if (place.value().is_string()) {
    out.name = name_of(place);
  } else if (!place.value().is_null()) {
    out.length = place.count<std::uint32_t>();
    if (!out.is_fixed()) place.refuse("too large");
  }
  return out;
}

Tensor tensor_of(const JsonPlace& place) {
  Tensor out;
  out.name = name_of(place.at("name"));
  out.type = name_of(place.at("type"));
  out.element = element_of(out.type);
  if (!place.has("shape") || place.at("shape").value().is_null()) return out;
  const auto shape = place.at("shape");
  if (shape.value().size() > Signature::kMaxAxes) {
    fail(Errc::limit_exceeded,
         {shape.path(), ": too many axes (found ", shape.value().size(),
          ", expected at most ", Signature::kMaxAxes, ")"});
  }
  out.axes.emplace();
  for (const auto& axis : shape.items()) out.axes->push_back(axis_of(axis));
  return out;
}

}  // namespace

Element element_of(std::string_view name) noexcept {
  for (const auto& one : kNames) {
    if (name == one.onnx || name == one.python || name == one.numpy) return one.element;
  }
  return Element::other;
}

std::string_view to_string(Element element) noexcept {
  for (const auto& one : kNames) {
    if (element == one.element) return one.onnx;
  }
  return "another type";
}

bool is_float(Element element) noexcept {
  return element == Element::float16 || element == Element::float32 ||
         element == Element::float64;
}

std::string text_of(const Axes& axes) {
  std::string out = "(";
  for (const auto& axis : axes) {
    if (&axis != axes.data()) out += ", ";
    if (axis.is_fixed())
      out += std::to_string(axis.length);
    else
      out += axis.name.empty() ? "?" : axis.name;
  }
  return out + ")";
}

std::string text_of(const Tensor& tensor) {
  const bool known = tensor.element != Element::other;
  std::string out(known ? to_string(tensor.element) : std::string_view(tensor.type));
  return out + " " + (tensor.axes ? text_of(*tensor.axes) : "...");
}

std::vector<Tensor> tensors_of(const JsonPlace& list) {
  const auto items = list.items();
  if (items.size() > Signature::kMaxTensors) {
    fail(Errc::limit_exceeded, {list.path(), ": too many (found ", items.size(),
                                ", expected at most ", Signature::kMaxTensors, ")"});
  }
  std::vector<Tensor> out;
  for (const auto& item : items) {
    out.push_back(tensor_of(item));
    const auto& name = out.back().name;
    const bool is_new =
        std::none_of(out.begin(), out.end() - 1,
                     [&](const Tensor& one) { return one.name == name; });
    if (!is_new)
      fail(Errc::invalid_argument, {item.path(), ": ", name, " occurs twice"});
  }
  return out;
}

std::vector<Tensor> read_arrays(std::string_view json) {
  const auto tree = json_document(json, "arrays", Signature::kMaxBytes);
  return tensors_of(JsonPlace(tree, "arrays"));
}

Signature read_signature(std::string_view json, std::string_view where) {
  const auto tree = json_document(json, where, Signature::kMaxBytes);
  const JsonPlace root(tree, std::string(where));
  Signature out;
  out.inputs = tensors_of(root.at("inputs", ':'));
  out.outputs = tensors_of(root.at("outputs", ':'));
  return out;
}

}  // namespace bev::model
