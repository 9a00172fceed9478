#pragma once

#include <map>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/engine/query.hpp"

namespace bev::ops {

/// Name of a type of objects that operations make and take: "Review".
template <class T>
inline constexpr const char* kObjectName = nullptr;

/// The functions of Query, which only programs with queries link.
struct QueryCalls {
  std::vector<store::Request> (*missing)(void* query);
  std::vector<store::Request> (*ahead)(void* query);
  std::span<const ResultArray> (*build)(void* query);
  double (*next_part)(void* query);  ///< null if results are not built in parts
};

template <class T>
constexpr QueryCalls query_calls(double (*next_part)(void*) = nullptr) {
  return {[](void* query) { return static_cast<T*>(query)->missing(); },
          [](void* query) { return static_cast<T*>(query)->ahead(); },
          [](void* query) { return static_cast<T*>(query)->build(); }, next_part};
}

template <class T>
inline constexpr QueryCalls kQueryCalls = query_calls<T>();

/// Objects that a host holds by number.
class Objects {
 public:
  /// Returns the object's number, never 0.
  template <class T>
  int add(std::unique_ptr<T> object) {
    const QueryCalls* calls = nullptr;
    void* query = nullptr;
    if constexpr (std::is_base_of_v<Query, T>) {
      calls = &kQueryCalls<T>;
      query = object.get();
    }
    return add({kObjectName<T>, std::shared_ptr<T>(std::move(object)), query, calls});
  }

  /// Throws  invalid_argument, naming the argument, unless the number is that of such an
  ///         object
  template <class T>
  T& find(int id, const char* argument) {
    return *static_cast<T*>(find(id, kObjectName<T>, argument));
  }

  /// See Query. Throw invalid_argument if the object is no query.
  std::vector<store::Request> missing(int id);
  std::vector<store::Request> ahead(int id);
  std::span<const ResultArray> build(int id);
  double next_part(int id);

  /// Frees an object; unknown numbers are ignored.
  void release(int id) { all_.erase(id); }

 private:
  struct Object {
    const char* type;
    std::shared_ptr<void> object;
    void* query;
    const QueryCalls* calls;
  };

  int add(Object object);
  void* find(int id, const char* type, const char* argument);
  const Object& query(int id) const;

  std::map<int, Object> all_;
  int last_ = 0;
};

}  // namespace bev::ops
