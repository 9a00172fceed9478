#pragma once

#include <cstddef>
#include <optional>

#include "core/base/error.hpp"
#include "core/scene/dataset.hpp"
#include "core/store/plan.hpp"
#include "core/store/reader.hpp"
#include "core/store/store.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/memory_store.hpp"

namespace bev::test {

/// A dataset in memory, read without an engine.
class MemoryDataset {
 public:
  /// Supplies what `step` requests until its result is true, and returns that.
  template <class Step>
  auto read(Step&& step) {
    while (true) {
      plan_.begin();
      store::Reader reader(store_, plan_);
      if (auto result = step(reader)) return result;
      const auto requests = plan_.finish();
      if (requests.empty()) throw Error(Errc::internal, "a step without requests");
      for (const auto& request : requests) supply(request);
    }
  }

  explicit MemoryDataset(MemoryStore objects) : objects_(std::move(objects)) {
    read([this](store::Reader& reader) {
      dataset_ = scene::ChunkedDataset::open(reader);
      return dataset_.has_value();
    });
  }

  const scene::ChunkedDataset& operator*() const { return *dataset_; }

 private:
  void supply(const store::Request& request) {
    const auto found = objects_.objects.find(request.key);
    if (found == objects_.objects.end()) return store_.supply_absent(request.key);
    store_.supply(request, part_of(found->second, request.range));
  }

  MemoryStore objects_;
  store::Store store_{std::size_t{64} << 20};
  store::Plan plan_{store_, "test"};
  std::optional<scene::ChunkedDataset> dataset_;
};

}  // namespace bev::test
