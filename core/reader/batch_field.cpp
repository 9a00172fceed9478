#include "core/reader/batch_field.hpp"

#include <algorithm>

#include "core/base/error.hpp"

namespace bev::reader {

std::string to_text(std::span<const BatchField> fields) {
  std::string out;
  for (const auto& field : fields) {
    out += (out.empty() ? "" : ", ") + field.name + " " + field.dtype;
    if (!field.kind.empty() && field.kind != "array") out += " " + field.kind;
    if (field.nullable) out += " or null";
    if (field.shape.empty()) continue;
    std::string axes;
    for (const auto length : field.shape) {
      axes += axes.empty() ? "" : ", ";
      axes += length == kVariable ? "any" : std::to_string(length);
    }
    out += " (" + axes + ")";
  }
  return out;
}

void check_same_fields(std::span<const BatchField> first,
                       std::span<const BatchField> other, std::string_view thing,
                       std::size_t reader) {
  const auto missing = [](std::span<const BatchField> from,
                          std::span<const BatchField> in) {
    return std::any_of(from.begin(), from.end(), [&](const BatchField& field) {
      return std::find(in.begin(), in.end(), field) == in.end();
    });
  };
  if (!missing(first, other) && !missing(other, first)) return;
  fail_at(Errc::invalid_argument, thing,
          {"fields of reader ", reader, " differ from those of reader 0 (found ",
           to_text(other), "; expected ", to_text(first), ")"});
}

}  // namespace bev::reader
