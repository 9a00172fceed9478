#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace bev::pickle {

struct Arena;
class Items;

/// What a value is. Nothing of a pickle is imported or called: a class or function is its
/// name, and what calling it would return is a record of the call.
enum class Kind : std::uint8_t {
  none,
  boolean,
  integer,      ///< of up to 64 bits
  big_integer,  ///< of more: little-endian bytes, two's complement
  real,
  text,    ///< Python 3's str, Python 2's unicode
  string,  ///< Python 2's str: bytes, and text if they are ASCII
  bytes,   ///< also bytearray
  list,
  tuple,
  set,
  frozenset,
  dict,
  global,  ///< the name of a class or function
  call,
  persistent,  ///< an object outside the pickle, by its id
};

std::string_view to_string(Kind kind) noexcept;

/// A value of a pickle, or none at all: a query of none, or of a value of another kind,
/// returns nothing, as JsonView does.
///
/// Lifetime  The pickle and its input outlive it.
class Value {
 public:
  Value() = default;
  Value(const Arena& arena, std::uint32_t node) noexcept
      : arena_(&arena), node_(node) {}

  /// Returns whether both are the same value of a pickle, not whether they are equal.
  bool is_same(Value other) const noexcept {
    return arena_ == other.arena_ && node_ == other.node_;
  }

  /// Returns whether there is a value, possibly None.
  explicit operator bool() const noexcept { return arena_ != nullptr; }

  Kind kind() const noexcept;
  bool is(Kind kind) const noexcept { return *this && this->kind() == kind; }
  bool is_none() const noexcept { return kind() == Kind::none; }

  std::optional<bool> boolean() const noexcept;
  std::optional<std::int64_t> integer() const noexcept;

  /// Returns a real, or an integer rounded to one.
  std::optional<double> number() const noexcept;

  /// Returns UTF-8; nullopt for a string of Python 2 that is not ASCII.
  std::optional<std::string_view> text() const noexcept;

  /// Returns the bytes of bytes, of a string of Python 2, or of a big integer.
  std::optional<std::span<const std::byte>> bytes() const noexcept;

  /// Returns the number of values of a list, tuple or set, or of a dict's pairs.
  std::size_t size() const noexcept;

  /// Returns the values of a list, tuple or set in order; of a dict each key and its value
  /// as they were set, a key that was set twice also twice.
  Items items() const noexcept;

  /// Returns an element of a tuple.
  Value at(std::size_t i) const noexcept;

  /// Returns the value of a dict's key: the last one that was set.
  Value find(std::string_view key) const noexcept;

  /// Returns whether it is this class or function: "numpy.core.multiarray.scalar".
  bool is_global(std::string_view name) const noexcept;

  /// Return the parts of a global: "numpy.core.multiarray" and "scalar".
  std::string_view module() const noexcept;
  std::string_view name() const noexcept;

  /// Returns a call's class or function: a global, or what another call returned.
  Value callee() const noexcept;

  /// Returns a call's arguments, a tuple.
  Value arguments() const noexcept;

  /// Returns a call's keyword arguments, a dict; none if it has none.
  Value keywords() const noexcept;

  /// Returns what the made object's __setstate__ takes; none if it was not called.
  Value state() const noexcept;

  /// Return what was appended to the made object, a list, and set in it, a dict; none if
  /// nothing was.
  Value appended() const noexcept;
  Value pairs() const noexcept;

  /// Returns the id of a persistent object.
  Value id() const noexcept;

  /// Returns what it is for messages: "posix.system", "a list", "None".
  std::string describe() const;

 private:
  friend class Items;

  Value slot(Kind kind, std::uint32_t number) const noexcept;

  const Arena* arena_ = nullptr;
  std::uint32_t node_ = 0;
};

/// The values of a container, in order.
class Items {
 public:
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Value;
    using difference_type = std::ptrdiff_t;
    using pointer = const Value*;
    using reference = Value;

    Iterator(const Arena* arena, std::uint32_t item, std::uint32_t left) noexcept
        : arena_(arena), item_(item), left_(left) {}

    Value operator*() const noexcept;
    Iterator& operator++() noexcept;
    bool operator==(const Iterator& other) const noexcept {
      return left_ == other.left_;
    }

   private:
    const Arena* arena_;
    std::uint32_t item_;
    std::uint32_t left_;
  };

  Items() = default;
  explicit Items(Value container) noexcept : container_(container) {}

  Iterator begin() const noexcept;
  Iterator end() const noexcept { return {nullptr, 0, 0}; }

 private:
  Value container_;
};

/// A pickle's values. Moving it keeps them valid.
///
/// Lifetime       Its values and their bytes are views; the input outlives it.
/// Thread safety  It is not changed after it was read.
class Pickle {
 public:
  explicit Pickle(std::unique_ptr<const Arena> arena) noexcept;
  ~Pickle();
  Pickle(Pickle&&) noexcept;
  Pickle& operator=(Pickle&&) noexcept;

  Value root() const noexcept;

 private:
  std::unique_ptr<const Arena> arena_;
};

}  // namespace bev::pickle
