#pragma once

#include <map>
#include <memory>
#include <type_traits>
#include <utility>

#include "core/engine/query.hpp"

namespace bev::ops {

/// Name of a type of objects that operations make and take: "Review".
template <class T>
inline constexpr const char* kObjectName = nullptr;

/// Objects that a host holds by number.
class Objects {
 public:
  /// Returns the object's number, never 0.
  template <class T>
  int add(std::unique_ptr<T> object) {
    Query* query = nullptr;
    if constexpr (std::is_base_of_v<Query, T>) query = object.get();
    return add({kObjectName<T>, std::shared_ptr<T>(std::move(object)), query});
  }

  /// Throws  invalid_argument, naming the argument, unless the number is that of such an
  ///         object
  template <class T>
  T& find(int id, const char* argument) {
    return *static_cast<T*>(find(id, kObjectName<T>, argument));
  }

  /// Throws  invalid_argument if the object is no query
  Query& query(int id);

  /// Frees an object; unknown numbers are ignored.
  void release(int id) { all_.erase(id); }

 private:
  struct Object {
    const char* type;
    std::shared_ptr<void> object;
    Query* query;
  };

  int add(Object object);
  void* find(int id, const char* type, const char* argument);

  std::map<int, Object> all_;
  int last_ = 0;
};

}  // namespace bev::ops
