#include <bevscope/saver.hpp>
#include <utility>

#include "core/save/batch.hpp"
#include "core/save/config.hpp"
#include "native/save/commit_parts.hpp"
#include "native/save/data_saver.hpp"
#include "native/save/list_datasets.hpp"

namespace bev {
namespace {

native::SaveMode mode_of(SaveMode mode) {
  switch (mode) {
    case SaveMode::create: return native::SaveMode::create;
    case SaveMode::append: return native::SaveMode::append;
    case SaveMode::replace: break;
  }
  return native::SaveMode::replace;
}

}  // namespace

struct DataSaver::Impl {
  native::DataSaver saver;
};

DataSaver::DataSaver(const std::string& store, const std::string& config_json,
                     const SaverOptions& options)
    : impl_(new Impl{{store,
                      save::DataConfig::parse(config_json),
                      {.saver = options.saver,
                       .mode = mode_of(options.mode),
                       .threads = options.threads,
                       .queue_bytes = options.queue_bytes,
                       .upload = options.upload}}}) {}

DataSaver::~DataSaver() = default;

void DataSaver::save(std::span<const SavedArray> arrays) {
  std::vector<save::BatchArray> batch;
  for (const auto& array : arrays) {
    batch.push_back({array.name, array.dtype, array.shape, array.bytes});
  }
  impl_->saver.save(batch);
}

void DataSaver::attach_file(const std::string& name, const std::string& path) {
  impl_->saver.attach_file(name, path);
}

void DataSaver::attach(const std::string& name, std::span<const std::byte> bytes) {
  impl_->saver.attach(name, bytes);
}

void DataSaver::flush() {
  impl_->saver.flush();
}

void DataSaver::finish() {
  impl_->saver.finish();
}

void DataSaver::commit() {
  impl_->saver.commit();
}

void DataSaver::abort() {
  impl_->saver.abort();
}

std::uint64_t DataSaver::rows() const noexcept {
  return impl_->saver.rows();
}

std::uint64_t DataSaver::batches() const noexcept {
  return impl_->saver.batches();
}

std::string complete_config(const std::string& config_json) {
  return save::DataConfig::parse(config_json).to_json();
}

std::string config_fingerprint(const std::string& config_json) {
  return save::DataConfig::parse(config_json).fingerprint();
}

std::uint64_t commit_parts(const std::string& store) {
  return native::commit_parts(store);
}

std::uint64_t commit_parts(const std::string& store, std::uint64_t savers) {
  return native::commit_parts(store, savers);
}

bool discard_parts(const std::string& store) {
  return native::discard_parts(store);
}

std::vector<SavedDataset> list_datasets(const std::string& path) {
  std::vector<SavedDataset> out;
  for (const auto& found : native::list_datasets(path)) {
    out.push_back({found.path, found.config.name(), found.config.to_json(), found.rows,
                   found.objects, found.bytes, found.has_parts});
  }
  return out;
}

}  // namespace bev
