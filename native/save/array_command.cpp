#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/secrets.hpp"
#include "core/save/array_spec.hpp"
#include "core/save/writable_array.hpp"
#include "core/store/box_selection.hpp"
#include "core/zarr/column.hpp"
#include "core/zarr/fill_value.hpp"
#include "native/cat/selection.hpp"
#include "native/cli/arguments.hpp"
#include "native/cli/commands.hpp"
#include "native/cli/output.hpp"
#include "native/export/npy.hpp"
#include "native/files/file.hpp"
#include "native/save/array_stores.hpp"

namespace bev::native {
namespace {

using Words = std::vector<std::string>;
using save::WritableArray;

cli::Usage array_usage() {
  return {
      .command = "array",
      .synopsis = "create|assign|append|resize ARRAY [FILE.npy] [OPTION]...",
      .summary = "Creates and changes arrays.",
      .description =
          "  create ARRAY --shape N,.. --dtype CODE   creates an array\n"
          "  assign ARRAY FILE.npy --at A:B,..        changes elements\n"
          "  append ARRAY FILE.npy                    appends rows\n"
          "  resize ARRAY N,..                        changes the length of the axes\n"
          "\n"
          "ARRAY is a path in a zarr store, STORE/NAME, or a store that is an array; "
          "in\n"
          "a folder or in S3. Only chunks with changed elements are read and written,\n"
          "each at once. Other programs of bevscope may read and write the array at "
          "the\n"
          "same time: what they assign elsewhere is kept. See docs/arrays.md.",
      .options =
          {
              {"shape", "N,..", "create: length of each axis; \"\" for none."},
              {"dtype", "CODE",
               "create: NumPy's code, <f4, or the fields of a record as JSON."},
              {"chunks", "N,..",
               "create: length of a chunk along each axis. Default: one chunk, of at\n"
               "most 1 MiB by fewer rows."},
              {"codec", "NAME",
               "create: none, zlib, gzip, zstd, lz4, or Blosc with blosc:lz4,\n"
               "blosc:lz4hc, blosc:blosclz, blosc:zlib, blosc:zstd.\n"
               "Default: blosc:lz4."},
              {"level", "N", "create: of the codec."},
              {"fill", "JSON", "create: what elements are by default. Default: 0."},
              {"order", "C|F", "create: of the elements in a chunk. Default: C."},
              {"zarr-format", "N", "create: version 2 or 3. Default: 2."},
              {"replace", "", "create: in place of an existing array."},
              {"at", "A:B,..",
               "assign: a slice or an index per axis. Default: all elements."},
              {"field", "NAME", "assign: only this field of records."},
              {"value", "JSON", "assign: this value instead of those of a file."},
              {"quiet", "", "Do not print the result."},
          },
      .examples =
          "  bevscope array create d.zarr/speed --shape 0,3 --dtype '<f4' --chunks "
          "1000,3\n"
          "  bevscope array append d.zarr/speed more.npy\n"
          "  bevscope array assign d.zarr/speed new.npy --at 100:200,0",
  };
}

/// Options of each action.
const std::vector<std::pair<std::string, Words>>& actions() {
  static const std::vector<std::pair<std::string, Words>> known{
      {"create",
       {"shape", "dtype", "chunks", "codec", "level", "fill", "order", "zarr-format",
        "replace"}},
      {"assign", {"at", "field", "value"}},
      {"append", {}},
      {"resize", {}},
  };
  return known;
}

std::vector<std::uint64_t> lengths_of(const std::string& text,
                                      const std::string& what) {
  std::vector<std::uint64_t> out;
  constexpr long long kMax = std::numeric_limits<long long>::max();
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find(',', at), text.size());
    out.push_back(static_cast<std::uint64_t>(
        cli::whole_number(text.substr(at, end - at), what, 0, kMax)));
    at = end + 1;
  }
  return out;
}

/// The array of an .npy file.
struct NpyValues {
  NpyHead head;
  std::vector<std::byte> bytes;
};

NpyValues npy_values(const std::string& path) {
  const auto file = File::open(path, path);
  if (!file) fail_at(Errc::not_found, path, {"not found"});
  std::vector<std::byte> bytes(static_cast<std::size_t>(file->size()));
  if (file->read_at(0, bytes) != bytes.size()) {
    fail_at(Errc::changed, path, {"truncated while it was read"});
  }
  const auto known = std::min(bytes.size(), kLongestNpyHead);
  auto head = read_npy_head(std::span(bytes).first(known), path);
  bytes.erase(bytes.begin(),
              bytes.begin() + static_cast<std::ptrdiff_t>(head.data_offset));
  return {std::move(head), std::move(bytes)};
}

std::string lengths_text(std::span<const std::uint64_t> shape) {
  std::string out;
  for (const auto length : shape) {
    out += (out.empty() ? "" : ", ") + std::to_string(length);
  }
  return "(" + out + ")";
}

/// Checks that values are of the type and the shape that the array takes.
void check_values(const std::string& file, const NpyHead& head, const zarr::DType& type,
                  std::vector<std::uint64_t> shape) {
  shape.insert(shape.end(), type.shape.begin(), type.shape.end());
  auto item = type;
  item.shape = {};
  if (!(head.type == item)) {
    fail_at(Errc::invalid_argument, file,
            {"wrong dtype (found ", zarr::to_string(head.type), ", expected ",
             zarr::to_string(item), ")"});
  }
  if (head.shape == shape) return;
  fail_at(Errc::invalid_argument, file,
          {"wrong shape (found ", lengths_text(head.shape), ", expected ",
           lengths_text(shape), ")"});
}

