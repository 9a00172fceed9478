#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/store/reader.hpp"
#include "tests/fuzz/targets.hpp"

namespace bev::test {
namespace {

using Lengths = std::vector<std::uint64_t>;
using Rows = std::vector<std::uint64_t>;
using Elements = std::vector<std::uint16_t>;
__extension__ typedef __int128 Wide;

/// Parses the input; returns zeros after its end.
class Input {
 public:
  explicit Input(std::span<const std::byte> bytes) : bytes_(bytes) {}

  unsigned byte() {
    if (bytes_.empty()) return 0;
    const auto value = std::to_integer<unsigned>(bytes_.front());
    bytes_ = bytes_.subspan(1);
    return value;
  }

  /// Encodes sign and size in one byte, because numbers near 0 find more errors.
  std::int64_t number() {
    const unsigned head = byte();
    if (head < 0xf0) return static_cast<std::int64_t>(head) - 0x78;
    std::array<std::byte, 8> wide{};
    for (auto& one : wide) one = static_cast<std::byte>(byte());
    return load_le<std::int64_t>(wide.data());
  }

  bool empty() const noexcept { return bytes_.empty(); }

 private:
  std::span<const std::byte> bytes_;
};

void hold_for(bool property, const char* what) {
  if (!property) throw std::logic_error(what);
}

/// A synthetic array: every element is its index in C order.
struct Grid {
  Lengths shape;
  Lengths chunks;
  char order;

  explicit Grid(Input& input) : order(input.byte() % 2 == 0 ? 'C' : 'F') {
    for (unsigned axes = 1 + input.byte() % 3; shape.size() < axes;) {
      shape.push_back(input.byte() % 24);
      chunks.push_back(1 + input.byte() % 9);
    }
  }

  std::string meta() const {
    const auto list = [](const Lengths& lengths) {
      std::string text;
      for (const auto n : lengths)
        text += (text.empty() ? "" : ",") + std::to_string(n);
      return "[" + text + "]";
    };
    return R"({"zarr_format": 2, "compressor": null, "filters": null, "fill_value": 0,)"
           R"("dtype": "<u2", "shape": )" +
           list(shape) + ", \"chunks\": " + list(chunks) + ", \"order\": \"" + order +
           "\"}";
  }

  std::vector<std::byte> chunk(const std::string& key) const {
    Lengths corner;
    for (std::size_t at = 0; corner.size() < shape.size();) {
      corner.push_back(std::stoull(key.substr(at)) * chunks[corner.size()]);
      at = key.find('.', at) + 1;
    }
    std::uint64_t count = 1;
    for (const auto n : chunks) count *= n;
    std::vector<std::byte> out(static_cast<std::size_t>(count) * 2);
    for (std::uint64_t n = 0; n < count; ++n) {
      Lengths at = corner;
      std::uint64_t rest = n;
      for (std::size_t i = 0; i < at.size(); ++i) {
        const auto axis = order == 'F' ? i : at.size() - 1 - i;
        at[axis] += rest % chunks[axis];
        rest /= chunks[axis];
      }
      store_le(out.data() + 2 * n, place(at));
    }
    return out;
  }

