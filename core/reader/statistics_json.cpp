#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/json_tree.hpp"
#include "core/reader/compare.hpp"
#include "core/reader/filter_lexer.hpp"
#include "core/reader/scalar_text.hpp"
#include "core/reader/statistics.hpp"
#include "core/zarr/crc32c.hpp"
#include "core/zarr/json_view.hpp"

namespace bev::reader {

using nlohmann::json;
using zarr::JsonView;
using zarr::Number;

/// Reads and writes the file's text:
///
///   {"version": 1, "arrays": {"agents": {
///     "length": 2049557, "chunk_rows": 20000, "dtype": [["centroid", "<f8", [2]], ...],
///     "fields": [["centroid", 2], ["track_id", 1]],
///     "chunks": [{"chunk": 0, "size": 91230, "checksum": 4023233417, "validator": "",
///       "limits": [[[-12.5, 80.0, 0], [3.0, 4.5, 0]], [[1, 517, 0]]]}]}}}
///
/// An element's limits are minimum, maximum and number of NaN; of unsigned bytes below
/// 64 also a number whose bit i tells whether i occurs. Limits of a string field are its
/// distinct strings; null if they are not kept. Integers beyond 2^53 and infinities are
/// strings. Derived columns, such as label, are fields after those of the dtype.
///
/// With "keys": ["track_id"] in the array, a chunk has "sets": {"1": [[1, 9], [12, 12]]},
/// by number of the field: the integers that occur, as runs, or strings if they are more
/// than the limits hold. ,"crc32c":N} at the end is the checksum of the text before it.
class StatisticsText {
 public:
  static std::string write(const Statistics& statistics);
  static Statistics read(JsonView root);

  using Entry = Statistics::Entry;
  using Chunk = Statistics::Chunk;

  static void write(const Entry& entry, std::string& out);

  /// Returns what of a chunk does not depend on the host.
  static std::string contents(const Chunk& chunk);

 private:
  using FieldLimits = Statistics::FieldLimits;

  static void write(const Chunk& chunk, std::string& out);
  static void write(const FieldLimits& limits, std::string& out);
  static void write_set(const FieldLimits& limits, std::string& out);

  explicit StatisticsText(std::string path) : path_(std::move(path)) {}

  Entry head(JsonView from) const;
  std::vector<Statistics::FieldInfo> fields(JsonView from) const;
  Chunk chunk(JsonView from, const Entry& entry);
  FieldLimits limits(JsonView from, std::size_t elements) const;
  std::vector<std::string> texts(JsonView from, std::size_t most) const;
  void read_set(JsonView from, FieldLimits& limits) const;
  Limits element(JsonView from) const;
  std::uint64_t codes(JsonView from, const Limits& limits) const;
  Number number(JsonView from) const;
  std::uint64_t count(JsonView from, std::string_view name, std::uint64_t max) const;
  [[noreturn]] void refuse(std::string_view name, JsonView found,
                           std::string_view expected) const;

