#include "native/save/part_writer.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/sha256.hpp"
#include "core/save/stored_rows.hpp"
#include "native/files/file.hpp"
#include "native/files/system.hpp"
#include "native/files/write_file.hpp"
#include "native/save/parts_folder.hpp"
#include "native/source/workers.hpp"

namespace bev::native {
namespace {

namespace fs = std::filesystem;
using save::DataConfig;
using save::Manifest;
using save::PartObject;

/// Calls `work` with a file that is open for reading.
///
/// Throws  io if the file cannot be opened, or `work` returns an error
template <class Work>
void with_file(const fs::path& path, const Work& work) {
  const auto name = path.string();
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) fail_write(name, errno);
  const bool is_done = work(descriptor) == 0 || errno == EINVAL;
  const int error = errno;
  ::close(descriptor);
  if (!is_done) fail_write(name, error);
}

/// Writes a file's content to the disk.
///
/// Throws  io with the system's reason, also if writing in the background has failed
void sync_file(const fs::path& path) {
  with_file(path, &sync_open_file);
}

/// Lets the system write a file's content in the background, for sync_file() later.
void begin_writing(const fs::path& path) {
  with_file(path, [](int descriptor) {
    static_cast<void>(start_writing(descriptor));
    return 0;  // errors are those of sync_file()
  });
}

void create_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) fail_write(folder.string(), error.value());
}

}  // namespace

PartWriter::PartWriter(fs::path folder, const DataConfig& config, std::uint64_t saver)
    : folder_(std::move(folder)), config_(config), journal_(config, saver) {
  lock();
  try {
    read_journal();
    remove_unnamed();
    for (const auto& attribute : config.attributes()) {
      create_folder(folder_ / attribute.name);
    }
  } catch (...) {
    ::close(lock_);
    throw;
  }
}

PartWriter::~PartWriter() {
  ::close(lock_);
}

/// Creates and locks the folder, again if the saver that had it has just removed it.
void PartWriter::lock() {
  for (;;) {
    create_folder(folder_);
    lock_ = ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock_ < 0 && errno == ENOENT) continue;
    if (lock_ < 0) fail_write(folder_.string(), errno);
    const bool is_own = ::flock(lock_, LOCK_EX | LOCK_NB) == 0;
    if (is_own && is_named(lock_, folder_)) return;
    ::close(std::exchange(lock_, -1));
    if (is_own) continue;
    fail_at(Errc::invalid_argument, folder_.string(),
            {"locked (another process saves under this number)"});
  }
}

void PartWriter::read_journal() {
  const auto path = folder_ / "manifest.json";
  const auto text = text_of_file(path);
  if (!text) return;
  journal_.resume(Manifest::parse(*text, config_, path.string()), path.string());
}

void PartWriter::remove_unnamed() const {
  std::set<fs::path> named = {folder_ / "manifest.json"};
  const auto& arrays = journal_.written().arrays;
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    for (const auto& object : arrays[i].objects) {
      named.insert(folder_ / object_key(config_.attributes()[i], object));
    }
  }
  for (const auto& attachment : journal_.written().attachments) {
    named.insert(folder_ / attachment_part_key(attachment));
  }
  std::vector<fs::path> unnamed;
  for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
    if (!entry.is_directory() && !named.contains(entry.path())) {
      unnamed.push_back(entry.path());
    }
  }
  std::error_code ignored;
  for (const auto& path : unnamed) fs::remove(path, ignored);
}

std::vector<std::byte> PartWriter::read_rest(std::size_t attribute) const {
  const auto& schema = config_.attributes()[attribute];
  std::vector<std::byte> out;
  for (const auto& object : journal_.rest(attribute)) {
    const auto rows = save::decode_rows(config_, schema, object.rows,
                                        read_object(folder_, schema, object));
    out.insert(out.end(), rows.begin(), rows.end());
  }
  return out;
}

