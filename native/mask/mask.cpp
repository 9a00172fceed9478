#include "native/mask/mask.hpp"

#include <filesystem>
#include <optional>
#include <string_view>

#include "core/base/error.hpp"
#include "core/engine/host_loop.hpp"
#include "core/scene/printed_tables.hpp"
#include "native/cli/output.hpp"
#include "native/export/npy.hpp"
#include "native/files/new_folder.hpp"
#include "native/files/new_store.hpp"
#include "native/files/sinks.hpp"
#include "native/files/write_file.hpp"
#include "native/source/read_options.hpp"

namespace bev::native {
namespace {

namespace fs = std::filesystem;

const std::string kGroupName = "agents_mask";
constexpr std::string_view kGroupDocument = "{\n    \"zarr_format\": 2\n}";

/// Writes a group's document unless there is one.
void ensure_group(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) fail_write(folder.string(), error.value());
  if (fs::exists(folder / ".zgroup")) return;
  NewFile file(folder / ".zgroup");
  file.write(std::as_bytes(std::span(kGroupDocument)));
  file.commit();
}

/// Where an array is written.
struct Target {
  Sink& sink;
  std::string path;
};

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
  Engine engine(Engine::kByteBudget, source.missing());
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
  warn_of_missing(source, engine.absent_chunks());
  return scene::selection_text(rules, query->report(), table);
}

namespace {

std::string write_array(Source& source, const scene::SelectionRules& rules,
                        const Target& target, const MaskProgress& progress) {
  std::optional<scene::MaskWriter> writer;
  auto report = select_agents(
      source, rules,
      [&](std::uint64_t agents) { writer.emplace(target.sink, target.path, agents); },
      [&](std::span<const std::uint32_t> rows) { writer->append(rows); }, progress);
  writer->close();
  return report;
}

}  // namespace

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
  const auto group = root / kGroupName;
  const auto name = scene::mask_name(rules);
  if (!fs::exists(root)) {
    const auto created = create_store(store);
    for (const auto& key : {std::string(".zgroup"), kGroupName + "/.zgroup"}) {
      created->put(key, std::as_bytes(std::span(kGroupDocument)));
    }
    auto report =
        write_array(source, rules, {*created, kGroupName + "/" + name}, progress);
    created->commit();
    return report;
  }
  if (fs::exists(group / name)) {
    throw Error(Errc::invalid_argument,
                (group / name).string() + ": a mask with these rules already exists");
  }
  ensure_group(root);
  ensure_group(group);
  NewFolder mask(group / name);
  DirectorySink sink(group);
  auto report = write_array(source, rules, {sink, mask.path().filename()}, progress);
  mask.commit();
  return report;
}

}  // namespace bev::native
