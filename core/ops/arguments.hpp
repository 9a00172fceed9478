#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace bev::ops {

/// What a host passes to an operation: values by name, read once each.
///
/// Lifetime  Names are constants.
/// Throws    invalid_argument for a value of another kind: "points: wrong kind
///           (expected Float64Array)"
class Arguments {
 public:
  Arguments() = default;
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;
  virtual ~Arguments() = default;

  /// Returns a number, or 0 or 1 for a flag; nothing if it is not given.
  virtual std::optional<double> number(const char* name) = 0;
  /// Returns the 64 bits of an integer, signed or not.
  virtual std::optional<std::uint64_t> bits(const char* name) = 0;
  virtual std::optional<std::string> text(const char* name) = 0;
  virtual std::optional<std::vector<std::string>> texts(const char* name) = 0;
  /// Returns the length of an array, to be read with copy_array().
  ///
  /// @param dtype  of its elements, as in ResultArray; "|u1" are bytes
  virtual std::optional<std::size_t> array_size(const char* name,
                                                const char* dtype) = 0;
  /// Copies the array whose length was asked for last.
  virtual void copy_array(void* to) = 0;
};

}  // namespace bev::ops