  std::string path_;
  std::optional<std::size_t> chunk_;  // position in the list
};

namespace {

constexpr std::uint64_t kAnyCount = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kVersion = 1;
constexpr std::string_view kChecksum = ",\"crc32c\":";

/// Returns the end of a file whose text before it is given.
std::string end_after(std::string_view text) {
  const auto sum = zarr::crc32c(std::as_bytes(std::span(text.data(), text.size())));
  return std::string(kChecksum) + std::to_string(sum) + "}\n";
}

/// Refuses a damaged text. Texts of earlier versions have no checksum.
void check_checksum(std::string_view text) {
  const auto at = text.rfind(kChecksum);
  if (at == text.npos || text.substr(at) == end_after(text.substr(0, at))) return;
  fail_at(Errc::invalid_metadata, Statistics::kKey, {"damaged (another checksum)"});
}

void write_text(std::string_view text, std::string& out) {
  out += json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

void write_number(const Number& number, std::string& out) {
  const bool is_plain = number.kind == Number::Kind::real ? std::isfinite(number.real)
                                                          : is_exact_in_json(number);
  if (!is_plain) out += '"';
  out += number_text(number);
  if (!is_plain) out += '"';
}

void separate(std::string& out) {
  if (out.back() != '[' && out.back() != '{') out += ',';
}

}  // namespace

void StatisticsText::write(const FieldLimits& limits, std::string& out) {
  const bool is_set = limits.texts && limits.texts->size() > kMaxTexts;
  if (limits.elements.empty() && (!limits.texts || is_set)) {
    out += "null";
    return;
  }
  out += '[';
  if (limits.texts) {
    for (const auto& text : *limits.texts) {
      separate(out);
      write_text(text, out);
    }
  }
  for (const auto& one : limits.elements) {
    separate(out);
    out += '[';
    if (one.has_value) {
      write_number(one.min, out);
      out += ',';
      write_number(one.max, out);
    } else {
      out += "null,null";
    }
    out += ',' + std::to_string(one.nan_count);
    if (one.codes != 0) {
      out += ',';
      write_number({Number::Kind::unsigned_int, one.codes, 0}, out);
    }
    out += ']';
  }
  out += ']';
}

/// Writes what the limits do not say of a key: runs of integers, or many strings.
void StatisticsText::write_set(const FieldLimits& limits, std::string& out) {
  out += '[';
  for (const auto& [first, last] : limits.runs) {
    separate(out);
    out += '[';
    write_number(first, out);
    out += ',';
    write_number(last, out);
    out += ']';
  }
  if (limits.runs.empty()) {
    for (const auto& text : *limits.texts) {
      separate(out);
      write_text(text, out);
    }
  }
  out += ']';
}

void StatisticsText::write(const Chunk& chunk, std::string& out) {
  out += ",\"limits\":[";
  for (const auto& limits : chunk.fields) {
    separate(out);
    write(limits, out);
  }
  out += ']';
  bool has_sets = false;
  for (std::size_t i = 0; i < chunk.fields.size(); ++i) {
    const auto& limits = chunk.fields[i];
    if (limits.runs.empty() && (!limits.texts || limits.texts->size() <= kMaxTexts)) {
      continue;
    }
    out += std::exchange(has_sets, true) ? "," : ",\"sets\":{";
    out += '"' + std::to_string(i) + "\":";
    write_set(limits, out);
  }
  if (has_sets) out += '}';
}

std::string StatisticsText::contents(const Chunk& chunk) {
  auto out = std::to_string(chunk.identity.size) + "," +
             std::to_string(chunk.identity.checksum);
  write(chunk, out);
  return out;
}

void StatisticsText::write(const Entry& entry, std::string& out) {
  out += "{\"length\":" + std::to_string(entry.array.length);
  out += ",\"chunk_rows\":" + std::to_string(entry.array.chunk_rows);
  out += ",\"dtype\":" + entry.array.dtype + ",\"fields\":[";
  for (const auto& field : entry.fields) {
    separate(out);
    out += '[';
    write_text(field.name, out);
    out += ',' + std::to_string(field.elements) + ']';
  }
  if (!entry.keys.empty()) {
    out += "],\"keys\":[";
    for (const auto& key : entry.keys) {
      separate(out);
      write_text(key, out);
    }
  }
  out += "],\"chunks\":[";
  for (const auto& [number, chunk] : entry.chunks) {
    out += out.back() == '[' ? "\n" : ",\n";
    out += "{\"chunk\":" + std::to_string(number);
    out += ",\"size\":" + std::to_string(chunk.identity.size);
    out += ",\"checksum\":" + std::to_string(chunk.identity.checksum);
    out += ",\"validator\":";
    write_text(chunk.identity.validator, out);
    write(chunk, out);
    out += '}';
    if (out.size() > Statistics::kMaxBytes) {
      fail_at(Errc::limit_exceeded, Statistics::kKey,
              {"too long (limit ", Statistics::kMaxBytes, " bytes)"});
    }
  }
  out += "]}";
}

std::string StatisticsText::write(const Statistics& statistics) {
  std::string out = "{\"version\":" + std::to_string(kVersion) + ",\"arrays\":{";
  for (const auto& [path, entry] : statistics.arrays_) {
    out += out.back() == '{' ? "\n" : ",\n";
    write_text(path, out);
    out += ':';
    write(entry, out);
  }
  out += '}';
  return out + end_after(out);
}

void StatisticsText::refuse(std::string_view name, JsonView found,
                            std::string_view expected) const {
  fail_at(Errc::invalid_metadata, Statistics::kKey,
          {path_, chunk_ ? ".chunks[" + std::to_string(*chunk_) + "]" : "", ".", name,
           ": unexpected value (found ", shortened(found.dump()), ", expected ",
           expected, ")"});
}

std::uint64_t StatisticsText::count(JsonView from, std::string_view name,
                                    std::uint64_t max) const {
  const auto value = from[name].count();
  if (!value || *value > max) {
    refuse(name, from[name],
           max == kAnyCount ? "a count" : joined({"a count up to ", max}));
  }
  return *value;
}

Number StatisticsText::number(JsonView from) const {
  if (const auto value = from.count()) return {Number::Kind::unsigned_int, *value, 0};
  if (const auto value = from.integer()) {
    return {Number::Kind::signed_int, static_cast<std::uint64_t>(*value), 0};
  }
  if (const auto value = from.number()) return {Number::Kind::real, 0, *value};
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (from.is("inf")) return {Number::Kind::real, 0, infinity};
  if (from.is("-inf")) return {Number::Kind::real, 0, -infinity};
  const auto integer = parse_integer(from.text().value_or(""));
  if (!integer) refuse("limits", from, "a number");
  return *integer;
}

std::uint64_t StatisticsText::codes(JsonView from, const Limits& limits) const {
  constexpr auto kUnsigned = Number::Kind::unsigned_int;
  const auto set = number(from.at(3));
  const bool fits =
      set.kind == kUnsigned && set.bits != 0 && limits.min.kind == kUnsigned &&
      limits.max.kind == kUnsigned &&
      limits.min.bits == static_cast<std::uint64_t>(std::countr_zero(set.bits)) &&
      limits.max.bits == static_cast<std::uint64_t>(std::bit_width(set.bits)) - 1;
  if (!fits) refuse("limits", from, "a set of values from minimum to maximum");
  return set.bits;
}

Limits StatisticsText::element(JsonView from) const {
  const auto nan_count = from.at(2).count();
  if ((from.size() != 3 && from.size() != 4) || !nan_count) {
    refuse("limits", from, "minimum, maximum and number of NaN");
  }
  if (from.size() == 3 && from.at(0).is_null() && from.at(1).is_null()) {
    return {{}, {}, *nan_count, false};
  }
  Limits out{number(from.at(0)), number(from.at(1)), *nan_count, true};
  if (compare(out.min, out.max).value_or(1) > 0) {
    refuse("limits", from, "a minimum up to the maximum");
  }
  if (from.size() == 4) out.codes = codes(from, out);
  return out;
}

std::vector<std::string> StatisticsText::texts(JsonView from, std::size_t most) const {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const auto text = from.at(i).text();
    if (!text || text->size() > kMaxTextBytes || out.size() == most ||
        (!out.empty() && out.back() >= *text)) {
      refuse("limits", from, joined({"up to ", most, " short strings, sorted"}));
    }
    out.emplace_back(*text);
  }
  return out;
}

Statistics::FieldLimits StatisticsText::limits(JsonView from,
                                               std::size_t elements) const {
  FieldLimits out;
  if (from.is_null()) return out;
  if (!from.is_list()) refuse("limits", from, "limits or null");
  if (from.at(0).text() || from.size() == 0) {
    out.texts = texts(from, kMaxTexts);
    return out;
  }
  if (from.size() != elements) {
    refuse("limits", from, joined({"limits of ", elements, " elements"}));
  }
  for (std::size_t i = 0; i < elements; ++i)
    out.elements.push_back(element(from.at(i)));
  return out;
}

void StatisticsText::read_set(JsonView from, FieldLimits& limits) const {
  if (!from.is_list() || from.size() == 0) refuse("sets", from, "a list of values");
  if (limits.elements.empty()) {
    limits.texts = texts(from, Statistics::kMaxKeyTexts);
    return;
  }
  for (std::size_t i = 0; i < from.size(); ++i) {
    const auto one = from.at(i);
    if (!one.is_list() || one.size() != 2)
      refuse("sets", one, "a first and last value");
    const ValueRun run{number(one.at(0)), number(one.at(1))};
    const bool follows =
        limits.runs.empty() || compare(limits.runs.back().last, run.first) == -1;
    if (!follows || compare(run.first, run.last).value_or(1) > 0) {
      refuse("sets", one, "values in ascending order");
    }
    limits.runs.push_back(run);
  }
  const auto& all = limits.elements.front();
  if (limits.elements.size() != 1 || compare(limits.runs.front().first, all.min) != 0 ||
      compare(limits.runs.back().last, all.max) != 0) {
    refuse("sets", from, "values from minimum to maximum");
  }
}

std::vector<Statistics::FieldInfo> StatisticsText::fields(JsonView from) const {
  if (!from.is_list() || from.size() > Statistics::kMaxFields) {
    refuse("fields", from, joined({"at most ", Statistics::kMaxFields, " fields"}));
  }
  std::vector<Statistics::FieldInfo> out;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const auto field = from.at(i);
    const auto name = field.at(0).text();
    const auto elements = field.at(1).count();
    if (field.size() != 2 || !name || !elements || *elements == 0 ||
        *elements > Statistics::kMaxElements) {
      refuse("fields", field,
             joined({"a name and 1 to ", Statistics::kMaxElements, " elements"}));
    }
    out.push_back({std::string(*name), static_cast<std::size_t>(*elements)});
  }
  return out;
}

