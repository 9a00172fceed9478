#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/engine/numbers.hpp"
#include "core/save/load_session.hpp"
#include "core/save/part_commit.hpp"
#include "core/save/part_session.hpp"
#include "core/zip/zip_sink.hpp"
#include "wasm/guard.hpp"
#include "wasm/values.hpp"

// Only names, type conversions and error translation, as in bindings.cpp. Savers and
// loaders; the host reads and writes objects.

namespace bev::wasm {
namespace {

using emscripten::val;
using save::ChunkRequest;
using save::DataConfig;

val copy_of(std::span<const std::byte> bytes) {
  const val view{emscripten::typed_memory_view(
      bytes.size(), reinterpret_cast<const unsigned char*>(bytes.data()))};
  return view.call<val>("slice");
}

val list_of(const std::vector<std::string>& texts) {
  val out = val::array();
  for (const auto& text : texts) out.call<void>("push", text);
  return out;
}

/// Returns {key, bytes}; null for none.
val object_of(const std::optional<save::NewObject>& object) {
  if (!object) return val::null();
  val out = val::object();
  out.set("key", object->key);
  out.set("bytes", copy_of(object->bytes));
  return out;
}

std::vector<std::byte> vector_of(const val& bytes) {
  const auto raw = bytes_from(bytes);
  return {raw.begin(), raw.end()};
}

/// Returns a config as JSON with all members.
std::string normal_config(std::string config) {
  return DataConfig::parse(config).to_json();
}

/// A saver, and the batch that is being passed.
struct Saver {
  save::PartSession session;
  std::vector<RawBytes> bytes;
  std::vector<save::BatchArray> arrays;
};

Saver* make_saver(std::string config, double saver) {
  const auto number = index_from(saver, "saver");
  return new Saver{save::PartSession(DataConfig::parse(config), number), {}, {}};
}

void saver_resume(Saver& saver, std::string journal) {
  saver.session.resume(journal);
}

val saver_needed(Saver& saver) {
  const auto key = saver.session.needed();
  return key ? val(*key) : val::null();
}

void saver_supply(Saver& saver, val bytes) {
  saver.session.supply(bytes_from(bytes));
}

/// @param dtype  "": the attribute's
void saver_add(Saver& saver, std::string name, std::string dtype, val bytes) {
  saver.bytes.push_back(bytes_from(bytes));
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

void saver_attach(Saver& saver, std::string name, val bytes) {
  saver.session.attach(std::move(name), vector_of(bytes));
}

void saver_flush(Saver& saver) {
  saver.session.flush();
}

val saver_take(Saver& saver) {
  return object_of(saver.session.take());
}

std::string saver_journal(Saver& saver, bool complete) {
  return saver.session.journal(complete);
}

val saver_confirm(Saver& saver) {
  return list_of(saver.session.confirm());
}

double saver_rows(Saver& saver) {
  return static_cast<double>(saver.session.rows());
}

double saver_batches(Saver& saver) {
  return static_cast<double>(saver.session.batches());
}

/// Returns what a data set's .zattrs says; nullopt for "": there is none.
std::optional<save::Committed> committed_of(const std::string& zattrs,
                                            const std::string& where) {
  if (zattrs.empty()) return std::nullopt;
  if (auto found = save::committed_from(zattrs, where)) return found;
  fail_at(Errc::invalid_argument, where, {"not a data set written by a saver"});
}

/// Returns the settings of a store's first saver.
std::string first_settings(std::string config, std::string mode, std::string zattrs,
                           std::string where) {
  return save::first_settings(DataConfig::parse(config), save::save_mode(mode),
                              committed_of(zattrs, where), where)
      .to_json();
}

void check_settings(std::string settings, std::string config, std::string mode,
                    std::string where) {
  save::check_settings(save::SaveSettings::parse(settings, where),
                       DataConfig::parse(config), save::save_mode(mode), where);
}

std::string part_name(double saver) {
  return save::part_name(index_from(saver, "saver"));
}

bool is_part(std::string name) {
  return save::saver_of(name).has_value();
}

/// What a commit needs, until it begins.
struct Commit {
  save::PartCommit::Inputs inputs;
  std::string where;
  std::optional<save::Committed> found;  // the data set that is there
  std::optional<save::PartCommit> joined;

  save::PartCommit& join() {
    if (!joined) joined.emplace(inputs);
    return *joined;
  }
};

/// @param zattrs  of the data set that is there; "": none
Commit* make_commit(std::string settings, std::string zattrs, std::string where) {
  auto parsed = save::SaveSettings::parse(settings, where);
  auto found = committed_of(zattrs, where);
  const bool is_first = parsed.mode == save::SaveMode::append;
  return new Commit{{std::move(parsed), {}, is_first ? found : std::nullopt},
                    std::move(where),
                    found,
                    std::nullopt};
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

val commit_missing(Commit& commit) {
  return list_of(commit.join().missing());
}

void commit_supply(Commit& commit, std::string key, val bytes) {
  commit.join().supply(key, vector_of(bytes));
}

val commit_next(Commit& commit) {
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

/// An archive that is being written, and its bytes that are not taken.
struct ZipWriter {
  std::vector<std::byte> bytes;
  zip::ZipSink sink{[this](std::span<const std::byte> more) {
    bytes.insert(bytes.end(), more.begin(), more.end());
  }};
};

ZipWriter* make_zip_writer() {
  return new ZipWriter;
}

val taken(ZipWriter& writer) {
  const auto out = copy_of(writer.bytes);
  writer.bytes.clear();
  return out;
}

/// Returns the bytes to be appended to the archive.
val zip_put(ZipWriter& writer, std::string key, val bytes) {
  writer.sink.put(key, bytes_from(bytes));
  return taken(writer);
}

val zip_finish(ZipWriter& writer) {
  writer.sink.finish();
  return taken(writer);
}

/// A loader, and its requests by key.
struct Loader {
  save::LoadSession session;
  std::map<std::string, std::vector<ChunkRequest>> requests;
  std::uint64_t asked = 0;
};

Loader* make_loader(std::string metadata, std::string where, double byte_budget) {
  const auto budget = static_cast<std::size_t>(index_from(byte_budget, "byteBudget"));
  return new Loader{save::LoadSession(metadata, where, budget), {}};
}

std::string loader_config(Loader& loader) {
  return loader.session.schema().committed.config.to_json();
}

std::string loader_commit(Loader& loader) {
  return loader.session.schema().committed.id;
}

double loader_rows(Loader& loader) {
  return static_cast<double>(loader.session.rows().rows());
}

double loader_chunk_rows(Loader& loader, std::size_t attribute) {
  return static_cast<double>(loader.session.schema().layouts.at(attribute).chunk_rows);
}

/// Returns the attachments as JSON.
std::string loader_attachments(Loader& loader) {
  return save::attachments_json(loader.session.schema().committed.attachments).dump();
}

std::string loader_attachment_key(Loader& loader, std::string name) {
  const auto& all = loader.session.schema().committed.attachments;
  return save::attachment_key(save::find_attachment(all, name));
}

void loader_check_attachment(Loader& loader, std::string name, val bytes) {
  const auto& all = loader.session.schema().committed.attachments;
  const auto& entry = save::find_attachment(all, name);
  save::check_attachment_bytes(entry, bytes_from(bytes), save::attachment_key(entry));
}

void loader_ask(Loader& loader, double begin, double end) {
  loader.session.rows().ask(index_from(begin, "begin"), index_from(end, "end"));
  loader.asked = index_from(end, "end") - index_from(begin, "begin");
}

void loader_ask_rows(Loader& loader, val indices) {
  const auto rows = integers_from(numbers_from(indices), "index");
  loader.session.rows().ask(rows);
  loader.asked = rows.size();
}

val loader_missing(Loader& loader) {
  std::vector<std::string> keys;
  loader.requests.clear();
  for (const auto& request : loader.session.rows().missing()) {
    auto key = loader.session.key(request);
    auto& chunks = loader.requests[key];
    chunks.push_back(request);
    if (chunks.size() == 1) keys.push_back(std::move(key));
  }
  return list_of(keys);
}

void loader_supply(Loader& loader, std::string key, val bytes) {
  const auto object = bytes_from(bytes);
  for (const auto& request : loader.requests.at(key)) {
    loader.session.supply(request, object);
  }
}

/// Returns the rows: copies of one array per attribute.
val loader_take(Loader& loader) {
  const auto columns = loader.session.rows().take();
  const auto& attributes = loader.session.schema().committed.config.attributes();
  std::vector<ResultArray> arrays;
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    ResultArray array;
    array.name = attributes[i].name;
    array.dtype = attributes[i].dtype_text();
    array.shape = {static_cast<std::size_t>(loader.asked)};
    array.shape.insert(array.shape.end(), attributes[i].shape.begin(),
                       attributes[i].shape.end());
    array.bytes = columns[i];
    arrays.push_back(std::move(array));
  }
  return copies_of(arrays);
}

void loader_clear(Loader& loader) {
  loader.session.rows().clear();
}

double loader_held_bytes(Loader& loader) {
  return static_cast<double>(loader.session.rows().bytes_held());
}

double loader_chunks(Loader& loader) {
  return static_cast<double>(loader.session.rows().chunks_supplied());
}

}  // namespace

EMSCRIPTEN_BINDINGS(bev_save) {
  using emscripten::allow_raw_pointers;
  emscripten::class_<Saver>("Saver")
      .function("resume", &Guarded<&saver_resume>::call)
      .function("needed", &Guarded<&saver_needed>::call)
      .function("supply", &Guarded<&saver_supply>::call)
      .function("add", &Guarded<&saver_add>::call)
      .function("clear", &Guarded<&saver_clear>::call)
      .function("save", &Guarded<&saver_save>::call)
      .function("attach", &Guarded<&saver_attach>::call)
      .function("flush", &Guarded<&saver_flush>::call)
      .function("take", &Guarded<&saver_take>::call)
      .function("journal", &Guarded<&saver_journal>::call)
      .function("confirm", &Guarded<&saver_confirm>::call)
      .function("rows", &Guarded<&saver_rows>::call)
      .function("batches", &Guarded<&saver_batches>::call);
  emscripten::class_<Commit>("Commit")
      .function("add", &Guarded<&commit_add>::call)
      .function("isPublished", &Guarded<&commit_is_published>::call)
      .function("missing", &Guarded<&commit_missing>::call)
      .function("supply", &Guarded<&commit_supply>::call)
      .function("next", &Guarded<&commit_next>::call)
      .function("isComplete", &Guarded<&commit_is_complete>::call)
      .function("rows", &Guarded<&commit_rows>::call);
  emscripten::class_<ZipWriter>("ZipWriter")
      .function("put", &Guarded<&zip_put>::call)
      .function("finish", &Guarded<&zip_finish>::call);
  emscripten::class_<Loader>("Loader")
      .function("config", &Guarded<&loader_config>::call)
      .function("commit", &Guarded<&loader_commit>::call)
      .function("rows", &Guarded<&loader_rows>::call)
      .function("chunkRows", &Guarded<&loader_chunk_rows>::call)
      .function("attachments", &Guarded<&loader_attachments>::call)
      .function("attachmentKey", &Guarded<&loader_attachment_key>::call)
      .function("checkAttachment", &Guarded<&loader_check_attachment>::call)
      .function("ask", &Guarded<&loader_ask>::call)
      .function("askRows", &Guarded<&loader_ask_rows>::call)
      .function("missing", &Guarded<&loader_missing>::call)
      .function("supply", &Guarded<&loader_supply>::call)
      .function("take", &Guarded<&loader_take>::call)
      .function("clear", &Guarded<&loader_clear>::call)
      .function("heldBytes", &Guarded<&loader_held_bytes>::call)
      .function("chunks", &Guarded<&loader_chunks>::call);
  emscripten::function("normalConfig", &Guarded<&normal_config>::call);
  emscripten::function("firstSettings", &Guarded<&first_settings>::call);
  emscripten::function("checkSettings", &Guarded<&check_settings>::call);
  emscripten::function("partName", &Guarded<&part_name>::call);
  emscripten::function("isPart", &Guarded<&is_part>::call);
  emscripten::function("makeSaver", &Guarded<&make_saver>::call, allow_raw_pointers());
  emscripten::function("makeCommit", &Guarded<&make_commit>::call,
                       allow_raw_pointers());
  emscripten::function("makeZipWriter", &Guarded<&make_zip_writer>::call,
                       allow_raw_pointers());
  emscripten::function("makeLoader", &Guarded<&make_loader>::call,
                       allow_raw_pointers());
}

}  // namespace bev::wasm
