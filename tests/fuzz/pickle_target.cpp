#include <cstdint>
#include <stdexcept>
#include <string_view>

#include "core/base/error.hpp"
#include "core/parquet/unischema.hpp"
#include "core/pickle/numpy.hpp"
#include "core/pickle/read.hpp"
#include "core/zarr/text.hpp"
#include "tests/fuzz/targets.hpp"

namespace bev::test {
namespace {

using pickle::Value;

void hold_pickle(bool property, const char* what) {
  if (!property) throw std::logic_error(what);
}

/// Walks all values, as often as each is referred to.
class Walk {
 public:
  explicit Walk(const pickle::Limits& limits) : limits_(limits) {}

  void visit(Value value, std::uint32_t depth) {
    hold_pickle(depth <= limits_.max_depth, "values are nested too deeply");
    hold_pickle(++count_ <= limits_.max_expanded, "too many values");
    check_bytes(value);
    check_array(value);
    for (const auto item : value.items()) visit(item, depth + 1);
    const Value parts[] = {value.callee(), value.arguments(), value.keywords(),
                           value.state(),  value.appended(),  value.pairs(),
                           value.id()};
    for (const auto part : parts) {
      if (part) visit(part, depth + 1);
    }
  }

 private:
  void check_bytes(Value value) {
    const auto text = value.text().value_or("");
    hold_pickle(zarr::valid_utf8(text) == text.size(), "text is not UTF-8");
    for (const auto byte : value.bytes().value_or(std::span<const std::byte>())) {
      sum_ += static_cast<unsigned>(byte);
    }
  }

  void check_array(Value value) {
    try {
      const auto array = pickle::array_of(value, "fuzz");
      if (!array) return;
      std::size_t size = array->dtype.size();
      for (const auto length : array->shape) size *= length;
      hold_pickle(size == array->data.size(),
                  "an array has other bytes than its shape");
    } catch (const Error&) {
      return;
    }
  }

  pickle::Limits limits_;
  std::uint64_t count_ = 0;
  std::uint64_t sum_ = 0;
};

}  // namespace

void pickle_target(std::span<const std::byte> input) {
  constexpr std::string_view kAll[] = {"*"};
  constexpr pickle::Limits kLimits{.max_expanded = 100'000};
  try {
    const auto read =
        pickle::read(input, "fuzz", {.globals = kAll, .persistent_ids = true}, kLimits);
    Walk(kLimits).visit(read.root(), 1);
  } catch (const Error&) {
  }
  try {
    parquet::unischema_json(input);
  } catch (const Error& error) {
    hold_pickle(error.code() == Errc::invalid_metadata,
                "a schema is refused for what it is not");
  }
}

}  // namespace bev::test
