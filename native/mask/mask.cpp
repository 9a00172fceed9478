#include "native/mask/mask.hpp"

#include <filesystem>
#include <optional>
#include <string_view>

#include "core/base/error.hpp"
#include "core/engine/engine.hpp"
#include "core/scene/printed_tables.hpp"
#include "native/cli/output.hpp"
#include "native/export/npy.hpp"
#include "native/files/new_folder.hpp"
#include "native/source/run.hpp"
#include "native/source/sinks.hpp"

namespace bev::native {
namespace {

namespace fs = std::filesystem;

void write_group(DirectorySink& sink, const fs::path& folder) {
  constexpr std::string_view kGroup = "{\n    \"zarr_format\": 2\n}";
  if (fs::exists(folder / ".zgroup")) return;
  sink.write(".zgroup", std::as_bytes(std::span(kGroup)));
}

zarr::DType row_type() {
  zarr::DType type;
  type.kind = zarr::Kind::unsigned_int;
  type.order = zarr::ByteOrder::little;
  type.item_size = 4;
  type.shape = {2};
  return type;
}

}  // namespace

std::string select_agents(Source& source, const scene::SelectionRules& rules,
                          const std::function<void(std::uint64_t)>& begin,
                          const scene::MaskRows::Emit& emit,
                          const MaskProgress& progress) {
  Engine engine(Engine::kByteBudget, source.engine_rule());
  const auto query = engine.select(rules);
  scene::PastFutureTable table;
  std::optional<scene::MaskRows> rows;
  while (query->next()) {
    run(engine, *query, source);
    query->build();
    if (!rows) {
      begin(query->agent_count());
      rows.emplace(query->agent_count(), [&](std::span<const std::uint32_t> part) {
        table.add(part);
        emit(part);
      });
    }
    rows->add(query->first_agent(), query->mask());
    progress(query->scene() + 1, query->scene_count());
  }
  rows->finish();
  source.check_unchanged();
  return scene::selection_text(rules, query->report(), table);
}

std::string write_mask_npy(Source& source, const scene::SelectionRules& rules,
                           const std::string& path, const MaskProgress& progress) {
  cli::Output out(path);
  auto report = select_agents(
      source, rules,
      [&](std::uint64_t agents) {
        out.write(npy_head({.row = row_type(), .name = "mask", .count = agents}));
      },
      [&](std::span<const std::uint32_t> rows) { out.write(std::as_bytes(rows)); },
      progress);
  out.commit();
  return report;
}

std::string write_mask_zarr(Source& source, const scene::SelectionRules& rules,
                            const std::string& store, const MaskProgress& progress) {
  const fs::path root = store;
  const auto group = root / "agents_mask";
  const auto name = scene::mask_name(rules);
  if (fs::exists(group / name)) {
    throw Error(Errc::invalid_argument,
                (group / name).string() + ": a mask with these rules already exists");
  }
  DirectorySink root_sink(root);
  DirectorySink group_sink(group);
  write_group(root_sink, root);
  write_group(group_sink, group);
  NewFolder mask(group / name);
  std::optional<scene::MaskWriter> writer;
  auto report = select_agents(
      source, rules,
      [&](std::uint64_t agents) {
        writer.emplace(group_sink, mask.path().filename(), agents);
      },
      [&](std::span<const std::uint32_t> rows) { writer->append(rows); }, progress);
  writer->close();
  mask.commit();
  return report;
}

}  // namespace bev::native