void PartWriter::put(std::size_t attribute, const save::EncodedRows& rows,
                     bool is_rest) {
  const auto object = save::entry_of(rows);
  // Equal rows give equal bytes. The objects that the journal names stay as they are
  const bool is_known = journal_.is_written(attribute, object);
  const auto path = folder_ / object_key(config_.attributes()[attribute], object);
  if (!is_known) {
    write_file(path, rows.bytes, path.string());
    begin_writing(path);
  }
  const std::lock_guard lock(mutex_);
  journal_.add(attribute, object, is_rest);
  if (!is_known) unsynced_.push_back(path);
}

save::Attachment PartWriter::put_attachment(std::string name, const ReadAt& read_at) {
  const auto folder = folder_ / save::kAttachments;
  create_folder(folder);
  const auto partial = folder / "partial";
  NewFile copy(partial.string());
  Sha256 hash;
  save::Attachment out{std::move(name), 0, {}};
  std::vector<std::byte> block(std::size_t{1} << 20);
  for (;;) {
    const auto count = read_at(out.bytes, block);
    if (count == 0) break;
    const auto bytes = std::span(block).first(count);
    out.bytes += count;
    check_attachment(config_, out.name, out.bytes);  // the file may have grown
    hash.add(bytes);
    copy.write(bytes);
  }
  copy.commit();
  out.sha256 = hash.hex();
  std::error_code error;
  fs::rename(partial, folder_ / attachment_part_key(out), error);
  if (error) fail_write(partial.string(), error.value());
  has_attachments_ = true;
  return out;
}

/// Makes the objects put since the last journal durable.
void PartWriter::sync_objects() {
  on_threads(unsynced_.size(), [&](std::size_t i) { sync_file(unsynced_[i]); });
  unsynced_.clear();
  for (const auto& attribute : config_.attributes()) {
    sync_folder(folder_ / attribute.name);
  }
  if (has_attachments_) sync_folder(folder_ / save::kAttachments);
  sync_folder(folder_);
}

void PartWriter::drop_rest() {
  const std::lock_guard lock(mutex_);
  journal_.drop_rest();
}

void PartWriter::write_journal(Manifest next) {
  sync_objects();
  next = journal_.next(std::move(next));
  const auto text = next.to_json(config_);
  NewFile file((folder_ / "manifest.json").string());
  file.write(std::as_bytes(std::span(text)));
  file.commit();
  std::error_code ignored;
  for (const auto& key : journal_.replace(std::move(next))) {
    fs::remove(folder_ / key, ignored);
  }
}

void PartWriter::remove() {
  std::error_code error;
  fs::remove(folder_ / "manifest.json", error);  // first: no journal without objects
  fs::remove_all(folder_, error);
  if (error) fail_write(folder_.string(), error.value());
}

void check_attachment_file(const fs::path& path, const save::Attachment& entry) {
  const auto file = File::open(path.string(), path.string());
  if (!file) fail_at(Errc::missing_key, path.string(), {"not found"});
  Sha256 hash;
  std::vector<std::byte> block(std::size_t{1} << 20);
  std::uint64_t bytes = 0;
  while (const auto count = file->read_at(bytes, block)) {
    hash.add(std::span(block).first(count));
    bytes += count;
  }
  if (bytes == entry.bytes && hash.hex() == entry.sha256) return;
  fail_at(Errc::corrupt_chunk, path.string(),
          {"differs from its entry in the manifest"});
}

std::vector<std::byte> read_object(const fs::path& part,
                                   const save::Attribute& attribute,
                                   const PartObject& object) {
  const auto path = (part / object_key(attribute, object)).string();
  const auto file = File::open(path, path);
  if (!file) fail_at(Errc::missing_key, path, {"not found"});
  std::vector<std::byte> bytes(static_cast<std::size_t>(object.bytes));
  bytes.resize(file->read_at(0, bytes));
  if (file->size() == object.bytes) {
    save::check_object(object, bytes, path);
    return bytes;
  }
  fail_at(Errc::corrupt_chunk, path, {"differs from its entry in the manifest"});
}

}  // namespace bev::native
