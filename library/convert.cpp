#include <bevscope/convert.hpp>
#include <utility>

#include "core/base/error.hpp"
#include "core/convert/argoverse2.hpp"
#include "core/convert/scenario_writer.hpp"

namespace bev {
namespace {

/// Passes objects to the caller's function.
class FunctionSink : public Sink {
 public:
  explicit FunctionSink(ScenarioWriter::Write write) : write_(std::move(write)) {}

  void put(std::string_view key, std::span<const std::byte> bytes) override {
    write_(key, bytes);
  }

 private:
  ScenarioWriter::Write write_;
};

convert::Column column_of(const TableColumn& column) {
  if (const auto* text = std::get_if<TextValues>(&column.values)) {
    return {column.name, convert::TextColumn{text->offsets, text->bytes}};
  }
  if (const auto* numbers = std::get_if<std::span<const double>>(&column.values)) {
    return {column.name, *numbers};
  }
  return {column.name, std::get<std::span<const std::int64_t>>(column.values)};
}

convert::Tables tables_of(std::string_view json) {
  auto tables = convert::argoverse2_tables();
  convert::override_tables(tables, json);
  return tables;
}

convert::ScenarioWriterOptions options_of(std::string_view mask) {
  convert::ScenarioWriterOptions out;
  out.source = "argoverse2";
  if (mask == "none") {
    out.mask.reset();
  } else if (mask == "all") {
    out.mask = convert::MaskRule{convert::Role::fragment};
  } else if (mask == "scored") {
    out.mask = convert::MaskRule{convert::Role::scored};
  } else if (mask == "focal") {
    out.mask = convert::MaskRule{convert::Role::focal};
  } else {
    fail(Errc::invalid_argument, {"mask: unknown name (found \"", mask,
                                  "\", expected focal, scored, all or none)"});
  }
  return out;
}

}  // namespace

struct Scenario::Impl {
  convert::Scenario scenario;
};

Scenario::Scenario(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
Scenario::~Scenario() = default;
Scenario::Scenario(Scenario&&) noexcept = default;
Scenario& Scenario::operator=(Scenario&&) noexcept = default;

const std::string& Scenario::id() const noexcept {
  return impl_->scenario.id;
}

const std::string& Scenario::city() const noexcept {
  return impl_->scenario.host;
}

std::size_t Scenario::frame_count() const noexcept {
  return impl_->scenario.times_ns.size();
}

std::size_t Scenario::agent_count() const noexcept {
  return impl_->scenario.states.size();
}

struct Argoverse2Importer::Impl {
  convert::Tables tables;
};

Argoverse2Importer::Argoverse2Importer(std::string_view tables_json)
    : impl_(std::make_unique<Impl>(Impl{tables_of(tables_json)})) {}
Argoverse2Importer::~Argoverse2Importer() = default;
Argoverse2Importer::Argoverse2Importer(Argoverse2Importer&&) noexcept = default;
Argoverse2Importer& Argoverse2Importer::operator=(Argoverse2Importer&&) noexcept =
    default;

Scenario Argoverse2Importer::read(const Argoverse2Files& files) const {
  std::vector<convert::Column> columns;
  for (const auto& column : files.columns) columns.push_back(column_of(column));
  const convert::Table table(std::move(columns));
  auto out = std::make_unique<Scenario::Impl>();
  out->scenario = convert::import_argoverse2(table, impl_->tables);
  out->scenario.file = files.file;
  out->scenario.sha256 = files.sha256;
  if (!files.map_json.empty()) {
    out->scenario.map = convert::parse_argoverse2_map(
        files.map_json, out->scenario.host, impl_->tables);
  }
  return Scenario(std::move(out));
}

struct ScenarioWriter::Impl {
  Impl(Write write, std::string_view mask)
      : sink(std::move(write)), writer(sink, options_of(mask)) {}

  FunctionSink sink;
  convert::ScenarioWriter writer;
};

ScenarioWriter::ScenarioWriter(Write write, std::string_view mask)
    : impl_(std::make_unique<Impl>(std::move(write), mask)) {}
ScenarioWriter::~ScenarioWriter() = default;
ScenarioWriter::ScenarioWriter(ScenarioWriter&&) noexcept = default;
ScenarioWriter& ScenarioWriter::operator=(ScenarioWriter&&) noexcept = default;

void ScenarioWriter::add(const Scenario& scenario) {
  impl_->writer.add(scenario.impl_->scenario);
}

void ScenarioWriter::add_map(const Scenario& scenario) {
  impl_->writer.add_map(scenario.impl_->scenario);
}

std::string ScenarioWriter::state() const {
  return impl_->writer.state();
}

void ScenarioWriter::restore(std::string_view state) {
  impl_->writer.restore(state);
}

std::uint64_t ScenarioWriter::scene_count() const noexcept {
  return impl_->writer.scene_count();
}

std::string ScenarioWriter::close() {
  return impl_->writer.close();
}

}  // namespace bev
