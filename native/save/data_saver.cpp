#include "native/save/data_saver.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/save/chunker.hpp"
#include "native/files/file.hpp"
#include "native/save/commit_parts.hpp"
#include "native/save/part_writer.hpp"
#include "native/save/remote_parts.hpp"
#include "native/save/write_queue.hpp"

namespace bev::native {

using save::Chunker;
using save::Manifest;
using save::RowBlock;

class DataSaver::Impl {
 public:
  Impl(std::string store, const save::DataConfig& config, const SaverOptions& options)
      : store_(std::move(store)),
        config_(config),
        saver_(options.saver),
        uploads_(checked_upload(store_, options.upload)),
        chunkers_(chunkers_of(config)),
        parts_(std::in_place, store_, config, options.mode),
        part_(std::in_place, parts_->part(options.saver), config, options.saver),
        queue_(std::in_place, options.threads, options.queue_bytes),
        next_(part_->journal()) {
    next_.complete = false;
    for (std::size_t i = 0; i < chunkers_.size(); ++i) {
      const auto& array = next_.arrays[i];
      const auto rows = next_.rows_of(i);
      chunkers_[i].resume(full_rows(array, rows), array.chunk_rows);
      chunkers_[i].append(part_->read_rest(i));
    }
  }

  void save(std::span<const save::BatchArray> arrays) {
    check_open();
    auto batch = checked_batch(config_, arrays);
    broken_ = true;
    count_batch(config_, batch, next_);
    for (std::size_t i = 0; i < chunkers_.size(); ++i) append(i, batch.columns[i]);
    broken_ = false;
  }

  void attach(std::string name, std::uint64_t bytes, const ReadAt& read_at) {
    check_open();
    check_attachment(config_, name, bytes);
    auto entry = part_->put_attachment(std::move(name), read_at);
    replace_attachment(next_.attachments, std::move(entry));
  }

  void flush(bool complete) {
    check_open();
    broken_ = true;
    queue_->wait();
    part_->drop_rest();
    for (std::size_t i = 0; i < chunkers_.size(); ++i) {
      next_.arrays[i].chunk_rows = chunkers_[i].chunk_rows();
      add(i, chunkers_[i].rest(), true);
    }
    queue_->wait();
    next_.complete = complete;
    part_->write_journal(next_);
    broken_ = false;
  }

  void finish() {
    flush(true);
    if (uploads_) {
      upload_part(store_, parts_->settings(), saver_, parts_->part(saver_));
      part_->remove();
    }
    close();
    if (uploads_) PartsFolder::remove_if_empty(store_);
  }

  void abort() {
    if (!part_) check_open();
    queue_.reset();
    part_->remove();
    close();
    PartsFolder::remove_if_empty(store_);
  }

  /// Holds the part's lock until its rows are joined, so that no other saver of this
  /// number goes on with it.
  void commit() {
    if (uploads_) {
      fail_at(Errc::invalid_argument, store_,
              {"the part is uploaded: finish it, and commit those of all savers"});
    }
    flush(true);
    queue_.reset();
    parts_.reset();
    try {
      commit_parts(store_);
    } catch (...) {
      close();
      throw;
    }
    close();
  }

  const Manifest& progress() const noexcept { return next_; }

  std::size_t peak_queue_bytes() const { return queue_ ? queue_->peak_bytes() : 0; }

 private:
  static bool checked_upload(const std::string& store, bool upload) {
    if (!upload || is_s3(store)) return upload;
    fail_at(Errc::invalid_argument, store, {"upload needs a data set in S3"});
  }

  static std::vector<Chunker> chunkers_of(const save::DataConfig& config) {
    std::vector<Chunker> out;
    for (const auto& attribute : config.attributes()) {
      out.emplace_back(config, attribute);
    }
    return out;
  }

  void check_open() {
    if (!part_) fail_at(Errc::invalid_argument, store_, {"the saver has ended"});
    if (!broken_) return;
    queue_->wait();  // rethrows the error, if it was one of a job
    fail_at(Errc::invalid_argument, store_,
            {"an earlier call failed; construct the saver again to resume"});
  }

  void close() {
    queue_.reset();
    part_.reset();
    parts_.reset();
  }

  /// Appends rows in steps of about an object, so that a batch larger than the queue
  /// is not held twice.
  void append(std::size_t attribute, std::span<const std::byte> rows) {
    const auto row = config_.attributes()[attribute].row_bytes();
    const auto limit = static_cast<std::size_t>(config_.max_chunk_size());
    const auto step = std::max<std::size_t>(limit / row, 1) * row;
    auto& chunker = chunkers_[attribute];
    do {
      const auto count = std::min(step, rows.size());
      chunker.append(rows.first(count));
      rows = rows.subspan(count);
      while (auto block = chunker.take()) add(attribute, std::move(*block), false);
    } while (!rows.empty());
  }

  void add(std::size_t attribute, RowBlock block, bool is_rest) {
    const auto bytes = block.bytes.size();
    queue_->add(bytes, [this, attribute, is_rest, block = std::move(block)] {
      const auto& schema = config_.attributes()[attribute];
      for (const auto& rows :
           encode_within_limit(config_, schema, block.first, block.bytes)) {
        part_->put(attribute, rows, is_rest);
      }
    });
  }

  std::string store_;
  const save::DataConfig config_;
  const std::uint64_t saver_;
  const bool uploads_;
  std::vector<Chunker> chunkers_;
  std::optional<PartsFolder> parts_;
  std::optional<PartWriter> part_;
  std::optional<WriteQueue> queue_;  // ends first: its jobs use the others
  Manifest next_;
  bool broken_ = false;  // a call failed after it had begun
};

DataSaver::DataSaver(const std::string& store, const save::DataConfig& config,
                     const SaverOptions& options)
    : impl_(std::make_unique<Impl>(store, config, options)) {}

DataSaver::~DataSaver() = default;

void DataSaver::save(std::span<const save::BatchArray> arrays) {
  impl_->save(arrays);
}

void DataSaver::attach_file(std::string name, const std::string& path) {
  const auto file = File::open(path, path);
  if (!file) fail_at(Errc::not_found, path, {"not found"});
  impl_->attach(std::move(name), file->size(),
                [&](std::uint64_t at, auto out) { return file->read_at(at, out); });
}

void DataSaver::attach(std::string name, std::span<const std::byte> bytes) {
  impl_->attach(std::move(name), bytes.size(), [&](std::uint64_t at, auto out) {
    const auto rest = bytes.subspan(static_cast<std::size_t>(at));
    const auto count = std::min(rest.size(), out.size());
    std::copy_n(rest.begin(), count, out.begin());
    return count;
  });
}

void DataSaver::flush() {
  impl_->flush(false);
}

void DataSaver::finish() {
  impl_->finish();
}

void DataSaver::commit() {
  impl_->commit();
}

void DataSaver::abort() {
  impl_->abort();
}

std::uint64_t DataSaver::rows() const noexcept {
  return impl_->progress().rows;
}

std::uint64_t DataSaver::batches() const noexcept {
  return impl_->progress().batches;
}

std::size_t DataSaver::peak_queue_bytes() const {
  return impl_->peak_queue_bytes();
}

}  // namespace bev::native
