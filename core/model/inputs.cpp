#include "core/model/inputs.hpp"

#include <utility>

#include "core/base/checked.hpp"
#include "core/base/json_text.hpp"

namespace bev::model {
namespace {

const Tensor& array_for(const Contract& contract, const Input& input,
                        const std::vector<Tensor>& arrays) {
  std::string names;
  for (const auto& one : arrays) {
    if (one.name == input.key->name) return one;
    names += (names.empty() ? "" : ", ") + one.name;
  }
  fail(Errc::invalid_argument,
       {contract.name, ": input ", input.tensor.name, ": no ", input.key->name,
        " in the samples (found ", names.empty() ? "none" : names, ")"});
}

bool fits(const Axes& wanted, const std::vector<std::uint32_t>& shape) noexcept {
  if (wanted.size() != shape.size()) return false;
  for (std::size_t i = 1; i < shape.size(); ++i) {  // the batch is checked apart
    if (!wanted[i].admits(shape[i])) return false;
  }
  return true;
}

Feed feed_of(const Contract& contract, const Input& input, const Tensor& array,
             bool batched) {
  if (!array.axes) fail(Errc::invalid_argument, {array.name, ": no shape"});
  if (!converts(*input.key, array.element) && array.element != input.key->element) {
    fail(Errc::invalid_argument,
         {array.name, ": unexpected type (found ", text_of(array), ", expected ",
          to_string(input.key->element), ")"});
  }
  Feed out{&input};
  if (!batched) out.shape.push_back(1);
  for (const auto& axis : *array.axes) {
    if (!axis.is_fixed())
      fail(Errc::invalid_argument, {array.name, ": unknown length"});
    out.shape.push_back(axis.length);
  }
  const bool is_image = input.key->name == "image";
  const bool is_bytes = input.tensor.element == Element::uint8;
  if (is_image && (array.element == Element::uint8) != is_bytes) {
    fail(Errc::invalid_argument,
         {contract.name, ": input ", input.tensor.name, ": type does not match (found ",
          text_of(input.tensor), ", the samples have ", text_of(array), ")"});
  }
  const auto& wanted = input.tensor.axes;
  if (out.shape.size() == std::size_t{input.key->rank} + 1 &&
      (!wanted || fits(*wanted, out.shape)))
    return out;
  fail(Errc::invalid_argument,
       {contract.name, ": input ", input.tensor.name, ": shape does not match (found ",
        wanted ? text_of(*wanted) : shape_text(*input.key), ", the samples have ",
        text_of(*array.axes), ")"});
}

void check_batch(const Contract& contract, const std::vector<Feed>& feeds) {
  for (const auto& feed : feeds) {
    const auto expected = contract.batch.value_or(feeds.front().shape.front());
    const auto found = feed.shape.front();
    if (found == expected) continue;
    fail(Errc::invalid_argument,
         {contract.name, ": input ", feed.input->tensor.name,
          ": size of the batch (found ", found, ", expected ", expected, ")"});
  }
}

}  // namespace

std::vector<Feed> feeds_of(const Contract& contract, const std::vector<Tensor>& arrays,
                           bool batched) {
  std::vector<Feed> out;
  for (const auto& input : contract.inputs) {
    out.push_back(
        feed_of(contract, input, array_for(contract, input, arrays), batched));
  }
  check_batch(contract, out);
  return out;
}

std::string describe(const std::vector<Feed>& feeds) {
  JsonText out;
  out.open('[');
  for (const auto& [input, shape] : feeds) {
    out.open('{').name("key").text(input->key->name);
    out.name("name").text(input->tensor.name);
    out.name("scaled").flag(input->scale.has_value()).name("shape").open('[');
    for (const auto length : shape) out.count(std::uint64_t{length});
    out.close(']').name("type").text(to_string(input->tensor.element)).close('}');
  }
  out.close(']');
  return std::move(out).take();
}

std::vector<float> normalised(const Contract& contract, std::size_t index,
                              std::span<const float> values,
                              std::span<const std::uint32_t> shape) {
  if (index >= contract.inputs.size())
    fail_index({contract.name, ": input "}, index, contract.inputs.size());
  const auto& input = contract.inputs[index];
  std::vector<float> out(values.begin(), values.end());
  if (!input.scale || shape.empty()) return out;
  std::uint64_t size = 1;
  for (const auto length : shape)
    size = mul_or_throw<std::uint64_t>(size, length, "shape");
  const std::size_t axis = shape.size() == 4 ? 1 : shape.size() - 1;
  std::uint64_t inner = 1;
  for (std::size_t i = axis + 1; i < shape.size(); ++i) inner *= shape[i];
  const auto& [mean, deviation] = *input.scale;
  const std::size_t channels = mean.size();
  if (size != values.size() || (channels != 1 && channels != shape[axis])) {
    fail(Errc::invalid_argument,
         {contract.settings.where, ": scale.", input.tensor.name,
          ": wrong number of channels (found ", channels, ", expected 1 or ",
          shape[axis], " for ", values.size(), " values)"});
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto channel =
        channels == 1 ? 0 : static_cast<std::size_t>(i / inner % channels);
    out[i] = (out[i] - mean[channel]) / deviation[channel];
  }
  return out;
}

}  // namespace bev::model
