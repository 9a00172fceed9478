#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "export.hpp"

namespace bev {

/// An element type of arrays: bool, float, double, or an integer of 8 to 64 bits.
template <class T>
concept Element =
    std::same_as<T, bool> || std::same_as<T, float> || std::same_as<T, double> ||
    std::same_as<T, std::int8_t> || std::same_as<T, std::uint8_t> ||
    std::same_as<T, std::int16_t> || std::same_as<T, std::uint16_t> ||
    std::same_as<T, std::int32_t> || std::same_as<T, std::uint32_t> ||
    std::same_as<T, std::int64_t> || std::same_as<T, std::uint64_t>;

/// Implementation details.
namespace detail {

/// Returns NumPy's code of T: "<f8", "|b1".
template <Element T>
constexpr std::string_view dtype_of() {
  if constexpr (std::same_as<T, bool>) {
    return "|b1";
  } else if constexpr (std::floating_point<T>) {
    return sizeof(T) == 4 ? "<f4" : "<f8";
  } else {
    constexpr bool kSigned = std::signed_integral<T>;
    switch (sizeof(T)) {
      case 1: return kSigned ? "|i1" : "|u1";
      case 2: return kSigned ? "<i2" : "<u2";
      case 4: return kSigned ? "<i4" : "<u4";
      default: return kSigned ? "<i8" : "<u8";
    }
  }
}

/// The type of one row: T, std::array<T, N>, std::array<std::array<T, M>, N> ...
template <class T, std::size_t... Inner>
struct Row {
  using Type = T;  ///< without inner axes, the element
};

/// The type of one row with inner axes.
template <class T, std::size_t First, std::size_t... Rest>
struct Row<T, First, Rest...> {
  using Type = std::array<typename Row<T, Rest...>::Type, First>;  ///< nested arrays
};

}  // namespace detail

/// A named array in memory that another object owns.
///
/// Shapes    C order. A scalar has shape ().
/// Lifetime  Valid as long as the object that returned it; see there.
/// Throws    Typed access throws Error with invalid_argument, with the type or shape
///           found and expected.
class BEV_EXPORT ArrayView {
 public:
  /// Creates an empty array without a name.
  ArrayView() = default;

  /// Creates a view of memory that the caller keeps.
  ArrayView(std::string_view name, std::string_view dtype,
            std::span<const std::size_t> shape, std::span<const std::byte> bytes)
      : name_(name), dtype_(dtype), shape_(shape), bytes_(bytes) {}

  /// Returns the name: "centroid".
  std::string_view name() const noexcept { return name_; }

  /// Returns NumPy's code of the element type: "<f8", "|b1"; "utf8" for strings; "|V16"
  /// for raw records of 16 bytes.
  std::string_view dtype() const noexcept { return dtype_; }

  /// Returns the length of each axis.
  std::span<const std::size_t> shape() const noexcept { return shape_; }

  /// Returns the number of rows: the length of the first axis, 1 for a scalar.
  std::size_t size() const noexcept { return shape_.empty() ? 1 : shape_[0]; }

  /// Returns the memory, for bindings to other languages.
  std::span<const std::byte> bytes() const noexcept { return bytes_; }

  /// Returns all elements.
  template <Element T>
  std::span<const T> values() const {
    check_type(detail::dtype_of<T>());
    return {reinterpret_cast<const T*>(bytes_.data()), bytes_.size() / sizeof(T)};
  }

  /// Returns the rows of an array whose inner axes have the given lengths:
  /// `rows<double, 2>()` is a span of std::array<double, 2>.
  template <Element T, std::size_t... Inner>
  std::span<const typename detail::Row<T, Inner...>::Type> rows() const {
    using Type = typename detail::Row<T, Inner...>::Type;
    check_type(detail::dtype_of<T>());
    constexpr std::array<std::size_t, sizeof...(Inner)> kInner{Inner...};
    check_inner_shape(kInner);
    return {reinterpret_cast<const Type*>(bytes_.data()), bytes_.size() / sizeof(Type)};
  }

  /// Returns the only element.
  template <Element T>
  T scalar() const {
    const auto all = values<T>();
    if (all.size() != 1) throw_not_scalar();
    return all[0];
  }

 private:
  void check_type(std::string_view expected) const;
  void check_inner_shape(std::span<const std::size_t> expected) const;
  [[noreturn]] void throw_not_scalar() const;

  std::string_view name_, dtype_;
  std::span<const std::size_t> shape_;
  std::span<const std::byte> bytes_;
};

/// Strings in one piece of memory, in UTF-8.
///
/// Lifetime  As ArrayView.
class TextView {
 public:
  /// Creates an empty list.
  TextView() = default;

