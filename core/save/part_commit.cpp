#include "core/save/part_commit.hpp"

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "core/save/documents.hpp"

namespace bev::save {
namespace {

constexpr std::string_view kKey = "manifest.json";

std::vector<std::byte> bytes_of(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

/// Returns the documents in the order in which they are written, last one first.
std::vector<NewObject> last_first(std::map<std::string, std::string> documents) {
  std::vector<NewObject> out;
  for (const char* const key : {".zmetadata", ".zgroup", ".zattrs"}) {
    out.push_back({key, bytes_of(documents.at(key))});
    documents.erase(key);
  }
  for (const auto& [key, text] : documents) out.push_back({key, bytes_of(text)});
  return out;
}

}  // namespace

PartCommit::PartCommit(const DataConfig& config, std::string_view manifest)
    : config_(config), parts_(ordered({Manifest::parse(manifest, config, kKey)})) {
  begin_array();
}

void PartCommit::begin_array() {
  plan_.emplace(parts_, attribute_);
  length_.emplace(config_, schema());
  index_ = 0;
  fits_ = false;
  // An only chunk is not padded
  const auto most = std::max<std::uint64_t>(plan_->rows(), 1);
  const auto known = plan_->chunk_rows() ? plan_->chunk_rows() : length_->rows();
  chunk_rows_ = known ? std::min(*known, most) : 0;
}

std::string PartCommit::key_of(const Slice& slice) const {
  return object_key(schema(), plan_->object(slice));
}

/// Returns the rows that the next step needs.
std::vector<Slice> PartCommit::slices() const {
  if (attribute_ == config_.attributes().size()) return {};
  if (chunk_rows_ == 0) {
    return plan_->slices(0, std::min(length_->needed(), plan_->rows()));
  }
  auto chunk = plan_->chunk(index_, chunk_rows_);
  if (!fits_ && chunk.is_copy) return {};
  return std::move(chunk.slices);
}

std::vector<std::string> PartCommit::missing() const {
  std::vector<std::string> out;
  for (const auto& slice : slices()) {
    auto key = key_of(slice);
    if (!held_.contains(key)) out.push_back(std::move(key));
  }
  return out;
}

void PartCommit::supply(const std::string& key, std::vector<std::byte> bytes) {
  for (const auto& slice : slices()) {
    if (key_of(slice) != key) continue;
    check_object(plan_->object(slice), bytes, key);
    held_[key] = std::move(bytes);
    return;
  }
  fail_at(Errc::not_found, key, {"not a missing object"});
}

std::vector<std::byte> PartCommit::decoded() const {
  const auto row = schema().row_bytes();
  std::vector<std::byte> out;
  for (const auto& slice : slices()) {
    const auto count = plan_->object(slice).rows;
    const auto all = decode_rows(config_, schema(), count, held_.at(key_of(slice)));
    const auto rows =
        std::span(all).subspan(static_cast<std::size_t>(slice.begin) * row,
                               static_cast<std::size_t>(slice.end - slice.begin) * row);
    out.insert(out.end(), rows.begin(), rows.end());
  }
  return out;
}

void PartCommit::find_length() {
  const auto rows = decoded();
  const bool is_all = length_->needed() > plan_->rows();
  if (!is_all) length_->search(rows);
  const auto found = is_all ? length_->finish(rows) : length_->rows();
  if (!found) return;
  held_.clear();
  chunk_rows_ = std::min(*found, std::max<std::uint64_t>(plan_->rows(), 1));
}

std::optional<NewObject> PartCommit::next() {
  if (const auto absent = missing(); !absent.empty()) {
    fail_at(Errc::invalid_argument, absent.front(), {"missing"});
  }
  if (attribute_ == config_.attributes().size()) return document();
  if (chunk_rows_ == 0) {
    find_length();
    return std::nullopt;
  }
  if (index_ * chunk_rows_ < plan_->rows()) {
    if (fits_) return chunk();
    check_chunk();
  } else if (!fits_) {
    fits_ = true;
    index_ = 0;
  } else {
    lengths_.push_back(chunk_rows_);
    if (++attribute_ < config_.attributes().size()) begin_array();
  }
  return std::nullopt;
}

/// Encodes a chunk that is not an object of the part. If it exceeds the limit, all
/// chunks get fewer rows. Objects of the part are within the limit.
void PartCommit::check_chunk() {
  if (!plan_->chunk(index_, chunk_rows_).is_copy) {
    const auto found = encoded().size();
    if (found > config_.max_object_size()) {
      chunk_rows_ = ChunkLength::shortened(config_, chunk_rows_, found);
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
  const auto planned = plan_->chunk(index_, chunk_rows_);
  if (planned.is_copy) return held_.at(key_of(planned.slices[0]));
  auto rows = decoded();
  rows.resize(static_cast<std::size_t>(chunk_rows_) * schema().row_bytes());
  return encode_rows(config_, schema(), rows);
}

/// Drops the objects that the next chunk cannot begin in.
void PartCommit::keep_last() {
  const auto last = key_of(plan_->chunk(index_, chunk_rows_).slices.back());
  std::erase_if(held_, [&](const auto& held) { return held.first != last; });
}

NewObject PartCommit::chunk() {
  const auto meta = config_.array_meta(schema(), plan_->rows(), chunk_rows_);
  std::vector<std::uint64_t> place(meta.shape.size());
  place[0] = index_;
  NewObject out{schema().name + "/" + zarr::chunk_key(meta, place), encoded()};
  keep_last();
  ++index_;
  return out;
}

std::optional<NewObject> PartCommit::document() {
  if (lengths_.size() == config_.attributes().size() && documents_.empty() &&
      !is_complete_) {
    // The identity that native::commit_parts() gives to a data set without predecessor
    const Committed committed{config_, rows(),
                              fingerprint_of(commit_id(config_, parts_))};
    documents_ = last_first(documents_of(committed, lengths_));
  }
  if (documents_.empty()) return std::nullopt;
  auto out = std::move(documents_.back());
  documents_.pop_back();
  is_complete_ = documents_.empty();
  return out;
}

}  // namespace bev::save
