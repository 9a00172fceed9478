#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/store/object_cache.hpp"
#include "core/store/request.hpp"

namespace bev::store {

class Store;

/// What one query needs: the objects its last dry run touched, which stay in memory
/// until the next one, and those it wanted and did not find.
///
/// Lifetime  The store outlives its plans, and knows of them from construction to
///           destruction: that is how a supplied object finds who waits for it.
/// Errors    See finish() and want().
/// Threads   Those of the store.
class Plan {
 public:
  /// @param purpose  what the query is for, the head of its errors: "frame 3 of scene
  /// 1"
  Plan(Store& store, std::string purpose);
  ~Plan();
  Plan(const Plan&) = delete;  // the store holds its address
  Plan& operator=(const Plan&) = delete;

  /// Begins a dry run: nothing is wanted. What was held stays so until finish().
  void begin();

  /// Ends it and gives what is to be read, in the order it was wanted. Throws
  /// out_of_memory when what the run touched does not fit the budget, with the bytes it
  /// needs.
  std::vector<Request> finish();

  /// Nothing is needed any more: the query has what it wanted in its own memory.
  void release();

  /// Notes an object as wanted, or ranges of it. Throws out_of_memory for more than a
  /// million. Ranges that several reads of a pass want are asked for once; and not at
  /// all where the whole is.
  void want(std::string_view key, bool required);
  void want(std::string_view key, std::span<const ByteRange> ranges);

  /// Notes the last bytes of an object as wanted.
  void want_tail(std::string_view key, std::uint64_t bytes);

  /// Pins an object that was found.
  void hold(const ObjectRef& object);

  bool wants(std::string_view key) const { return wanted_.contains(key); }

  /// Pins an object that has just been supplied, or refuses it: with it the plan
  /// would pass the budget by itself.
  bool accept(const ObjectRef& object);

  const std::string& purpose() const noexcept { return purpose_; }

 private:
  using Held = std::unordered_set<ObjectRef>;

  Store& store_;
  std::string purpose_;
  Held held_;
  Held before_;                          // what the run before this one held
  std::vector<Held::node_type> spared_;  // nodes that hold nothing, for reuse
  std::size_t held_bytes_ = 0;
  std::size_t refused_bytes_ = 0;
  struct Want {
    std::string key;
    bool required = true;
    std::vector<ByteRange> ranges;
    std::uint64_t tail = 0;  // neither: the whole
  };

  Want& find_or_add(std::string_view key, bool required);
  void let_go_before();

  std::vector<Want> wants_;
  std::map<std::string, std::size_t, std::less<>> wanted_;  // places in wants_
  std::size_t range_count_ = 0;
};

}  // namespace bev::store
