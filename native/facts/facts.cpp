#include "native/facts/facts.hpp"

#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/engine/host_loop.hpp"
#include "core/facts/light_at_entry.hpp"
#include "core/facts/select.hpp"
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

/// Returns the filter of rows that pass another one, of scenes with a tag.
///
/// Throws  The errors of the other filter, with the columns of its text.
std::string tagged_filter(const FactsOptions& options,
                          const facts::FactFilter::Tags& tags) {
  reader::Expression tagged;
  tagged.op = reader::Op::has_tag;
  tagged.name = *options.tag;
  const auto of_tag = reader::to_text(tagged);
  if (options.where.find_first_not_of(" \t\r\n") == std::string::npos) return of_tag;
  const facts::FactFilter checked(options.table, options.where, tags);
  return "(" + options.where + ") and " + of_tag;
}

/// Calls `take` with the rows that pass.
void each_row(Source& source, const FactsOptions& options,
              const std::function<void(const facts::FactTable& rows)>& take) {
  Engine engine(Engine::kByteBudget, source.missing());
  set_versions(engine, source);
  FactsToRead from;
  from.tables = {{options.table, options.where}};
  if (options.tag) {
    from.tables[0].where = tagged_filter(options, [&] {
      bev::run(engine, *engine.open(), source);
      return engine.tags();
    });
  }
  if (options.map.has_map())
    from.lights = std::make_shared<facts::LightsOfMap>(options.map);
  from.map = options.map_mark;
  from.uses_file = options.uses_file;
  from.on_notice = options.on_notice;
  from.progress = options.progress;
  read_facts(engine, source, from, take);
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
    // Made when the first facts are known, since it may write a header.
    const auto begin = [&] {
      if (!writer) writer = make_row_writer(options.format, records.layout(0), write);
    };
    each_row(source, options, [&](const facts::FactTable& part) {
      begin();
      if (part.rows > 0) writer->rows(part.rows, records.pack(part));
    });
    begin();
  }
  writer->finish();
}

}  // namespace bev::native
