#include <bevscope/reader_mix.hpp>
#include <utility>

#include "core/base/error.hpp"
#include "core/reader/mixture.hpp"
#include "library/reader_list.hpp"

namespace bev {

struct MixOrder::Impl {
  reader::Mixture mixture;
};

MixOrder::MixOrder(std::string_view options)
    : impl_(std::make_unique<Impl>(
          Impl{reader::Mixture(reader::mixture_from_json(options))})) {}
MixOrder::~MixOrder() = default;
MixOrder::MixOrder(MixOrder&&) noexcept = default;
MixOrder& MixOrder::operator=(MixOrder&&) noexcept = default;

std::optional<std::size_t> MixOrder::choice() const noexcept {
  return impl_->mixture.choice();
}

void MixOrder::took() noexcept {
  impl_->mixture.took();
}

void MixOrder::exhausted() {
  impl_->mixture.exhausted();
}

void MixOrder::reset() noexcept {
  impl_->mixture.reset();
}

std::string MixOrder::state(const std::vector<std::string>& readers) const {
  return impl_->mixture.state_json(readers);
}

std::vector<std::string> MixOrder::reader_states(std::string_view state) const {
  return impl_->mixture.reader_states(state);
}

void MixOrder::restore(std::string_view state) {
  impl_->mixture.restore(state);
}

std::size_t MixOrder::size() const noexcept {
  return impl_->mixture.size();
}

ReaderMix::ReaderMix(std::vector<Reader> readers, std::string_view options)
    : readers_(std::move(readers)), order_(options) {
  if (order_.size() != readers_.size()) {
    fail(Errc::invalid_argument, {"mix: wrong number of weights (found ", order_.size(),
                                  ", expected ", readers_.size(), ")"});
  }
  library::check_same_fields(readers_, "mix");
}

std::optional<ReaderMix::Batch> ReaderMix::next() {
  while (const auto chosen = order_.choice()) {
    auto& reader = readers_[*chosen];
    if (auto batch = reader.next()) {
      order_.took();
      return Batch{*chosen, *std::move(batch)};
    }
    reader.seek({reader.position().epoch + 1, 0});
    order_.exhausted();
  }
  return std::nullopt;
}

void ReaderMix::reset(std::uint64_t epoch) {
  for (auto& reader : readers_) reader.seek({epoch, 0});
  order_.reset();
}

std::string ReaderMix::state() {
  return order_.state(library::states_of(readers_));
}

void ReaderMix::restore(std::string_view state) {
  library::restore(readers_, order_.reader_states(state));
  order_.restore(state);
}

}  // namespace bev
