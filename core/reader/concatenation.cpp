#include "core/reader/concatenation.hpp"

#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "core/reader/json_members.hpp"

namespace bev::reader {
namespace {

using nlohmann::json;
using zarr::JsonView;

struct State {
  std::size_t at;
  std::vector<std::string> readers;
};

State state_from(std::string_view text, std::size_t count) {
  const auto tree = parsed_json(text, "concat: state", Concatenation::kMaxStateBytes);
  const JsonView state(tree);
  const auto at = state["concat"].count();
  const auto readers = state["readers"];
  if (!state["version"].is(1) || !at || !readers.is_list()) {
    fail(Errc::invalid_argument, {"concat: not a state of concatenated readers"});
  }
  if (readers.size() != count || *at > count) {
    fail(Errc::invalid_argument, {"concat: state belongs to other readers (found ",
                                  readers.size(), " readers, expected ", count, ")"});
  }
  State out{static_cast<std::size_t>(*at), {}};
  for (std::size_t i = 0; i < count; ++i) {
    const auto one = readers.at(i).text();
    if (!one) fail_value("concat: state", readers.at(i), "a reader's state");
    out.readers.emplace_back(*one);
  }
  return out;
}

}  // namespace

Concatenation::Concatenation(std::size_t readers) : count_(readers) {
  if (readers == 0) fail(Errc::invalid_argument, {"concat: no readers"});
  if (readers > kMaxReaders) {
    fail(Errc::limit_exceeded,
         {"concat: too many readers (found ", readers, ", limit ", kMaxReaders, ")"});
  }
}

std::optional<std::size_t> Concatenation::choice() const noexcept {
  return at_ < count_ ? std::optional(at_) : std::nullopt;
}

void Concatenation::exhausted() noexcept {
  if (at_ < count_) ++at_;
}

std::string Concatenation::state_json(std::span<const std::string> readers) const {
  return json{{"version", 1},
              {"concat", at_},
              {"readers", std::vector<std::string>(readers.begin(), readers.end())}}
      .dump();
}

std::vector<std::string> Concatenation::reader_states(std::string_view state) const {
  return state_from(state, count_).readers;
}

void Concatenation::restore(std::string_view state) {
  at_ = state_from(state, count_).at;
}

}  // namespace bev::reader
