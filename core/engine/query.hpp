#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/engine/result_set.hpp"
#include "core/store/reader.hpp"
#include "core/store/request.hpp"

namespace bev {

struct EngineState;

/// A question to an engine. The host runs the same loop for every query:
///
///   for (auto r = query.missing(); !r.empty(); r = query.missing()) read and supply r;
///   query.build();
///
/// Planning is a dry run of building: both gather rows with the same code, and record
/// the chunks that are not in memory.
///
/// Lifetime       The result of build() is valid until the next build() or the query's
///                destruction. A query keeps the engine state it needs alive.
/// Throws         missing() and build() throw out_of_range, not_found or
///                invalid_argument for invalid arguments; invalid_metadata, missing_key
///                or unsupported for the metadata; corrupt_chunk, or missing_key for an
///                absent chunk that must be stored, for the data (see
///                Engine::forget_failures()); and out_of_memory, with the bytes needed,
///                if the budget is too small. build() throws invalid_argument while
///                requests are pending.
/// Thread safety  As Engine.
class Query {
 public:
  virtual ~Query() = default;
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  /// Returns the requests that remain to be read. Idempotent. Empty when the result can
  /// be built.
  std::vector<store::Request> missing();

  /// Returns the chunks a sequential reader will need next and that are not cached.
  /// Call once, after missing(), and read them when nothing else is pending. Supplied
  /// chunks are cached like any other. Throws only std::bad_alloc; data errors surface
  /// when the chunk is used.
  virtual std::vector<store::Request> ahead() { return {}; }

  /// Unpins what missing() read so far, of a question that is not answered. missing()
  /// begins anew.
  void release_pins();

  /// Builds the result.
  std::span<const ResultArray> build();

 protected:
  /// @param purpose  the question, as prefix of errors: "frame 3 of scene 1"
  Query(std::shared_ptr<EngineState> state, const std::string& purpose);

  EngineState& state() noexcept { return *state_; }

  /// Discards the gathered state because the question has changed.
  void ask_again() noexcept { gathered_ = false; }

 private:
  /// Copies the input of the result into the query's own memory. Returns false while
  /// requests are pending, after recording every chunk known to be needed.
  virtual bool gather(store::Reader& reader) = 0;

  /// Builds the result from the gathered input. Arrays point into the query's memory.
  virtual void derive(ResultSet& results) = 0;

  virtual ResultSet& results() { return results_; }

  std::shared_ptr<EngineState> state_;
  store::Plan plan_;
  store::Reader reader_;
  bool gathered_ = false;
  ResultSet results_;
};

}  // namespace bev
