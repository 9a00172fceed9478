#include "core/scan/reader_samples.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "core/base/error.hpp"
#include "core/engine/state.hpp"
#include "core/sample/config.hpp"

namespace bev {
namespace {

using reader::SampleImages;
using reader::SampleItems;

constexpr std::string_view kImage = "image";

/// Samples whose chunks are requested together with those of the next one.
constexpr std::size_t kRequestedTogether = 8;

bool has_field(const reader::Plan& plan, std::string_view name) {
  return !plan.fields || std::find(plan.fields->begin(), plan.fields->end(), name) !=
                             plan.fields->end();
}

ImageForm form_of(const reader::Plan& plan) {
  if (!has_field(plan, kImage)) return ImageForm::none;
  switch (plan.sample->image) {
    case SampleImages::none: return ImageForm::none;
    case SampleImages::f32: return ImageForm::f32;
    case SampleImages::u8: return ImageForm::u8;
  }
  return ImageForm::none;
}

SampleOptions options_of(const reader::Plan& plan) {
  SampleOptions out;
  out.config = plan.sample->config;
  out.kind = plan.from == "agents" ? SampleKind::agent : SampleKind::ego;
  out.vectorized = plan.sample->vectorized;
  out.image = form_of(plan);
  return out;
}

AgentIndexOptions index_options_of(const SampleItems& items) {
  const auto config = sample::Config::parse(items.config);
  AgentIndexOptions out;
  out.rules.label_threshold = config.number("raster_params.filter_agents_threshold");
  out.minima = {items.min_frame_history, items.min_frame_future};
  out.use_stored = items.use_stored;
  return out;
}

/// Bytes of an element of a type of SampleQuery's arrays: the digit of "<f4".
std::size_t element_size(std::string_view dtype) {
  return static_cast<std::size_t>(dtype.back() - '0');
}

}  // namespace

ReaderSamples::ReaderSamples(std::shared_ptr<EngineState> state,
                             const reader::Plan& plan)
    : state_(std::move(state)), plan_(plan), of_agents_(plan.from == "agents") {}

void ReaderSamples::make_query() {
  auto query = std::make_unique<SampleQuery>(state_, options_of(plan_), maps_);
  results_.clear();
  query->describe(results_);
  add_outputs();
  query_ = std::move(query);
}

void ReaderSamples::add_outputs() {
  outputs_.clear();
  std::string known;
  std::uint64_t bytes = 0;
  std::size_t position = 0;
  for (const auto& array : results_.arrays()) {
    known += (known.empty() ? "" : ", ") + array.name;
    if (has_field(plan_, array.name)) {
      Output out{array.name, array.dtype, {0}, element_size(array.dtype), position};
      for (const auto length : array.shape) {
        out.shape.push_back(length);
        out.bytes_of_item *= length;
      }
      bytes += out.bytes_of_item;
      outputs_.push_back(std::move(out));
    }
    ++position;
  }
  if (plan_.fields) {
    for (const auto& name : *plan_.fields) {
      const auto is_it = [&](const Output& one) { return one.name == name; };
      if (std::any_of(outputs_.begin(), outputs_.end(), is_it)) continue;
      fail_at(Errc::not_found, "plan.fields",
              {"samples have no array ", name, " (expected one of ", known, ")"});
    }
  }
  if (bytes * plan_.batch.size <= kMaxBytes) return;
  fail(Errc::limit_exceeded,
       {"plan.batch.size: too large for samples (found ", plan_.batch.size, " of ",
        bytes, " bytes, limit ", kMaxBytes, " bytes)"});
}

bool ReaderSamples::open(store::Reader& reader) {
  if (of_agents_ && !agents_) agents_.emplace(state_, index_options_of(*plan_.sample));
  if (!query_ && !(plan_.fields && plan_.fields->empty())) make_query();
  return !agents_ || agents_->index() || agents_->gather(reader);
}

void ReaderSamples::keep_items(ReaderItems& items, std::size_t first) const {
  if (!agents_) return;
  const auto& index = *agents_->index();
  const auto begin = items.rows.begin() + static_cast<std::ptrdiff_t>(first);
  items.rows.erase(
      std::remove_if(begin, items.rows.end(),
                     [&](const TableRow& row) { return !index.item_of(row.row); }),
      items.rows.end());
  items.block_ends.back() = items.rows.size();
}

std::vector<reader::BatchField> ReaderSamples::fields() const {
  std::vector<reader::BatchField> out;
  for (const auto& one : outputs_) {
    out.push_back({one.name, one.dtype, {one.shape.begin() + 1, one.shape.end()}});
  }
  if (plan_.shard.equal == reader::Equal::pad) out.push_back({"padded", "|b1", {}});
  return out;
}

void ReaderSamples::clear() noexcept {
  rows_.clear();
  padded_.clear();
  built_ = 0;
}

void ReaderSamples::select(std::int64_t row) {
  if (of_agents_) {
    query_->at_agent(row);
  } else {
    query_->at_frame(row);
  }
}

bool ReaderSamples::gather(store::Reader& reader, const ReaderBatch& batch) {
  if (!query_) return true;
  if (built_ == 0) {
    rows_ = batch.rows();
    const auto padded = batch.padded();
    padded_.assign(padded.begin(), padded.end());
    for (auto& output : outputs_) {
      output.shape[0] = rows_.size();
      output.bytes.resize(rows_.size() * output.bytes_of_item);
    }
  }
  for (; built_ < rows_.size(); ++built_) {
    select(rows_[built_]);
    if (!query_->gather(reader)) {
      request_next(reader, std::span(rows_).subspan(built_ + 1));
      return false;
    }
    build(built_);
    reader.release_pins();
  }
  return true;
}

/// Records the chunks that the next samples need, so that the host reads them together.
void ReaderSamples::request_next(store::Reader& reader,
                                 std::span<const std::int64_t> rows) {
  for (const auto row : rows.first(std::min(rows.size(), kRequestedTogether))) {
    select(row);
    static_cast<void>(query_->gather(reader));
  }
}

void ReaderSamples::build(std::size_t item) {
  for (auto& output : outputs_) {
    if (output.name != kImage) continue;
    query_->draw_into(std::span(output.bytes)
                          .subspan(item * output.bytes_of_item, output.bytes_of_item));
  }
  results_.clear();
  query_->derive(results_);
  for (auto& output : outputs_) {
    const auto& array = results_.arrays()[output.position];
    if (array.name != output.name || array.bytes.size() != output.bytes_of_item) {
      fail(Errc::internal, {"sample: unexpected array ", array.name});
    }
    auto* const to = output.bytes.data() + item * output.bytes_of_item;
    if (array.bytes.data() != to)
      std::memcpy(to, array.bytes.data(), array.bytes.size());
  }
}

void ReaderSamples::emit(ResultSet& results) {
  for (const auto& output : outputs_) {
    results.add(output.name, output.dtype, output.shape, output.bytes);
  }
  if (plan_.shard.equal == reader::Equal::pad) results.add("padded", "|b1", padded_);
}

std::shared_ptr<const void> ReaderSamples::take_memory() {
  struct Memory {
    std::vector<RawBytes> bytes;
    std::vector<std::uint8_t> padded;
  };
  auto out = std::make_shared<Memory>();
  for (auto& output : outputs_) {
    out->bytes.push_back(std::exchange(output.bytes, {}));
  }
  out->padded = std::exchange(padded_, {});
  return out;
}

}  // namespace bev