  /// Creates a view; string i is [offsets[i], offsets[i + 1]) of `utf8`.
  TextView(std::string_view utf8, std::span<const std::uint32_t> offsets)
      : utf8_(utf8), offsets_(offsets) {}

  /// Returns the number of strings.
  std::size_t size() const noexcept {
    return offsets_.empty() ? 0 : offsets_.size() - 1;
  }

  /// Returns string `i`, which must be less than size().
  std::string_view operator[](std::size_t i) const noexcept {
    return {utf8_.data() + offsets_[i], offsets_[i + 1] - offsets_[i]};
  }

 private:
  std::string_view utf8_;
  std::span<const std::uint32_t> offsets_;
};

/// Rows of variable length in one piece of memory: points, or the bytes of images.
///
/// Lifetime  As ArrayView.
template <Element T>
class RaggedView {
 public:
  /// Creates an empty list.
  RaggedView() = default;

  /// Creates a view; row i has the elements [offsets[i], offsets[i + 1]).
  ///
  /// @param width  values of an element: the product of its shape
  RaggedView(std::span<const T> values, std::span<const std::uint32_t> offsets,
             std::size_t width)
      : values_(values), offsets_(offsets), width_(width) {}

  /// Returns the number of rows.
  std::size_t size() const noexcept {
    return offsets_.empty() ? 0 : offsets_.size() - 1;
  }

  /// Returns the values of one element.
  std::size_t width() const noexcept { return width_; }

  /// Returns the values of row `i`, which must be less than size(): width() per element.
  std::span<const T> operator[](std::size_t i) const noexcept {
    return values_.subspan(offsets_[i] * width_,
                           (offsets_[i + 1] - offsets_[i]) * width_);
  }

 private:
  std::span<const T> values_;
  std::span<const std::uint32_t> offsets_;
  std::size_t width_ = 1;
};

/// The named arrays of a result.
///
/// Lifetime  Shares ownership of the arrays' memory: they are valid as long as a copy of
///           this object exists, if the function that returned it states nothing else.
/// Throws    not_found for an unknown name; otherwise as ArrayView.
class BEV_EXPORT Arrays {
 public:
  /// Creates an empty result.
  Arrays() = default;

  /// Creates a result; `owner` keeps the memory of the views.
  Arrays(std::vector<ArrayView> views, std::shared_ptr<const void> owner);

  /// Returns all arrays, in the order in which they were produced.
  std::span<const ArrayView> all() const noexcept { return views_; }

  /// Whether there is an array with this name.
  bool contains(std::string_view name) const noexcept;

  /// Returns the array with this name.
  const ArrayView& operator[](std::string_view name) const&;
  const ArrayView& operator[](std::string_view) const&& = delete;  ///< would dangle

  /// Returns the elements of an array: `array<float>("image")`.
  template <Element T>
  std::span<const T> array(std::string_view name) const& {
    return (*this)[name].values<T>();
  }
  template <Element T>
  std::span<const T> array(std::string_view) const&& = delete;  ///< would dangle

  /// Returns the only element of an array: `scalar<std::int64_t>("track_id")`.
  template <Element T>
  T scalar(std::string_view name) const {
    return (*this)[name].scalar<T>();
  }

  /// Returns the strings of an array with dtype "utf8".
  TextView text(std::string_view name) const&;
  TextView text(std::string_view) const&& = delete;  ///< would dangle

  /// Returns the rows of a field of variable length, which has the array NAME.offsets:
  /// `ragged<std::uint8_t>("front")[i]` are the bytes of an image.
  template <Element T>
  RaggedView<T> ragged(std::string_view name) const& {
    const auto& view = (*this)[name];
    return {view.values<T>(), offsets_of(name), inner_size(view)};
  }
  template <Element T>
  RaggedView<T> ragged(std::string_view) const&& = delete;  ///< would dangle

  /// Whether row `i` of a field is not null: NAME.valid says so, if there is one.
  bool is_valid(std::string_view name, std::size_t i) const;

  /// Returns a copy of all arrays in one block of memory, which the copy owns.
  Arrays copy() const;

  /// Returns the owner of the memory, for bindings to other languages.
  const std::shared_ptr<const void>& owner() const noexcept { return owner_; }

 private:
  std::span<const std::uint32_t> offsets_of(std::string_view name) const;
  static std::size_t inner_size(const ArrayView& view) noexcept;

  std::vector<ArrayView> views_;
  std::shared_ptr<const void> owner_;
};

}  // namespace bev
