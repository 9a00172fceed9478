#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/result_array.hpp"
#include "core/ops/element.hpp"
#include "core/store/request.hpp"

namespace bev::ops {

/// What an operation returns: one of the kinds below.
///
/// Lifetime  Arrays are valid until the door's next call.
class Outcome {
 public:
  enum class Kind : std::uint8_t {
    nothing,
    number,
    flag,
    text,
    texts,
    array,
    arrays,
    requests,
    object
  };

  Outcome();
  Outcome(Outcome&& other) noexcept;
  Outcome& operator=(Outcome&& other) noexcept;
  Outcome(const Outcome&) = delete;
  Outcome& operator=(const Outcome&) = delete;
  ~Outcome();
  explicit Outcome(double number);
  explicit Outcome(std::string text);
  explicit Outcome(std::vector<std::string> texts);
  explicit Outcome(std::vector<store::Request> requests);
  /// Arrays of memory that lives elsewhere, or of `owner`.
  explicit Outcome(std::span<const ResultArray> arrays,
                   std::shared_ptr<const void> owner = {});

  static Outcome of_flag(bool flag) {
    Outcome out(flag ? 1.0 : 0.0);
    out.kind_ = Kind::flag;
    return out;
  }
  /// Returns one array without a name.
  template <class T>
  static Outcome of_array(std::vector<T> values) {
    Outcome out;
    out.add("", std::move(values)).kind_ = Kind::array;
    return out;
  }
  /// Returns the outcome of an operation that made object `id`.
  static Outcome of_object(int id) {
    Outcome out(id);
    out.kind_ = Kind::object;
    return out;
  }

  /// Adds a one-dimensional array, which the outcome keeps.
  template <class T>
  Outcome& add(std::string name, std::vector<T> values) & {
    const auto kept = std::make_shared<const std::vector<T>>(std::move(values));
    return keep(
        {std::move(name), kDtype<T>, {kept->size()}, std::as_bytes(std::span(*kept))},
        kept);
  }
  /// Adds a number, an array without axes.
  Outcome& add(std::string name, double number) &;
  template <class T>
  Outcome&& add(std::string name, T value) && {
    return std::move(add(std::move(name), std::move(value)));
  }

  Kind kind() const noexcept { return kind_; }
  double number() const noexcept { return number_; }
  const std::string& text() const noexcept { return text_; }
  const std::vector<std::string>& texts() const noexcept { return texts_; }
  std::span<const ResultArray> arrays() const noexcept { return arrays_; }
  const std::vector<store::Request>& requests() const noexcept { return requests_; }

 private:
  Outcome& keep(ResultArray array, std::shared_ptr<const void> owner);

  Kind kind_ = Kind::nothing;
  double number_ = 0;
  std::string text_;
  std::vector<std::string> texts_;
  std::vector<store::Request> requests_;
  std::vector<ResultArray> arrays_;
  std::vector<std::shared_ptr<const void>> owners_;
};

}  // namespace bev::ops