Statistics::Chunk StatisticsText::chunk(JsonView from, const Entry& entry) {
  const auto validator = from["validator"].text();
  if (!validator) refuse("validator", from["validator"], "a string");
  constexpr auto kMaxChecksum = std::numeric_limits<std::uint32_t>::max();
  Chunk out;
  out.identity = {count(from, "size", kAnyCount),
                  static_cast<std::uint32_t>(count(from, "checksum", kMaxChecksum)),
                  std::string(*validator)};
  const auto all = from["limits"];
  if (!all.is_list() || all.size() != entry.fields.size()) {
    refuse("limits", all, joined({"limits of ", entry.fields.size(), " fields"}));
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    out.fields.push_back(limits(all.at(i), entry.fields[i].elements));
    const auto set = from["sets"][std::to_string(i)];
    if (set) read_set(set, out.fields.back());
  }
  return out;
}

Statistics::Entry StatisticsText::head(JsonView from) const {
  Entry out;
  out.array.length = count(from, "length", kAnyCount);
  out.array.chunk_rows = count(from, "chunk_rows", kAnyCount);
  if (out.array.chunk_rows == 0) refuse("chunk_rows", from["chunk_rows"], "at least 1");
  if (!from["dtype"]) refuse("dtype", from["dtype"], "a dtype");
  out.array.dtype = from["dtype"].dump();
  out.fields = fields(from["fields"]);
  const auto keys = from["keys"];
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto name = keys.at(i).text();
    if (!name || i == Statistics::kMaxFields || (i > 0 && out.keys.back() >= *name)) {
      refuse("keys", keys, "names of fields, sorted");
    }
    out.keys.emplace_back(*name);
  }
  if (!from["chunks"].is_list()) refuse("chunks", from["chunks"], "a list");
  return out;
}

