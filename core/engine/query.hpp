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

/// Something asked of an engine. The host's loop, whatever the query:
///
///   for (auto r = query.missing(); !r.empty(); r = query.missing()) read and supply r;
///   query.build();
///
/// Planning is a dry run of building: both gather rows by the same code, and what is
/// not in memory is noted.
///
/// Lifetime  What build() gives is valid until the next build() or the query's end. A
///           query keeps what it needs of the engine alive.
/// Errors    missing() and build() throw what is wrong with the question (out_of_range,
///           not_found, invalid_argument), with the metadata (invalid_metadata,
///           missing_key, unsupported) or with the data (corrupt_chunk, or missing_key
///           for a chunk that must be stored: see Engine::forget_failures());
///           out_of_memory when the budget is too small, naming what it takes. build()
///           throws invalid_argument while something is missing.
/// Threads   Those of the engine.
class Query {
 public:
  virtual ~Query() = default;
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  /// What is still to be read; asking again gives the same answer. Empty when the
  /// result can be built.
  std::vector<store::Request> missing();

  /// What whoever goes on asking like this wants next, as far as it is not in memory:
  /// to be read when nothing else is. To be asked for once, after missing(). Supplied,
  /// it is kept like anything else. Throws nothing but std::bad_alloc: what is wrong
  /// shows when it is asked for.
  virtual std::vector<store::Request> ahead() { return {}; }

  /// Unpins what missing() read so far, of a question that is not answered. missing()
  /// begins anew.
  void release_pins();

  /// Builds the result.
  std::span<const ResultArray> build();

 protected:
  /// @param purpose  what is asked, the head of errors: "frame 3 of scene 1"
  Query(std::shared_ptr<EngineState> state, const std::string& purpose);

  EngineState& state() noexcept { return *state_; }

  /// The question has changed: what was gathered is not its answer.
  void ask_again() noexcept { gathered_ = false; }

 private:
  /// Brings what the result is made of into the query's own memory; false while it
  /// is not all there, after everything that can be known to be wanted was noted.
  virtual bool gather(store::Reader& reader) = 0;

  /// Makes the result of what was gathered. The arrays point into the query's memory.
  virtual void derive(ResultSet& results) = 0;

  virtual ResultSet& results() { return results_; }

  std::shared_ptr<EngineState> state_;
  store::Plan plan_;
  store::Reader reader_;
  bool gathered_ = false;
  ResultSet results_;
};

}  // namespace bev
