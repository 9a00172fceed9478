#include <array>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/ops/operation.hpp"
#include "core/ops/tables.hpp"
#include "core/save/load_session.hpp"
#include "core/save/loaded_fields.hpp"
#include "core/save/part_commit.hpp"
#include "core/save/part_session.hpp"
#include "core/zip/zip_sink.hpp"

// Savers and loaders; the host reads and writes objects.

namespace bev::ops {

namespace {

using save::DataConfig;
using Bytes = std::vector<std::byte>;

/// A saver, and the batch that is being passed.
struct Saver {
  save::PartSession session;
  std::vector<RawBytes> bytes{};
  std::vector<save::BatchArray> arrays{};
};

/// What a commit needs, until it begins.
struct Commit {
  save::PartCommit::Inputs inputs;
  std::string where;
  std::optional<save::Committed> found;  // the data set that is there
  std::optional<save::PartCommit> joined{};

  save::PartCommit& join() {
    if (!joined) joined.emplace(inputs);
    return *joined;
  }
};

/// An archive that is being written, and its bytes that are not taken.
struct ArchiveWriter {
  Bytes bytes{};
  zip::ZipSink sink{[this](std::span<const std::byte> more) {
    bytes.insert(bytes.end(), more.begin(), more.end());
  }};
};

/// A loader, and its requests by key.
struct Loader {
  save::LoadSession session;
  std::map<std::string, std::vector<save::ChunkRequest>> requests{};
  std::uint64_t asked = 0;
};

}  // namespace

template <>
inline constexpr const char* kObjectName<Saver> = "Saver";
template <>
inline constexpr const char* kObjectName<Commit> = "Commit";
template <>
inline constexpr const char* kObjectName<ArchiveWriter> = "ArchiveWriter";
template <>
inline constexpr const char* kObjectName<Loader> = "Loader";

namespace {

Bytes vector_of(const RawBytes& bytes) {
  return {bytes.begin(), bytes.end()};
}

/// Returns an object as an array named by its key; nothing if there is none.
Outcome object_of(std::optional<save::NewObject> object) {
  if (!object) return {};
  return Outcome().add(std::move(object->key),
                       Bytes(object->bytes.begin(), object->bytes.end()));
}

std::string normal_config(const std::string& config) {
  return DataConfig::parse(config).to_json();
}

/// Returns what a data set's .zattrs says; nullopt for "": there is none.
std::optional<save::Committed> committed_of(const std::string& zattrs,
                                            const std::string& where) {
  if (zattrs.empty()) return std::nullopt;
  if (auto found = save::committed_from(zattrs, where)) return found;
  fail_at(Errc::invalid_argument, where, {"not a data set written by a saver"});
}

std::string first_settings(const std::string& config, const std::string& mode,
                           const std::string& zattrs, const std::string& where) {
  return save::first_settings(DataConfig::parse(config), save::save_mode(mode),
                              committed_of(zattrs, where), where)
      .to_json();
}

void check_settings(const std::string& settings, const std::string& config,
                    const std::string& mode, const std::string& where) {
  save::check_settings(save::SaveSettings::parse(settings, where),
                       DataConfig::parse(config), save::save_mode(mode), where);
}

std::string part_name(Index saver) {
  return save::part_name(saver);
}

bool is_part(const std::string& name) {
  return save::saver_of(name).has_value();
}

std::unique_ptr<Saver> make_saver(const std::string& config, Index number) {
  return std::make_unique<Saver>(
      Saver{save::PartSession(DataConfig::parse(config), number)});
}

void resume_saver(Saver& saver, const std::string& journal) {
  saver.session.resume(journal);
}

/// Returns the key of the next object to be supplied, or none.
std::vector<std::string> saver_needs(Saver& saver) {
  const auto key = saver.session.needed();
  return key ? std::vector{*key} : std::vector<std::string>{};
}

void saver_supply(Saver& saver, RawBytes bytes) {
  saver.session.supply(std::move(bytes));
}

/// Passes an array of a batch; without `dtype`, bytes of the attribute's.
void saver_add(Saver& saver, std::string name, std::string dtype, RawBytes bytes) {
  saver.bytes.push_back(std::move(bytes));
  saver.arrays.push_back(save::array_of(saver.session.config(), std::move(name),
                                        std::move(dtype), saver.bytes.back()));
}

void saver_clear(Saver& saver) {
  saver.arrays.clear();
  saver.bytes.clear();
}

void saver_save(Saver& saver) {
  saver.session.save(saver.arrays);
}

void saver_attach(Saver& saver, std::string name, const RawBytes& bytes) {
  saver.session.attach(std::move(name), vector_of(bytes));
}

void saver_flush(Saver& saver) {
  saver.session.flush();
}

Outcome saver_take(Saver& saver) {
  return object_of(saver.session.take());
}

std::string saver_journal(Saver& saver, bool complete) {
  return saver.session.journal(complete);
}

std::vector<std::string> saver_confirm(Saver& saver) {
  return saver.session.confirm();
}

std::vector<double> saver_counts(Saver& saver) {
  return {static_cast<double>(saver.session.rows()),
          static_cast<double>(saver.session.batches())};
}

std::unique_ptr<Commit> make_commit(const std::string& settings,
                                    const std::string& zattrs, std::string where) {
  auto parsed = save::SaveSettings::parse(settings, where);
  auto found = committed_of(zattrs, where);
  const bool is_first = parsed.mode == save::SaveMode::append;
  return std::unique_ptr<Commit>(
      new Commit{{std::move(parsed), {}, is_first ? found : std::nullopt},
                 std::move(where),
                 found});
}

void commit_add(Commit& commit, std::string manifest) {
  commit.inputs.manifests.push_back(std::move(manifest));
}

/// Whether the parts were published by a commit that was then interrupted.
///
/// Throws  changed if the store was replaced since the savers began
bool commit_is_published(Commit& commit) {
  const auto id = commit.found ? commit.found->id : std::string();
  if (commit.join().id() == id) return true;
  check_base(commit.inputs.settings, id, commit.where);
  return false;
}

std::vector<std::string> commit_missing(Commit& commit) {
  return commit.join().missing();
}

void commit_supply(Commit& commit, const std::string& key, const RawBytes& bytes) {
  commit.join().supply(key, vector_of(bytes));
}

Outcome commit_next(Commit& commit) {
  return object_of(commit.join().next());
}

bool commit_is_complete(Commit& commit) {
  return commit.join().is_complete();
}

/// Returns the rows of the data set, when it is complete or was published.
double commit_rows(Commit& commit) {
  const bool is_new = commit.join().is_complete();
  return static_cast<double>(is_new ? commit.join().rows() : commit.found->rows);
}

std::unique_ptr<ArchiveWriter> archive_writer() {
  return std::make_unique<ArchiveWriter>();
}

Bytes archive_put(ArchiveWriter& writer, const std::string& key,
                  const RawBytes& bytes) {
  writer.sink.put(key, bytes);
  return std::exchange(writer.bytes, {});
}

Bytes archive_finish(ArchiveWriter& writer) {
  writer.sink.finish();
  return std::exchange(writer.bytes, {});
}

using Fields = std::optional<std::vector<std::string>>;

std::unique_ptr<Loader> make_loader(const std::string& metadata,
                                    const std::string& where, Index byte_budget,
                                    const Fields& attributes) {
  const auto budget = static_cast<std::size_t>(byte_budget);
  return std::unique_ptr<Loader>(
      new Loader{save::LoadSession(metadata, where, budget, attributes)});
}

/// Returns what the data set is, as JSON.
std::string describe_loader(Loader& loader) {
  const auto& [committed, layouts] =
      std::tie(loader.session.schema().committed, loader.session.schema().layouts);
  auto chunk_rows = nlohmann::json::array();
  for (const auto& field : committed.config.fields()) {
    chunk_rows.push_back(layouts[field.array].chunk_rows);
  }
  return nlohmann::json{{"config", committed.config.to_json()},
                        {"commit", committed.id},
                        {"rows", loader.session.rows().rows()},
                        {"chunkRows", std::move(chunk_rows)},
                        {"attachments", save::attachments_json(committed.attachments)}}
      .dump();
}

std::string attachment_key(Loader& loader, const std::string& name) {
  const auto& all = loader.session.schema().committed.attachments;
  return save::attachment_key(save::find_attachment(all, name));
}

void check_attachment(Loader& loader, const std::string& name, const RawBytes& bytes) {
  const auto& all = loader.session.schema().committed.attachments;
  const auto& entry = save::find_attachment(all, name);
  save::check_attachment_bytes(entry, bytes, save::attachment_key(entry));
}

void loader_ask(Loader& loader, Index begin, Index end) {
  loader.session.rows().ask(begin, end);
  loader.asked = end - begin;
}

void loader_ask_rows(Loader& loader, std::span<const double> indices) {
  const auto rows = integers_from(indices, "index");
  loader.session.rows().ask(rows);
  loader.asked = rows.size();
}

std::vector<std::string> loader_missing(Loader& loader) {
  std::vector<std::string> keys;
  loader.requests.clear();
  for (const auto& request : loader.session.rows().missing()) {
    auto key = loader.session.key(request);
    auto& chunks = loader.requests[key];
    chunks.push_back(request);
    if (chunks.size() == 1) keys.push_back(std::move(key));
  }
  return keys;
}

void loader_supply(Loader& loader, const std::string& key, const RawBytes& object) {
  for (const auto& request : loader.requests.at(key)) {
    loader.session.supply(request, object);
  }
}

/// Returns the rows by field.
Outcome loader_take(Loader& loader) {
  const auto owner = std::make_shared<const save::LoadedFields>(
      loader.session.schema().committed.config, loader.session.rows().take(),
      static_cast<std::size_t>(loader.asked));
  std::vector<ResultArray> arrays;
  for (const auto& array : owner->arrays()) {
    arrays.push_back({array.name, array.dtype, array.shape, array.bytes});
  }
  return Outcome(arrays, owner);
}

void loader_clear(Loader& loader) {
  loader.session.rows().clear();
}

std::vector<double> loader_stats(Loader& loader) {
  return {static_cast<double>(loader.session.rows().chunks_supplied()),
          static_cast<double>(loader.session.rows().bytes_held())};
}

constexpr std::array kSaveOperations{
    operation<&normal_config, "config">(
        "normal_config", "", "checks a configuration; JSON with all members"),
    operation<&first_settings, "config", "mode", "zattrs", "where">(
        "first_settings", "",
        "JSON: settings of the first saver; zattrs of the data set there, or empty"),
    operation<&check_settings, "settings", "config", "mode", "where">(
        "check_settings", "", "compares the settings of savers with those of another"),
    operation<&part_name, "saver">("part_name", "", "name of a saver's part"),
    operation<&is_part, "name">("is_part", "", "whether this is the name of a part"),
    operation<&make_saver, "config", "saver">("saver", "",
                                              "a saver: core/save/part_session.hpp"),
    operation<&resume_saver, "saver", "journal">("resume_saver", "",
                                                 "continues from its journal"),
    operation<&saver_needs, "saver">("saver_needs", "",
                                     "key of the next object to be supplied, if any"),
    operation<&saver_supply, "saver", "bytes">("saver_supply", "", "supplies it"),
    operation<&saver_add, "saver", "name", "dtype", "bytes">(
        "saver_add", "", "passes an array of a batch; dtype empty: the attribute's"),
    operation<&saver_clear, "saver">("saver_clear", "", "forgets the batch"),
    operation<&saver_save, "saver">("saver_save", "", "saves the batch"),
    operation<&saver_attach, "saver", "name", "bytes">("saver_attach", "",
                                                       "attaches a file"),
    operation<&saver_flush, "saver">("saver_flush", "", "completes the last chunks"),
    operation<&saver_take, "saver">("saver_take", "*",
                                    "the next object to write by its key, or nothing"),
    operation<&saver_journal, "saver", "complete">("saver_journal", "", "its journal"),
    operation<&saver_confirm, "saver">(
        "saver_confirm", "", "the journal is written; keys that are no longer used"),
    operation<&saver_counts, "saver">("saver_counts", "", "rows and batches saved"),
    operation<&make_commit, "settings", "zattrs", "where">(
        "commit", "", "joins parts: core/save/part_commit.hpp"),
    operation<&commit_add, "commit", "manifest">("commit_add", "",
                                                 "adds a part, before all else"),
    operation<&commit_is_published, "commit">(
        "commit_is_published", "", "whether the parts are those of the data set there"),
    operation<&commit_missing, "commit">("commit_missing", "",
                                         "keys of parts and of the data set there"),
    operation<&commit_supply, "commit", "key", "bytes">("commit_supply", "",
                                                        "supplies one"),
    operation<&commit_next, "commit">(
        "commit_next", "*", "the next object to write by its key, or nothing"),
    operation<&commit_is_complete, "commit">("commit_is_complete", "",
                                             "whether all was returned"),
    operation<&commit_rows, "commit">("commit_rows", "", "rows of the data set"),
    operation<&archive_writer>("archive_writer", "", "writes a zip archive"),
    operation<&archive_put, "writer", "key", "bytes">("archive_put", "",
                                                      "bytes to append for an object"),
    operation<&archive_finish, "writer">("archive_finish", "", "the last bytes"),
    operation<&make_loader, "metadata", "where", "byte_budget", "attributes">(
        "loader", "", "loads rows: core/save/load_session.hpp"),
    operation<&describe_loader, "loader">(
        "describe_loader", "", "JSON: config, commit, rows, chunkRows, attachments"),
    operation<&attachment_key, "loader", "name">("attachment_key", "",
                                                 "key of an attached file"),
    operation<&check_attachment, "loader", "name", "bytes">(
        "check_attachment", "", "compares a file with what was attached"),
    operation<&loader_ask, "loader", "begin", "end">("loader_ask", "", "asks for rows"),
    operation<&loader_ask_rows, "loader", "indices">(
        "loader_ask_rows", "", "asks for rows; negative indices count from the end"),
    operation<&loader_missing, "loader">("loader_missing", "", "keys to be read next"),
    operation<&loader_supply, "loader", "key", "bytes">("loader_supply", "",
                                                        "supplies one"),
    operation<&loader_take, "loader">("loader_take", "*", "the rows by attribute"),
    operation<&loader_clear, "loader">("loader_clear", "", "removes all chunks"),
    operation<&loader_stats, "loader">("loader_stats", "",
                                       "chunks supplied, and bytes held"),
};

}  // namespace

std::span<const Operation> save_operations() {
  return kSaveOperations;
}

}  // namespace bev::ops
