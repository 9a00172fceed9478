#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/ops/dispatcher.hpp"
#include "core/ops/tables.hpp"
#include "tests/support/plain_arguments.hpp"
#include "tests/support/small_scenes.hpp"

namespace bev::test {

/// A host with two scenes of five frames, in which the ego vehicle moves 2 m per frame.
class OperationsHost {
 public:
  OperationsHost() : engine_(made("engine", {{"byte_budget", 1e8}})) {}

  const ops::Outcome& run(const char* name,
                          std::map<std::string, PlainArguments::Value> given) {
    PlainArguments arguments(std::move(given));
    return dispatcher_.run(*dispatcher_.find(name), arguments);
  }

  double made(const char* name, std::map<std::string, PlainArguments::Value> given) {
    return run(name, std::move(given)).number();
  }

  /// Runs the loop of a query.
  std::span<const ResultArray> answer(double query) {
    const auto id = static_cast<int>(query);
    for (auto requests = dispatcher_.missing(id); !requests.empty();
         requests = dispatcher_.missing(id)) {
      for (const auto& request : requests) supply(request);
    }
    return dispatcher_.build(id);
  }

  double engine() const { return engine_; }

 private:
  void supply(const store::Request& request) {
    const auto found = store_.objects.find(request.key);
    if (found == store_.objects.end()) {
      run("supply_absent", {{"engine", engine_}, {"key", request.key}});
      return;
    }
    const auto bytes = part_of(found->second, request.range);
    const auto* const data = reinterpret_cast<const std::uint8_t*>(bytes.data());
    const auto begin = request.range ? static_cast<double>(request.range->begin) : -1;
    const auto end = request.range ? static_cast<double>(request.range->end) : -1;
    run("supply", {{"engine", engine_},
                   {"key", request.key},
                   {"begin", begin},
                   {"end", end},
                   {"bytes", PlainArguments::Array(std::vector<std::uint8_t>(
                                 data, data + bytes.size()))}});
  }

  std::array<std::span<const ops::Operation>, 4> groups_{
      ops::dataset_operations(), ops::sample_operations(), ops::unroll_operations(),
      ops::patch_operations()};
  ops::Dispatcher dispatcher_{groups_};
  MemoryStore store_ = small_store();
  double engine_;
};

/// Returns the values of an array.
template <class T>
std::vector<T> values(std::span<const ResultArray> arrays, std::string_view name) {
  for (const auto& array : arrays) {
    if (array.name != name) continue;
    std::vector<T> out(array.bytes.size() / sizeof(T));
    if (!out.empty()) std::memcpy(out.data(), array.bytes.data(), array.bytes.size());
    return out;
  }
  return {};
}

}  // namespace bev::test