void create_in(const std::string& path, const cli::Arguments& arguments) {
  const auto shape = arguments.value("shape");
  const auto dtype = arguments.value("dtype");
  if (!shape || !dtype) throw cli::UsageError("create needs --shape and --dtype");
  std::optional<int> level;
  if (const auto given = arguments.value("level")) {
    level = static_cast<int>(cli::whole_number(*given, "--level", -10, 100));
  }
  const auto order = arguments.choice("order", {"C", "F"});
  const auto format = arguments.value("zarr-format").value_or("2");
  const auto meta = save::array_spec(
      lengths_of(*shape, "--shape"), *dtype,
      lengths_of(arguments.value("chunks").value_or(""), "--chunks"),
      arguments.value("codec").value_or("blosc:lz4"), level,
      arguments.value("fill").value_or("0"), order[0],
      static_cast<int>(cli::whole_number(format, "--zarr-format", 2, 3)));
  const auto place = array_place(path);
  const bool replace = arguments.has("replace");
  const bool is_new = WritableArray::create(
      *place.store, place.array, meta,
      replace ? WritableArray::Existing::replace : WritableArray::Existing::keep);
  if (is_new || replace) return;
  fail_at(Errc::invalid_argument, path, {"already exists (see --replace)"});
}

/// The part of the elements that --field names.
zarr::Column field_of_array(const zarr::ArrayMeta& meta,
                            const cli::Arguments& arguments) {
  const auto field = arguments.value("field");
  if (!field) return {"", 0, meta.dtype};
  return zarr::columns_of(meta.dtype, std::span(&*field, 1)).front();
}

void assign_in(WritableArray& array, const cli::Arguments& arguments,
               const std::optional<std::string>& file) {
  const auto value = arguments.value("value");
  const auto at = arguments.value("at");
  const auto slices = at ? parse_axis_slices(*at) : std::vector<store::AxisSlice>();
  const auto selected = store::BoxSelection::of("array", array.meta().shape, slices);
  const auto [name, offset, type] = field_of_array(array.meta(), arguments);
  std::vector<std::byte> bytes;
  if (file) {
    auto values = npy_values(*file);
    check_values(*file, values.head, type,
                 {selected.shape.begin(), selected.shape.end()});
    bytes = std::move(values.bytes);
  } else {
    auto item = type;
    item.shape = {};
    const auto element =
        zarr::parse_fill_value(zarr::parse_json(*value, "--value"), item, "--value");
    bytes.resize(selected.count * type.size());
    for (std::size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = element[i % element.size()];
  }
  array.assign({{selected.box}, {{{offset, type.size()}, bytes, {}}}});
}

void append_to(WritableArray& array, const std::string& file) {
  const auto values = npy_values(file);
  auto shape = array.meta().shape;
  if (!shape.empty() && !values.head.shape.empty()) shape[0] = values.head.shape[0];
  check_values(file, values.head, array.meta().dtype, shape);
  array.append(values.bytes);
}

const Words& options_of_action(const std::string& action) {
  for (const auto& [name, options] : actions()) {
    if (name == action) return options;
  }
  throw cli::UsageError("unknown action " + action +
                        " (expected create, assign, append or resize)");
}

}  // namespace

int array_main(std::span<const std::string> words) {
  const auto usage = array_usage();
  const auto arguments = cli::parse_arguments(usage, words);
  if (arguments.has("help")) {
    cli::print(cli::help_text(usage));
    return 0;
  }
  const auto& operands = arguments.operands();
  if (operands.size() < 2) throw cli::UsageError("expected an action and ARRAY");
  const auto& action = operands[0];
  const auto& path = operands[1];
  const auto& own = options_of_action(action);
  for (const auto& option : usage.options) {
    const bool fits = option.name == "quiet" ||
                      std::find(own.begin(), own.end(), option.name) != own.end();
    if (arguments.has(option.name) && !fits) {
      throw cli::UsageError("--" + option.name + " does not go with " + action);
    }
  }
  const bool takes_two = action == "append" || action == "resize";
  const bool takes_any = action == "assign";
  const auto third = operands.size() > 2 ? std::optional(operands[2]) : std::nullopt;
  if (operands.size() > 3 || (takes_two && !third) ||
      (!takes_two && !takes_any && third)) {
    throw cli::UsageError("wrong number of arguments for " + action);
  }
  if (action == "assign" && arguments.has("value") == third.has_value()) {
    throw cli::UsageError("assign needs FILE.npy or --value");
  }
  if (action == "create") create_in(path, arguments);
  const auto place = array_place(path);
  WritableArray array(*place.store, place.array);
  if (action == "assign") assign_in(array, arguments, third);
  if (action == "append") append_to(array, *third);
  if (action == "resize") array.resize(lengths_of(*third, "resize"));
  if (!arguments.has("quiet")) {
    cli::print(without_secrets(path) + ": " + lengths_text(array.meta().shape) + " " +
               zarr::to_string(array.meta().dtype) + "\n");
  }
  return 0;
}

}  // namespace bev::native
