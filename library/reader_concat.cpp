#include <bevscope/reader_concat.hpp>
#include <utility>

#include "core/reader/concatenation.hpp"
#include "library/reader_list.hpp"

namespace bev {

struct ConcatOrder::Impl {
  reader::Concatenation concatenation;
};

ConcatOrder::ConcatOrder(std::size_t readers)
    : impl_(std::make_unique<Impl>(Impl{reader::Concatenation(readers)})) {}
ConcatOrder::~ConcatOrder() = default;
ConcatOrder::ConcatOrder(ConcatOrder&&) noexcept = default;
ConcatOrder& ConcatOrder::operator=(ConcatOrder&&) noexcept = default;

std::optional<std::size_t> ConcatOrder::choice() const noexcept {
  return impl_->concatenation.choice();
}

void ConcatOrder::exhausted() noexcept {
  impl_->concatenation.exhausted();
}

void ConcatOrder::reset() noexcept {
  impl_->concatenation.reset();
}

std::string ConcatOrder::state(const std::vector<std::string>& readers) const {
  return impl_->concatenation.state_json(readers);
}

std::vector<std::string> ConcatOrder::reader_states(std::string_view state) const {
  return impl_->concatenation.reader_states(state);
}

void ConcatOrder::restore(std::string_view state) {
  impl_->concatenation.restore(state);
}

ReaderConcat::ReaderConcat(std::vector<Reader> readers)
    : readers_(std::move(readers)), order_(readers_.size()) {
  library::check_same_fields(readers_, "concat");
}

std::optional<ReaderConcat::Batch> ReaderConcat::next() {
  while (const auto chosen = order_.choice()) {
    auto& reader = readers_[*chosen];
    if (auto batch = reader.next()) return Batch{*chosen, *std::move(batch)};
    reader.seek({reader.position().epoch + 1, 0});
    order_.exhausted();
  }
  return std::nullopt;
}

void ReaderConcat::reset(std::uint64_t epoch) {
  for (auto& reader : readers_) reader.seek({epoch, 0});
  order_.reset();
}

std::uint64_t ReaderConcat::length() {
  std::uint64_t count = 0;
  for (auto& reader : readers_) count += reader.length();
  return count;
}

std::string ReaderConcat::state() {
  return order_.state(library::states_of(readers_));
}

void ReaderConcat::restore(std::string_view state) {
  library::restore(readers_, order_.reader_states(state));
  order_.restore(state);
}

}  // namespace bev