  std::uint16_t place(const Lengths& at) const {
    std::uint64_t place = 0;
    for (std::size_t i = 0; i < at.size(); ++i) place = place * shape[i] + at[i];
    return static_cast<std::uint16_t>(place);
  }
};

/// Reads a selection of the grid with the host's loop, by the requested ranges.
template <class Selection>
Elements read(const Grid& grid, const Selection& select) {
  store::Store store(std::size_t{16} << 20);
  for (const auto* key : {".zgroup", ".zattrs", ".zmetadata", "zarr.json"}) {
    store.supply_absent(key);
  }
  const auto meta = grid.meta();
  const auto text = std::as_bytes(std::span(meta));
  store.supply({".zarray"}, std::vector<std::byte>(text.begin(), text.end()));
  store::Plan plan(store, "fuzz");
  for (int round = 0; round < 8; ++round) {
    plan.begin();
    store::Reader reader(store, plan);
    const auto& array = **reader.array("");
    const auto selection = select(array);
    std::size_t inner = 1;
    if constexpr (requires { selection.indices; }) {
      for (std::size_t i = 1; i < grid.shape.size(); ++i)
        inner *= static_cast<std::size_t>(grid.shape[i]);
    }
    Elements out(selection.count * inner);
    const std::array slots{
        zarr::ColumnSlot{0, 2, std::as_writable_bytes(std::span(out))}};
    if (reader.read(array, selection, slots)) return out;
    for (const auto& request : plan.finish()) {
      const auto chunk = grid.chunk(request.key);
      const auto range = request.range.value_or(ByteRange{0, chunk.size()});
      const auto end = std::min<std::uint64_t>(range.end, chunk.size());
      const auto at = [&](std::uint64_t place) {
        return chunk.begin() + static_cast<std::ptrdiff_t>(std::min(place, end));
      };
      store.supply(request, std::vector<std::byte>(at(range.begin), at(end)));
    }
  }
  throw std::logic_error("a selection is asked for without end");
}

/// Returns the elements selected by one list per axis, in C order.
Elements expected_of(const Grid& grid, const std::vector<Rows>& lists) {
  Elements out;
  std::uint64_t count = 1;
  for (const auto& list : lists) count *= list.size();
  for (std::uint64_t n = 0; n < count; ++n) {
    Lengths at(lists.size());
    std::uint64_t rest = n;
    for (std::size_t i = lists.size(); i-- > 0;) {
      at[i] = lists[i][static_cast<std::size_t>(rest % lists[i].size())];
      rest /= lists[i].size();
    }
    out.push_back(grid.place(at));
  }
  return out;
}

Rows all_of(std::uint64_t length) {
  Rows rows(static_cast<std::size_t>(length));
  std::iota(rows.begin(), rows.end(), std::uint64_t{0});
  return rows;
}

/// Returns every step-th row from `begin` on, ascending or descending, before `end`.
Rows stepped(std::uint64_t length, Wide begin, Wide end, Wide step) {
  Rows rows;
  for (Wide at = begin; step > 0 ? at < end : at > end; at += step) {
    if (at < 0 || at >= static_cast<Wide>(length)) break;
    rows.push_back(static_cast<std::uint64_t>(at));
  }
  return rows;
}

Rows listed(const store::AxisSlice& slice, std::uint64_t axis) {
  const Wide length = axis;
  const auto from_end = [&](std::int64_t n) { return n < 0 ? n + length : Wide{n}; };
  if (slice.index) return {static_cast<std::uint64_t>(from_end(*slice.index))};
  const Wide low = slice.step > 0 ? 0 : -1;
  const Wide high = slice.step > 0 ? length : length - 1;
  const auto bound = [&](std::optional<std::int64_t> given, Wide otherwise) {
    return given ? std::clamp(from_end(*given), low, high) : otherwise;
  };
  const bool up = slice.step > 0;
  return stepped(axis, bound(slice.begin, up ? low : high),
                 bound(slice.end, up ? high : low), slice.step);
}

void range_of_rows(const Grid& grid, Input& input) {
  const auto begin = input.number();
  const auto end = input.byte() % 4 == 0 ? store::kToEnd : input.number();
  const auto step = input.number();
  const auto length = grid.shape[0];
  const auto got = read(grid, [&](const store::Array& array) {
    return store::RowSelection::range("fuzz", array.length(), begin, end, step);
  });
  const Wide last = step < 0 ? Wide{-1} : Wide{length};
  const Wide first = step < 0 && begin == store::kToEnd ? Wide{length} - 1 : begin;
  std::vector<Rows> lists{
      stepped(length, first, end == store::kToEnd ? last : Wide{end}, step)};
  for (std::size_t i = 1; i < grid.shape.size(); ++i)
    lists.push_back(all_of(grid.shape[i]));
  hold_for(got == expected_of(grid, lists), "a range differs from its rows");
}

void list_of_rows(const Grid& grid, Input& input, bool is_mask) {
  std::vector<std::int64_t> rows;
  std::vector<std::uint8_t> mask(static_cast<std::size_t>(grid.shape[0]));
  for (auto& one : mask) one = static_cast<std::uint8_t>(input.byte());
  while (!is_mask && !input.empty()) rows.push_back(input.number());
  if (is_mask && input.byte() % 8 == 0) mask.push_back(1);
  if (is_mask) rows = store::rows_where("fuzz", grid.shape[0], mask);
  const auto got = read(grid, [&](const store::Array& array) {
    return store::RowSelection::list("fuzz", array.length(), rows);
  });
  std::vector<Rows> lists{{rows.begin(), rows.end()}};
  for (std::size_t i = 1; i < grid.shape.size(); ++i)
    lists.push_back(all_of(grid.shape[i]));
  hold_for(got == expected_of(grid, lists), "a list differs from its rows");
}

void box_of_elements(const Grid& grid, Input& input) {
  std::vector<store::AxisSlice> slices(input.byte() % 4);
  for (auto& slice : slices) {
    const auto given = input.byte();
    if ((given & 1) != 0) slice.begin = input.number();
    if ((given & 2) != 0) slice.end = input.number();
    if ((given & 4) != 0) slice.step = input.number();
    if ((given & 24) == 24) slice.index = input.number();
  }
  const auto got = read(grid, [&](const store::Array& array) {
    return store::BoxSelection::of(array.name(), array.meta.shape, slices);
  });
  std::vector<Rows> lists;
  for (std::size_t i = 0; i < grid.shape.size(); ++i) {
    lists.push_back(i < slices.size() ? listed(slices[i], grid.shape[i])
                                      : all_of(grid.shape[i]));
  }
  hold_for(got == expected_of(grid, lists), "a box differs from its elements");
}

}  // namespace

void selection_target(std::span<const std::byte> bytes) {
  Input input(bytes);
  const auto kind = input.byte() % 4;
  const Grid grid(input);
  try {
    if (kind == 0) return range_of_rows(grid, input);
    if (kind == 3) return box_of_elements(grid, input);
    list_of_rows(grid, input, kind == 2);
  } catch (const Error& error) {
    const auto code = error.code();
    hold_for(code == Errc::invalid_argument || code == Errc::out_of_range ||
                 code == Errc::limit_exceeded,
             "a selection is refused for what it is not");
  }
}

}  // namespace bev::test