Statistics StatisticsText::read(JsonView root) {
  StatisticsText text("statistics");
  const auto arrays = root["arrays"];
  if (!arrays.is_object() || arrays.json().size() > Statistics::kMaxArrays) {
    text.refuse("arrays", arrays,
                joined({"an object of at most ", Statistics::kMaxArrays, " arrays"}));
  }
  Statistics out;
  for (const auto& [path, from] : arrays.json().items()) {
    text.path_ = joined({"arrays[", in_quotes(path), "]"});
    text.chunk_.reset();
    auto& entry = out.arrays_.emplace(path, text.head(from)).first->second;
    const auto& array = entry.array;
    const auto count =
        array.length / array.chunk_rows + (array.length % array.chunk_rows != 0);
    const JsonView chunks = JsonView(from)["chunks"];
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      text.chunk_ = i;
      const auto number = chunks.at(i)["chunk"].count();
      const auto least = entry.chunks.empty() ? 0 : entry.chunks.rbegin()->first + 1;
      if (!number || *number < least || *number >= count) {
        text.refuse("chunk", chunks.at(i)["chunk"],
                    joined({"a chunk from ", least, " to below ", count}));
      }
      out.insert(entry, *number, text.chunk(chunks.at(i), entry));
    }
  }
  return out;
}

Statistics Statistics::parse(std::string_view text) {
  if (text.size() > kMaxBytes) {
    fail_at(Errc::limit_exceeded, kKey,
            {"too long (found ", text.size(), " bytes, limit ", kMaxBytes, ")"});
  }
  check_checksum(text);
  bool too_deep = false;
  const auto tree = parse_json_tree(text, too_deep);
  if (!tree) fail_at(Errc::invalid_metadata, kKey, {"not JSON"});
  const JsonView root(*tree);
  const auto version = root["version"].count();
  if (!version) fail_at(Errc::invalid_metadata, kKey, {"\"version\" is missing"});
  if (*version != kVersion) {
    fail_at(Errc::unsupported, kKey,
            {"unknown version (found ", *version, ", expected ", kVersion, ")"});
  }
  return StatisticsText::read(root);
}

std::vector<std::uint64_t> Statistics::differences(const Statistics& other,
                                                   std::string_view path) const {
  const Entry none;
  const auto* ours = entry(path);
  const auto* theirs = other.entry(path);
  if (ours == nullptr) ours = &none;
  if (theirs == nullptr) theirs = &none;
  std::vector<std::uint64_t> out;
  for (const auto& [number, chunk] : ours->chunks) {
    const auto found = theirs->chunks.find(number);
    if (found == theirs->chunks.end() || ours->fields != theirs->fields ||
        StatisticsText::contents(chunk) != StatisticsText::contents(found->second)) {
      out.push_back(number);
    }
  }
  for (const auto& [number, chunk] : theirs->chunks) {
    if (!ours->chunks.contains(number)) out.push_back(number);
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::size_t Statistics::json_bytes(std::string_view path) const {
  const auto* one = entry(path);
  std::string out;
  if (one != nullptr) StatisticsText::write(*one, out);
  return out.size();
}

std::string Statistics::to_json() const {
  return StatisticsText::write(*this);
}

}  // namespace bev::reader
