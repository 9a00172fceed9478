#include "core/futures/trajectory_message.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/futures/futures.hpp"
#include "core/map/wire.hpp"

namespace bev::futures {
namespace {

using map::varint_field;
using map::Wire;

constexpr std::size_t kMaxFloatFields = 7;

constexpr FloatField kPoses[] = {
    {2, "center_x"}, {3, "center_y"}, {4, "center_z"}, {5, "heading"}};
constexpr FloatField kSizes[] = {{8, "length"}, {7, "width"}, {9, "height"}};

/// Returns the row of the current field among poses, then sizes; nullopt for others.
std::optional<std::size_t> float_row(const Wire& wire, const TrajectoryFields& fields) {
  const auto type = wire.tag() & 7U;
  if (type != 2 && type != 5) return std::nullopt;
  std::size_t row = 0;
  for (const auto& list : {fields.poses, fields.sizes}) {
    for (const auto& field : list) {
      if (field.number == wire.tag() >> 3U) return row;
      ++row;
    }
  }
  return std::nullopt;
}

const FloatField& field_at(const TrajectoryFields& fields, std::size_t row) {
  const auto poses = fields.poses.size();
  return row < poses ? fields.poses[row] : fields.sizes[row - poses];
}

bool is_valid_field(const Wire& wire, const TrajectoryFields& fields) {
  const auto type = wire.tag() & 7U;
  return fields.valid != 0 && wire.tag() >> 3U == fields.valid &&
         (type == 0 || type == 2);
}

/// Calls `take` with the bytes of the current field's floats, one or several.
template <class Take>
void each_floats(Wire& wire, Take take) {
  if ((wire.tag() & 7U) == 5) {
    std::array<std::byte, sizeof(float)> one{};
    store_le(one.data(), wire.real32());
    take(std::span<const std::byte>(one));
    return;
  }
  const auto packed = wire.bytes();
  take(std::as_bytes(std::span<const char>(packed.data(), packed.size())));
}

[[noreturn]] void wrong_count(const char* name, std::size_t found,
                              std::size_t expected) {
  fail(Errc::invalid_metadata,
       {name, ": wrong number of values (found ", found, ", expected ", expected, ")"});
}

/// Copies floats; returns whether all are numbers between `low` and kMaxValue.
bool copied(std::span<const std::byte> from, float* to, float low) {
  bool is_good = true;
  for (std::size_t i = 0; i < from.size() / sizeof(float); ++i) {
    to[i] = load_le<float>(from.data() + i * sizeof(float));
    is_good = is_good && to[i] >= low && to[i] <= kMaxValue;
  }
  return is_good;
}

}  // namespace

TrajectoryFields simulated_fields() noexcept {
  return {kPoses, kSizes, 6, 11};
}

TrajectoryFields predicted_fields() noexcept {
  return {std::span(kPoses).first(2), {}, 0, 0};
}

TrajectoryCounts counts_of(std::string_view trajectory, const TrajectoryFields& fields,
                           std::size_t max_steps) {
  TrajectoryCounts out;
  std::array<std::size_t, kMaxFloatFields> counts{};
  std::size_t valid = 0;
  Wire wire(trajectory);
  while (wire.next()) {
    if (const auto row = float_row(wire, fields)) {
      each_floats(wire, [&](std::span<const std::byte> bytes) {
        if (bytes.size() % sizeof(float) != 0) {
          fail(Errc::corrupt_chunk,
               {field_at(fields, *row).name, ": not whole numbers (found ",
                bytes.size(), " bytes)"});
        }
        counts[*row] += bytes.size() / sizeof(float);
      });
    } else if (fields.id != 0 && wire.tag() == varint_field(fields.id)) {
      out.id = wire.varint();
      out.has_id = true;
    } else if (is_valid_field(wire, fields)) {
      wire.each_varint([&](std::uint64_t) { ++valid; });
    } else {
      wire.skip();
    }
  }
  out.steps = counts[0];
  if (out.steps == 0) fail(Errc::invalid_metadata, {"center_x: no values"});
  if (out.steps > max_steps) {
    fail(Errc::limit_exceeded,
         {"too many steps (found ", out.steps, ", expected at most ", max_steps, ")"});
  }
  const auto poses = fields.poses.size(), all = poses + fields.sizes.size();
  for (auto row = poses; row < all; ++row) {
    out.has_sizes = out.has_sizes || counts[row] != 0;
  }
  for (std::size_t row = 1; row < (out.has_sizes ? all : poses); ++row) {
    if (counts[row] != out.steps)
      wrong_count(field_at(fields, row).name, counts[row], out.steps);
  }
  out.has_valid = valid != 0;
  if (out.has_valid && valid != out.steps) wrong_count("valid", valid, out.steps);
  return out;
}

void copy_values(std::string_view trajectory, const TrajectoryFields& fields,
                 const TrajectoryRow& row) {
  std::array<std::size_t, kMaxFloatFields> filled{};
  std::size_t valid = 0;
  Wire wire(trajectory);
  while (wire.next()) {
    if (const auto field = float_row(wire, fields)) {
      const bool is_size = *field >= fields.poses.size();
      float* const values =
          is_size ? row.sizes.data() + (*field - fields.poses.size()) * row.steps
                  : row.poses.data() + *field * row.steps;
      each_floats(wire, [&](std::span<const std::byte> bytes) {
        if (!copied(bytes, values + filled[*field], is_size ? 0 : -kMaxValue)) {
          fail(Errc::invalid_metadata,
               {field_at(fields, *field).name, ": a value is not a number between ",
                is_size ? "0" : "-1e9", " and 1e9"});
        }
        filled[*field] += bytes.size() / sizeof(float);
      });
    } else if (is_valid_field(wire, fields)) {
      wire.each_varint([&](std::uint64_t value) { row.valid[valid++] = value != 0; });
    } else {
      wire.skip();
    }
  }
  if (valid == 0) std::fill(row.valid.begin(), row.valid.end(), std::uint8_t{1});
}

}  // namespace bev::futures
