#pragma once

#include <nanobind/nanobind.h>

#include <utility>

namespace bev::python {

/// A Python object that is released with the GIL held, from any thread.
class Held {
 public:
  explicit Held(nanobind::object object) : object_(std::move(object)) {}
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() {
    if (!nanobind::is_alive()) {
      object_.release();  // The interpreter has ended, and the object with it.
      return;
    }
    const nanobind::gil_scoped_acquire gil;
    object_.reset();
  }

  const nanobind::object& operator*() const noexcept { return object_; }

 private:
  nanobind::object object_;
};

}  // namespace bev::python
