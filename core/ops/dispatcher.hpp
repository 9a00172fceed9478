#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/ops/operation.hpp"
#include "core/store/request.hpp"

namespace bev::ops {

/// The core's interface to hosts: runs operations of the table, and holds what they make.
/// A host asks a question thus:
///
///   query = dispatcher.run(frame, arguments);
///   while (!(requests = dispatcher.missing(query)).empty()) supply(requests);
///   dispatcher.build(query); dispatcher.release(query);
///
/// Lifetime       Arrays of an outcome are valid until the next call.
/// Thread safety  None.
class Dispatcher {
 public:
  using Groups = std::span<const std::span<const Operation>>;

  /// @param groups  the operations of this program, or module
  explicit Dispatcher(Groups groups) : groups_(groups) {}

  /// Returns an operation; null if this program does not have it.
  const Operation* find(std::string_view name) const noexcept;

  const Outcome& run(const Operation& operation, Arguments& given);

  /// See Query. Throws invalid_argument for an object that is no query.
  std::vector<store::Request> missing(int query);
  std::vector<store::Request> ahead(int query);
  std::span<const ResultArray> build(int query);
  /// Converts the next part of a built array that is larger than its memory. Returns the
  /// part's bytes, negative if they are zeros; 0 at the end.
  double next_part(int query) { return objects_.next_part(query); }

  /// Frees an object; unknown numbers are ignored.
  void release(int id) { objects_.release(id); }

 private:
  Groups groups_;
  Objects objects_;
  Outcome last_;
};

}  // namespace bev::ops
