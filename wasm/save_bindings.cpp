#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/numbers.hpp"
#include "core/save/load_session.hpp"
#include "core/save/part_commit.hpp"
#include "core/save/part_session.hpp"
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

Saver* make_saver(std::string config) {
  return new Saver{save::PartSession(DataConfig::parse(config), 0), {}, {}};
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

save::PartCommit* make_commit(std::string config, std::string manifest) {
  return new save::PartCommit(DataConfig::parse(config), manifest);
}

val commit_missing(save::PartCommit& commit) {
  return list_of(commit.missing());
}

void commit_supply(save::PartCommit& commit, std::string key, val bytes) {
  commit.supply(key, vector_of(bytes));
}

val commit_next(save::PartCommit& commit) {
  return object_of(commit.next());
}

bool commit_is_complete(save::PartCommit& commit) {
  return commit.is_complete();
}

/// A loader, and its requests by key.
struct Loader {
  save::LoadSession session;
  std::map<std::string, ChunkRequest> requests;
  std::uint64_t asked = 0;
};

Loader* make_loader(std::string zmetadata, std::string where, double byte_budget) {
  const auto budget = static_cast<std::size_t>(index_from(byte_budget, "byteBudget"));
  return new Loader{save::LoadSession(zmetadata, where, budget), {}};
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
    keys.push_back(loader.session.key(request));
    loader.requests.emplace(keys.back(), request);
  }
  return list_of(keys);
}

void loader_supply(Loader& loader, std::string key, val bytes) {
  loader.session.supply(loader.requests.at(key), bytes_from(bytes));
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
      .function("flush", &Guarded<&saver_flush>::call)
      .function("take", &Guarded<&saver_take>::call)
      .function("journal", &Guarded<&saver_journal>::call)
      .function("confirm", &Guarded<&saver_confirm>::call)
      .function("rows", &Guarded<&saver_rows>::call)
      .function("batches", &Guarded<&saver_batches>::call);
  emscripten::class_<save::PartCommit>("Commit")
      .function("missing", &Guarded<&commit_missing>::call)
      .function("supply", &Guarded<&commit_supply>::call)
      .function("next", &Guarded<&commit_next>::call)
      .function("isComplete", &Guarded<&commit_is_complete>::call);
  emscripten::class_<Loader>("Loader")
      .function("config", &Guarded<&loader_config>::call)
      .function("commit", &Guarded<&loader_commit>::call)
      .function("rows", &Guarded<&loader_rows>::call)
      .function("chunkRows", &Guarded<&loader_chunk_rows>::call)
      .function("ask", &Guarded<&loader_ask>::call)
      .function("askRows", &Guarded<&loader_ask_rows>::call)
      .function("missing", &Guarded<&loader_missing>::call)
      .function("supply", &Guarded<&loader_supply>::call)
      .function("take", &Guarded<&loader_take>::call)
      .function("clear", &Guarded<&loader_clear>::call)
      .function("heldBytes", &Guarded<&loader_held_bytes>::call)
      .function("chunks", &Guarded<&loader_chunks>::call);
  emscripten::function("normalConfig", &Guarded<&normal_config>::call);
  emscripten::function("makeSaver", &Guarded<&make_saver>::call, allow_raw_pointers());
  emscripten::function("makeCommit", &Guarded<&make_commit>::call,
                       allow_raw_pointers());
  emscripten::function("makeLoader", &Guarded<&make_loader>::call,
                       allow_raw_pointers());
}

}  // namespace bev::wasm
