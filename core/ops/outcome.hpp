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
/// Lifetime  Arrays are valid until the dispatcher's next call.
class Outcome {
 public:
  enum class Kind : std::uint8_t {
    nothing,
    number,
    flag,
    object,  // the kinds up to here own nothing
    text,
    texts,
    array,
    arrays,
    requests
  };

  Outcome();
  Outcome(Outcome&& other) noexcept;
  Outcome& operator=(Outcome&& other) noexcept;
  Outcome(const Outcome&) = delete;
  Outcome& operator=(const Outcome&) = delete;
  ~Outcome();
  explicit Outcome(std::string text);
  explicit Outcome(std::vector<std::string> texts);
  explicit Outcome(std::vector<store::Request> requests);
  /// Arrays of memory that lives elsewhere, or of `owner`.
  explicit Outcome(std::span<const ResultArray> arrays,
                   std::shared_ptr<const void> owner = {});

  // Of an empty outcome.
  void set_number(double number) noexcept { set(Kind::number, number); }
  void set_flag(bool flag) noexcept { set(Kind::flag, flag ? 1.0 : 0.0); }
  void set_object(int id) noexcept { set(Kind::object, id); }
  /// Sets one array without a name.
  template <class T>
  void set_array(std::vector<T> values) {
    add("", std::move(values));
    kind_ = Kind::array;
  }

  /// Makes it empty.
  void clear() {
    if (kind_ > Kind::object) *this = Outcome();
    kind_ = Kind::nothing;
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
  void set(Kind kind, double number) noexcept {
    kind_ = kind;
    number_ = number;
  }
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
