#pragma once

#include <bevscope/dataset.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/engine/host_loop.hpp"
#include "library/result_arrays.hpp"

namespace bev {

/// An engine, its source and the metadata; shared by a data set and its samples.
struct Dataset::Impl {
  Impl(std::shared_ptr<Source> from, const DatasetOptions& options);

  /// The data set as stored, or with scenes of an overlay.
  Impl(const Impl& base, std::shared_ptr<const scene::Overlay> with) : Impl(base) {
    overlay = std::move(with);
    engine = base.engine.with(overlay);
  }

  static const Impl& of(const Dataset& dataset) noexcept { return *dataset.impl_; }

  /// Runs a query and returns its arrays, which own the query.
  template <class Query>
  Arrays answer(std::unique_ptr<Query> query) {
    bev::run(engine, *query, *source);
    const auto results = query->build();
    return library::arrays_of(results, std::shared_ptr<Query>(std::move(query)));
  }

  /// Returns the rows of an array; 0 if there is no such array.
  std::uint64_t row_count(std::string_view path) const noexcept;

  std::shared_ptr<Source> source;
  std::size_t byte_budget;
  std::optional<store::Missing> missing;
  Engine engine;
  std::shared_ptr<const scene::Overlay> overlay;  ///< of the engine; may be null
  std::vector<ArrayInfo> arrays;
  std::vector<std::string> labels;
};

namespace library {

/// Returns the view of a frame query's arrays.
FrameView frame_view(const Arrays& arrays);

}  // namespace library
}  // namespace bev
