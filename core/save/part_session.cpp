#include "core/save/part_session.hpp"

#include <utility>

#include "core/base/error.hpp"

namespace bev::save {
namespace {

constexpr std::string_view kSaver = "saver";

std::vector<Chunker> chunkers_of(const DataConfig& config) {
  std::vector<Chunker> out;
  for (const auto& attribute : config.attributes()) out.emplace_back(config, attribute);
  return out;
}

}  // namespace

PartSession::PartSession(const DataConfig& config, std::uint64_t saver)
    : config_(config),
      chunkers_(chunkers_of(config)),
      journal_(config, saver),
      next_(journal_.written()) {}

void PartSession::resume(std::string_view journal) {
  constexpr std::string_view kKey = "manifest.json";
  journal_.resume(Manifest::parse(journal, config_, kKey), kKey);
  next_ = journal_.written();
  next_.complete = false;
  for (std::size_t i = 0; i < chunkers_.size(); ++i) {
    const auto& array = next_.arrays[i];
    const auto rows = next_.rows_of(i);
    chunkers_[i].resume(full_rows(array, rows), array.chunk_rows);
    for (const auto& object : journal_.rest(i)) needed_.push_back({i, object});
  }
}

std::optional<std::string> PartSession::needed() const {
  if (needed_.empty()) return std::nullopt;
  const auto& [attribute, object] = needed_.front();
  return object_key(config_.attributes()[attribute], object);
}

void PartSession::supply(std::span<const std::byte> bytes) {
  const auto key = needed();
  if (!key) fail_at(Errc::invalid_argument, kSaver, {"needs no object"});
  const auto& [attribute, object] = needed_.front();
  check_object(object, bytes, *key);
  chunkers_[attribute].append(
      decode_rows(config_, config_.attributes()[attribute], object.rows, bytes));
  needed_.pop_front();
}

void PartSession::check_open() const {
  if (broken_) {
    fail_at(Errc::invalid_argument, kSaver,
            {"an earlier call failed; construct the saver again to resume"});
  }
  if (!needed_.empty()) {
    fail_at(Errc::invalid_argument, kSaver, {"needs object ", *needed()});
  }
}

void PartSession::save(std::span<const BatchArray> arrays) {
  check_open();
  auto batch = checked_batch(config_, arrays);
  broken_ = true;
  flushed_ = false;
  count_batch(config_, batch, next_);
  for (std::size_t i = 0; i < chunkers_.size(); ++i) {
    chunkers_[i].append(batch.columns[i]);
  }
  broken_ = false;
}

void PartSession::attach(std::string name, std::vector<std::byte> bytes) {
  check_open();
  check_attachment(config_, name, bytes.size());
  auto entry = attachment_of(std::move(name), bytes);
  const auto key = attachment_part_key(entry);
  replace_attachment(next_.attachments, std::move(entry));
  objects_.push_back({key, std::move(bytes)});
  flushed_ = false;
}

/// Moves the full chunks to the blocks to be encoded.
void PartSession::collect() {
  for (std::size_t i = 0; i < chunkers_.size(); ++i) {
    while (auto block = chunkers_[i].take()) {
      blocks_.push_back({i, std::move(*block), false});
    }
  }
}

void PartSession::flush() {
  check_open();
  broken_ = true;
  collect();
  journal_.drop_rest();
  for (std::size_t i = 0; i < chunkers_.size(); ++i) {
    next_.arrays[i].chunk_rows = chunkers_[i].chunk_rows();
    blocks_.push_back({i, chunkers_[i].rest(), true});
  }
  flushed_ = true;
  broken_ = false;
}

std::optional<NewObject> PartSession::take() {
  check_open();
  broken_ = true;
  collect();
  while (objects_.empty() && !blocks_.empty()) {
    encode(blocks_.front());
    blocks_.pop_front();
  }
  broken_ = false;
  if (objects_.empty()) return std::nullopt;
  auto out = std::move(objects_.front());
  objects_.pop_front();
  return out;
}

void PartSession::encode(const Block& block) {
  const auto& attribute = config_.attributes()[block.attribute];
  const auto& [first, bytes] = block.rows;
  for (auto& rows : encode_within_limit(config_, attribute, first, bytes)) {
    const auto entry = entry_of(rows);
    if (!journal_.is_written(block.attribute, entry)) {
      objects_.push_back({object_key(attribute, entry), std::move(rows.bytes)});
    }
    journal_.add(block.attribute, entry, block.is_rest);
  }
}

std::string PartSession::journal(bool complete) {
  check_open();
  if (!flushed_ || !blocks_.empty() || !objects_.empty()) {
    fail_at(Errc::invalid_argument, kSaver, {"has objects to be written"});
  }
  next_.complete = complete;
  next_ = journal_.next(next_);
  return next_.to_json(config_);
}

std::vector<std::string> PartSession::confirm() {
  check_open();
  return journal_.replace(next_);
}

}  // namespace bev::save
