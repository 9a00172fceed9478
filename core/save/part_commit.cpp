#include "core/save/part_commit.hpp"

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "core/save/documents.hpp"

namespace bev::save {
namespace {

/// Prefix of the keys of the data set that is appended to.
constexpr std::string_view kBase = "base/";

std::vector<std::byte> bytes_of(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

/// Returns the documents in the order in which they are written, last one first.
std::vector<NewObject> last_first(std::map<std::string, std::string> documents) {
  std::vector<NewObject> out;
  for (const char* const key : {".zmetadata", ".zgroup", ".zattrs", "zarr.json"}) {
    const auto found = documents.find(key);
    if (found == documents.end()) continue;
    out.push_back({key, bytes_of(found->second)});
    documents.erase(found);
  }
  for (const auto& [key, text] : documents) out.push_back({key, bytes_of(text)});
  return out;
}

std::vector<Manifest> parsed(const PartCommit::Inputs& inputs) {
  std::vector<Manifest> out;
  for (const auto& text : inputs.manifests) {
    out.push_back(Manifest::parse(text, inputs.settings.config, "manifest.json"));
  }
  return ordered(std::move(out));
}

}  // namespace

PartCommit::PartCommit(const Inputs& inputs)
    : settings_(inputs.settings), parts_(parsed(inputs)) {
  id_ = fingerprint_of(settings_.base + commit_id(config(), parts_));
  if (inputs.base) {
    base_.emplace(config(), inputs.base->rows);
    base_attachments_ = inputs.base->attachments;
  } else {
    list_attachments();
    begin_array();
  }
}

void PartCommit::begin_array() {
  join_.emplace(ArrayJoin::Inputs{config(), parts_, base_ ? &*base_ : nullptr},
                attribute_);
  length_.emplace(config(), join_->schema());
  index_ = 0;
  fits_ = false;
  const auto known =
      join_->plan().chunk_rows() ? join_->plan().chunk_rows() : length_->rows();
  chunk_rows_ = known ? join_->limited(*known) : 0;
}

std::uint64_t PartCommit::rows() const noexcept {
  std::uint64_t out = 0;
  for (const auto& part : parts_) out += part.rows;
  return out;
}

std::string PartCommit::key_of(const Slice& slice) const {
  const auto key = join_->source_key(slice);
  if (join_->is_base(slice)) return std::string(kBase) + key;
  return part_name(parts_[slice.part].saver) + "/" + key;
}

/// Returns the rows that the next step needs.
std::vector<Slice> PartCommit::slices() const {
  if (attribute_ == config().attributes().size()) return {};
  if (chunk_rows_ == 0) return join_->sample(*length_);
  auto chunk = join_->chunk(index_, chunk_rows_);
  if (!fits_ && chunk.is_copy) return {};
  return std::move(chunk.slices);
}

std::vector<std::string> PartCommit::missing() const {
  std::vector<std::string> out;
  if (!join_) {
    for (const auto& key : base_->missing()) out.push_back(std::string(kBase) + key);
    return out;
  }
  if (const auto* const next = next_attachment()) {
    const auto& key = attached_in_.at(next->name);
    if (!held_.contains(key)) out.push_back(key);
  }
  for (const auto& slice : slices()) {
    auto key = key_of(slice);
    if (!held_.contains(key)) out.push_back(std::move(key));
  }
  return out;
}

void PartCommit::supply(const std::string& key, std::vector<std::byte> bytes) {
  if (!join_) {
    const auto absent = missing();
    if (absent.empty() || key != absent.front()) {
      fail_at(Errc::not_found, key, {"not the first missing object"});
    }
    base_->supply({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, key);
    return;
  }
  const auto* const next = next_attachment();
  if (next != nullptr && attached_in_.at(next->name) == key) {
    check_attachment_bytes(*next, bytes, key);
    held_[key] = std::move(bytes);
    return;
  }
  for (const auto& slice : slices()) {
    if (key_of(slice) != key) continue;
    if (!join_->is_base(slice)) check_object(join_->plan().object(slice), bytes, key);
    held_[key] = std::move(bytes);
    return;
  }
  fail_at(Errc::not_found, key, {"not a missing object"});
}

ArrayJoin::Read PartCommit::read() const {
  return [this](const Slice& slice) { return std::span(held_.at(key_of(slice))); };
}

void PartCommit::find_length() {
  const auto rows = join_->decoded(slices(), read());
  const auto found = join_->tried(*length_, rows);
  if (!found) return;
  held_.clear();
  chunk_rows_ = join_->limited(*found);
}

std::optional<NewObject> PartCommit::next() {
  if (const auto absent = missing(); !absent.empty()) {
    fail_at(Errc::invalid_argument, absent.front(), {"missing"});
  }
  if (!join_) {
    parts_.insert(parts_.begin(), base_->manifest());
    parts_.front().attachments = base_attachments_;
    list_attachments();
    begin_array();
    return std::nullopt;
  }
  if (next_attachment() != nullptr) return attachment();
  if (attribute_ == config().attributes().size()) return document();
  if (chunk_rows_ == 0) {
    find_length();
    return std::nullopt;
  }
  if (index_ * chunk_rows_ < join_->plan().rows()) {
    if (fits_) return chunk();
    check_chunk();
  } else if (!fits_) {
    fits_ = true;
    index_ = 0;
  } else {
    shapes_.push_back({join_->plan().rows(), chunk_rows_});
    if (++attribute_ < config().attributes().size()) begin_array();
  }
  return std::nullopt;
}

/// Encodes a chunk that is not an object of the part. If it exceeds the limit, all
/// chunks get fewer rows. Objects of the part are within the limit.
void PartCommit::check_chunk() {
  if (!join_->chunk(index_, chunk_rows_).is_copy) {
    const auto found = encoded().size();
    if (found > config().max_chunk_size()) {
      chunk_rows_ = ChunkLength::shortened(config(), chunk_rows_, found);
      index_ = 0;
      held_.clear();
      return;
    }
    keep_last();
  }
  ++index_;
}

/// Encodes the chunk of this step.
std::vector<std::byte> PartCommit::encoded() const {
  const auto planned = join_->chunk(index_, chunk_rows_);
  if (planned.is_copy) return held_.at(key_of(planned.slices[0]));
  return join_->encoded(planned, chunk_rows_, read());
}

/// Drops the objects that the next chunk cannot begin in.
void PartCommit::keep_last() {
  const auto last = key_of(join_->chunk(index_, chunk_rows_).slices.back());
  std::erase_if(held_, [&](const auto& held) { return held.first != last; });
}

/// Encodes a chunk. Returns its object; nullopt for a shard that needs more chunks.
std::optional<NewObject> PartCommit::chunk() {
  NewObject out{join_->key(index_, chunk_rows_), encoded()};
  keep_last();
  const auto per_shard = static_cast<std::size_t>(config().chunks_per_shard());
  const auto at = index_++;
  if (per_shard == 0) return out;
  shard_[static_cast<std::size_t>(at % per_shard)] = std::move(out.bytes);
  const bool is_last = index_ * chunk_rows_ >= join_->plan().rows();
  if (!is_last && index_ % per_shard != 0) return std::nullopt;
  out.bytes = zarr::encode_shard(std::exchange(shard_, {}), per_shard);
  return out;
}

/// Joins the attachments of all parts, of which each is read from the first part that
/// has it.
void PartCommit::list_attachments() {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    join_attachments(attachments_, parts_[i].attachments);
    for (const auto& each : parts_[i].attachments) {
      attached_in_.try_emplace(
          each.name, base_ && i == 0 ? std::string(kBase) + attachment_key(each)
                                     : part_name(parts_[i].saver) + "/" +
                                           attachment_part_key(each));
    }
  }
}

/// Returns the attachment of this step; null if there is none.
const Attachment* PartCommit::next_attachment() const {
  const bool are_chunks_done = join_ && attribute_ == config().attributes().size();
  return are_chunks_done && attached_ < attachments_.size() ? &attachments_[attached_]
                                                            : nullptr;
}

std::optional<NewObject> PartCommit::attachment() {
  const auto& next = *next_attachment();
  NewObject out{attachment_key(next), held_.at(attached_in_.at(next.name))};
  held_.clear();
  ++attached_;
  return out;
}

std::optional<NewObject> PartCommit::document() {
  if (shapes_.size() == config().attributes().size() && documents_.empty() &&
      !is_complete_) {
    documents_ =
        last_first(documents_of({config(), rows(), id_, attachments_}, shapes_));
  }
  if (documents_.empty()) return std::nullopt;
  auto out = std::move(documents_.back());
  documents_.pop_back();
  is_complete_ = documents_.empty();
  return out;
}

}  // namespace bev::save
