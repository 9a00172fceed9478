#include "core/pickle/value.hpp"

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "core/pickle/arena.hpp"

namespace bev::pickle {
namespace {

bool is_ascii(std::string_view text) noexcept {
  return std::all_of(text.begin(), text.end(),
                     [](char one) { return static_cast<unsigned char>(one) < 0x80; });
}

constexpr std::string_view kKinds[] = {
    "None",   "a boolean", "an integer", "a big integer",
    "a real", "text",      "a string",   "bytes",
    "a list", "a tuple",   "a set",      "a frozenset",
    "a dict", "a global",  "a call",     "a persistent object"};

}  // namespace

std::string_view to_string(Kind kind) noexcept {
  return kKinds[static_cast<std::size_t>(kind)];
}

Kind Value::kind() const noexcept {
  return *this ? arena_->nodes[node_].kind : Kind::none;
}

std::optional<bool> Value::boolean() const noexcept {
  if (!is(Kind::boolean)) return std::nullopt;
  return arena_->nodes[node_].integer != 0;
}

std::optional<std::int64_t> Value::integer() const noexcept {
  if (!is(Kind::integer)) return std::nullopt;
  return arena_->nodes[node_].integer;
}

std::optional<double> Value::number() const noexcept {
  if (is(Kind::real)) return arena_->nodes[node_].real;
  if (is(Kind::integer)) return static_cast<double>(arena_->nodes[node_].integer);
  return std::nullopt;
}

std::optional<std::string_view> Value::text() const noexcept {
  if (!is(Kind::text) && !is(Kind::string)) return std::nullopt;
  const auto found = as_text(arena_->bytes_of(arena_->nodes[node_]));
  if (kind() == Kind::string && !is_ascii(found)) return std::nullopt;
  return found;
}

std::optional<std::span<const std::byte>> Value::bytes() const noexcept {
  if (!is(Kind::bytes) && !is(Kind::string) && !is(Kind::big_integer)) {
    return std::nullopt;
  }
  return arena_->bytes_of(arena_->nodes[node_]);
}

std::size_t Value::size() const noexcept {
  if (kind() < Kind::list || kind() > Kind::dict) return 0;
  const std::size_t count = arena_->nodes[node_].count;
  return kind() == Kind::dict ? count / 2 : count;
}

Items Value::items() const noexcept {
  return size() == 0 ? Items() : Items(*this);
}

Value Value::at(std::size_t i) const noexcept {
  if (kind() != Kind::tuple || i >= size()) return {};
  return slot(Kind::tuple, static_cast<std::uint32_t>(i));
}

Value Value::find(std::string_view key) const noexcept {
  Value found;
  if (kind() != Kind::dict) return found;
  const auto all = items();
  for (auto item = all.begin(); item != all.end(); ++item) {
    const bool is_it = (*item).text() == key;
    ++item;
    if (is_it) found = *item;
  }
  return found;
}

bool Value::is_global(std::string_view name) const noexcept {
  const auto first = module();
  return kind() == Kind::global &&
         name.size() == first.size() + 1 + this->name().size() &&
         name.substr(0, first.size()) == first && name[first.size()] == '.' &&
         name.substr(first.size() + 1) == this->name();
}

std::string_view Value::module() const noexcept {
  return slot(Kind::global, 0).text().value_or(std::string_view());
}

std::string_view Value::name() const noexcept {
  return slot(Kind::global, 1).text().value_or(std::string_view());
}

Value Value::callee() const noexcept {
  return slot(Kind::call, kCallee);
}
Value Value::arguments() const noexcept {
  return slot(Kind::call, kArguments);
}
Value Value::keywords() const noexcept {
  return slot(Kind::call, kKeywords);
}
Value Value::state() const noexcept {
  return slot(Kind::call, kState);
}
Value Value::appended() const noexcept {
  return slot(Kind::call, kAppended);
}
Value Value::pairs() const noexcept {
  return slot(Kind::call, kPairs);
}
Value Value::id() const noexcept {
  return slot(Kind::persistent, 0);
}

std::string Value::describe() const {
  if (!*this) return "nothing";
  if (kind() == Kind::global) return joined({module(), ".", name()});
  if (callee().is(Kind::global)) return joined({"a call of ", callee().describe()});
  return std::string(to_string(kind()));
}

Value Value::slot(Kind kind, std::uint32_t number) const noexcept {
  if (this->kind() != kind) return {};
  const auto node = arena_->items[arena_->nodes[node_].items.first + number].node;
  if (kind == Kind::call && node == kNone) return {};
  return {*arena_, node};
}

Value Items::Iterator::operator*() const noexcept {
  return {*arena_, arena_->items[item_].node};
}

Items::Iterator& Items::Iterator::operator++() noexcept {
  item_ = arena_->items[item_].next;
  --left_;
  return *this;
}

Items::Iterator Items::begin() const noexcept {
  if (!container_) return end();
  const auto& node = container_.arena_->nodes[container_.node_];
  return {container_.arena_, node.items.first, node.count};
}

Pickle::Pickle(std::unique_ptr<const Arena> arena) noexcept
    : arena_(std::move(arena)) {}
Pickle::~Pickle() = default;
Pickle::Pickle(Pickle&&) noexcept = default;
Pickle& Pickle::operator=(Pickle&&) noexcept = default;

Value Pickle::root() const noexcept {
  return {*arena_, arena_->root};
}

}  // namespace bev::pickle
