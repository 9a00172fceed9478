#include <algorithm>
#include <array>
#include <bevscope/convert.hpp>
#include <utility>

#include "core/base/error.hpp"
#include "core/convert/argoverse2.hpp"
#include "core/convert/commonroad.hpp"
#include "core/convert/nuplan.hpp"
#include "core/convert/scenario_writer.hpp"
#include "core/convert/scenarionet.hpp"
#include "core/convert/tfrecord.hpp"
#include "core/convert/waymo.hpp"
#include "library/convert_impl.hpp"

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

convert::Tables overridden(convert::Tables tables, std::string_view json) {
  convert::override_tables(tables, json);
  return tables;
}

convert::ScenarioWriterOptions options_of(std::string_view mask,
                                          std::string_view source) {
  convert::ScenarioWriterOptions out;
  constexpr std::array kSources = {"argoverse2", "commonroad",  "interaction", "nuplan",
                                   "nuscenes",   "scenarionet", "waymo"};
  if (std::find(kSources.begin(), kSources.end(), source) == kSources.end()) {
    fail(Errc::invalid_argument, {"source: unknown name (found \"", source,
                                  "\", expected argoverse2, commonroad, interaction, "
                                  "nuplan, nuscenes, scenarionet or waymo)"});
  }
  out.source = source;
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

std::vector<std::string> argoverse2_columns(bool required) {
  const auto names = convert::argoverse2_columns(required);
  return {names.begin(), names.end()};
}

struct Argoverse2Importer::Impl {
  convert::Tables tables;
};

Argoverse2Importer::Argoverse2Importer(std::string_view tables_json)
    : impl_(std::make_unique<Impl>(
          Impl{overridden(convert::argoverse2_tables(), tables_json)})) {}
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

std::vector<RecordRange> find_records(
    std::uint64_t file_size,
    const std::function<std::size_t(std::uint64_t, std::span<std::byte>)>& read_at) {
  std::vector<RecordRange> out;
  for (const auto& range : convert::find_records(file_size, read_at)) {
    out.push_back({range.offset, range.size});
  }
  return out;
}

struct WaymoImporter::Impl {
  convert::Tables tables;
};

WaymoImporter::WaymoImporter(std::string_view tables_json)
    : impl_(std::make_unique<Impl>(
          Impl{overridden(convert::waymo_tables(), tables_json)})) {}
WaymoImporter::~WaymoImporter() = default;
WaymoImporter::WaymoImporter(WaymoImporter&&) noexcept = default;
WaymoImporter& WaymoImporter::operator=(WaymoImporter&&) noexcept = default;

Scenario WaymoImporter::read(const WaymoRecord& record) const {
  const auto content = convert::record_content(record.bytes, record.range.offset);
  convert::ImportOptions options;
  options.with_map = record.with_map;
  options.place = record.place;
  auto out = std::make_unique<Scenario::Impl>();
  out->scenario = convert::import_waymo(
      {reinterpret_cast<const char*>(content.data()), content.size()}, impl_->tables,
      options);
  out->scenario.file = record.file;
  out->scenario.record = record.index;
  return Scenario(std::move(out));
}

std::vector<std::string> scenarionet_files(
    std::optional<std::span<const std::byte>> summary,
    std::optional<std::span<const std::byte>> mapping) {
  return convert::scenarionet_files(summary, mapping);
}

struct ScenarionetImporter::Impl {
  convert::Tables tables;
};

ScenarionetImporter::ScenarionetImporter(std::string_view tables_json)
    : impl_(std::make_unique<Impl>(
          Impl{overridden(convert::scenarionet_tables(), tables_json)})) {}
ScenarionetImporter::~ScenarionetImporter() = default;
ScenarionetImporter::ScenarionetImporter(ScenarionetImporter&&) noexcept = default;
ScenarionetImporter& ScenarionetImporter::operator=(ScenarionetImporter&&) noexcept =
    default;

Scenario ScenarionetImporter::read(const ScenarionetPickle& pickle) const {
  convert::ImportOptions options;
  options.with_map = pickle.with_map;
  options.place = pickle.place;
  auto out = std::make_unique<Scenario::Impl>();
  out->scenario = convert::import_scenarionet(pickle.bytes, impl_->tables, options);
  out->scenario.file = pickle.file;
  return Scenario(std::move(out));
}

struct CommonroadImporter::Impl {
  convert::Tables tables;
};

CommonroadImporter::CommonroadImporter(std::string_view tables_json)
    : impl_(std::make_unique<Impl>(
          Impl{overridden(convert::commonroad_tables(), tables_json)})) {}
CommonroadImporter::~CommonroadImporter() = default;
CommonroadImporter::CommonroadImporter(CommonroadImporter&&) noexcept = default;
CommonroadImporter& CommonroadImporter::operator=(CommonroadImporter&&) noexcept =
    default;

Scenario CommonroadImporter::read(const CommonroadFile& file) const {
  const convert::ImportOptions options{file.with_map, file.place, file.ego};
  auto out = std::make_unique<Scenario::Impl>();
  out->scenario = convert::import_commonroad(file.xml, impl_->tables, options);
  out->scenario.file = file.file;
  return Scenario(std::move(out));
}

struct NuplanMap::Impl {
  convert::NuplanMap map;
};

NuplanMap::NuplanMap(const RangedFile& file, std::int64_t epsg,
                     std::string_view tables_json) {
  const auto tables = overridden(convert::nuplan_tables(), tables_json);
  sqlite::Pages pages(file.read_at, file.size);
  const sqlite::Database database(pages);
  impl_ = std::make_unique<Impl>(Impl{{database, epsg, tables}});
}
NuplanMap::~NuplanMap() = default;
NuplanMap::NuplanMap(NuplanMap&&) noexcept = default;
NuplanMap& NuplanMap::operator=(NuplanMap&&) noexcept = default;

struct NuplanLog::Impl {
  Impl(const RangedFile& file, std::string_view tables_json, bool all)
      : tables(overridden(convert::nuplan_tables(), tables_json)),
        all_sweeps(all),
        pages(file.read_at, file.size),
        log(pages) {
    log.open();
  }

  convert::Tables tables;
  bool all_sweeps;
  sqlite::Pages pages;
  convert::nuplan::Log log;
};

NuplanLog::NuplanLog(const RangedFile& file, std::string_view tables_json,
                     bool all_sweeps)
    : impl_(std::make_unique<Impl>(file, tables_json, all_sweeps)) {}
NuplanLog::~NuplanLog() = default;
NuplanLog::NuplanLog(NuplanLog&&) noexcept = default;
NuplanLog& NuplanLog::operator=(NuplanLog&&) noexcept = default;

const std::string& NuplanLog::city() const noexcept {
  return impl_->log.location();
}

std::int64_t NuplanLog::epsg() {
  return impl_->log.epsg();
}

std::vector<std::string> NuplanLog::scenes() const {
  std::vector<std::string> out;
  for (auto& scene : convert::nuplan_scenes(impl_->log)) {
    out.push_back(std::move(scene.name));
  }
  return out;
}

Scenario NuplanLog::read(std::size_t scene, const NuplanMap* map, std::string file) {
  convert::NuplanOptions options;
  options.all_sweeps = impl_->all_sweeps;
  if (map != nullptr) options.map = &map->impl_->map;
  auto out = std::make_unique<Scenario::Impl>();
  out->scenario = convert::import_nuplan(impl_->log, scene, impl_->tables, options);
  out->scenario.file = std::move(file);
  out->scenario.record = scene;
  return Scenario(std::move(out));
}

struct ScenarioWriter::Impl {
  Impl(Write write, convert::ScenarioWriterOptions options)
      : sink(std::move(write)), writer(sink, std::move(options)) {}

  FunctionSink sink;
  convert::ScenarioWriter writer;
};

ScenarioWriter::ScenarioWriter(Write write, std::string_view mask,
                               std::string_view source, AppendMap append_map) {
  auto options = options_of(mask, source);
  options.append_map = std::move(append_map);
  impl_ = std::make_unique<Impl>(std::move(write), std::move(options));
}
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
