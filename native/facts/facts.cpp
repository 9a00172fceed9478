#include "native/facts/facts.hpp"

#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/base/json_tree.hpp"
#include "core/engine/host_loop.hpp"
#include "core/facts/light_at_entry.hpp"
#include "core/scan/read_facts.hpp"
#include "core/zarr/dtype.hpp"
#include "native/facts/versions.hpp"
#include "native/source/read_options.hpp"

namespace bev::native {
namespace {

/// Packs columns of facts to records. Integers that stand for names are written as
/// names.
class FactRecords {
 public:
  explicit FactRecords(facts::TableKind kind) : columns_(facts::columns_of(kind)) {
    layout_.row.kind = zarr::Kind::record;
    layout_.count = 0;
    for (const auto& column : columns_) {
      zarr::Field field;
      field.name = column.name;
      field.offset = layout_.row.item_size;
      field.type = type_of(column);
      layout_.row.item_size += field.type.size();
      layout_.row.fields.push_back(std::move(field));
    }
  }

  RowLayout layout(std::uint64_t count) const {
    auto out = layout_;
    out.count = count;
    return out;
  }

  std::span<const std::byte> pack(const facts::FactTable& table) {
    const auto row_size = layout_.row.item_size;
    packed_.assign(table.rows * row_size, std::byte{0});
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const auto& field = layout_.row.fields[i];
      const auto size = table.rows == 0 ? 0 : table.columns[i].size() / table.rows;
      for (std::size_t row = 0; row < table.rows; ++row) {
        auto* to = packed_.data() + row * row_size + field.offset;
        const auto* from = table.columns[i].data() + row * size;
        if (columns_[i].names.empty()) {
          std::memcpy(to, from, size);
        } else {
          put_name(columns_[i].names[std::to_integer<std::size_t>(*from)], to);
        }
      }
    }
    return packed_;
  }

 private:
  static zarr::DType type_of(const facts::FactColumn& column) {
    std::string code(column.dtype);
    if (!column.names.empty()) {
      std::size_t longest = 1;
      for (const auto name : column.names) longest = std::max(longest, name.size());
      code = "<U" + std::to_string(longest);
    }
    const nlohmann::json text(code);
    return zarr::parse_dtype(text, "facts");
  }

  /// Writes an ASCII name as UCS-4.
  static void put_name(std::string_view name, std::byte* to) {
    for (const char letter : name) {
      store_le(to, static_cast<std::uint32_t>(letter));
      to += 4;
    }
  }

  std::span<const facts::FactColumn> columns_;
  RowLayout layout_;
  std::vector<std::byte> packed_;
};

/// Consecutive scenes.
struct SceneRun {
  std::uint64_t begin = 0;
  std::optional<std::uint64_t> end = std::nullopt;  ///< nullopt: to the last
};

[[noreturn]] void fail_unknown_tag(const std::string& tag,
                                   const std::set<std::string>& known) {
  constexpr std::size_t kShown = 10;
  std::string names;
  std::size_t count = 0;
  for (const auto& name : known) {
    if (++count > kShown) break;
    names += (names.empty() ? "" : ", ") + name;
  }
  if (known.size() > kShown) names += ", ...";
  if (known.empty()) names = "a data set without scenario tags";
  fail(Errc::not_found,
       {"facts: no scene has the tag \"", tag, "\" (found ", names, ")"});
}

/// Returns a member of an object; null if there is none.
const nlohmann::json& member_or_null(const nlohmann::json& of, const char* name) {
  static const nlohmann::json kNull;
  const auto found = of.is_object() ? of.find(name) : of.end();
  return of.is_object() && found != of.end() ? *found : kNull;
}

/// Returns the scenes that have a scenario tag, which conversions keep as attributes.
std::vector<SceneRun> scenes_with_tag(Engine& engine, Source& source,
                                      const std::string& tag) {
  bev::run(engine, *engine.open(), source);
  bool is_deep = false;
  const auto described = parse_json_tree(engine.describe(), is_deep);
  const auto& kept =
      member_or_null(member_or_null(described.value(), "attrs"), "bevscope");
  std::vector<SceneRun> out;
  std::set<std::string> known;
  std::uint64_t scene = 0;
  for (const auto& one : member_or_null(kept, "scenes")) {
    const auto& tags = member_or_null(one, "tags");
    if (tags.is_object()) {
      for (const auto& item : tags.items()) known.insert(item.key());
    }
    if (tags.is_object() && tags.contains(tag)) {
      if (out.empty() || out.back().end != scene) out.push_back({scene, scene});
      out.back().end = scene + 1;
    }
    ++scene;
  }
  if (out.empty()) fail_unknown_tag(tag, known);
  return out;
}

/// Calls `take` with the rows that pass.
void each_row(Source& source, const FactsOptions& options,
              const std::function<void(const facts::FactTable& rows)>& take) {
  Engine engine(Engine::kByteBudget, source.missing());
  set_versions(engine, source);
  FactsToRead from;
  from.tables = {{options.table, options.where}};
  if (options.map.has_map())
    from.lights = std::make_shared<facts::LightsOfMap>(options.map);
  from.map = options.map_mark;
  from.uses_file = options.uses_file;
  from.on_notice = options.on_notice;
  from.progress = options.progress;
  std::vector<SceneRun> runs(1);
  if (options.tag) runs = scenes_with_tag(engine, source, *options.tag);
  for (const auto& run : runs) {
    from.begin = run.begin;
    from.end = run.end;
    read_facts(engine, source, from, take);
  }
  warn_of_missing(source, engine.absent_chunks());
}

}  // namespace

void write_facts(Source& source, const FactsOptions& options, const Write& write) {
  FactRecords records(options.table);
  std::optional<facts::FactTable> all;
  std::unique_ptr<RowWriter> writer;
  if (options.format == "npy") {  // the only format whose header has the number of rows
    all.emplace(options.table);
    each_row(source, options, [&](const facts::FactTable& part) { all->append(part); });
    writer = make_row_writer(options.format, records.layout(all->rows), write);
    writer->rows(all->rows, records.pack(*all));
  } else {
    writer = make_row_writer(options.format, records.layout(0), write);
    each_row(source, options, [&](const facts::FactTable& part) {
      if (part.rows > 0) writer->rows(part.rows, records.pack(part));
    });
  }
  writer->finish();
}

}  // namespace bev::native
