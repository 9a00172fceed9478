#include "core/ops/describe.hpp"

#include <nlohmann/json.hpp>

namespace bev::ops {

std::string describe(Dispatcher::Groups groups) {
  using Json = nlohmann::ordered_json;
  auto all = Json::array();
  for (const auto& group : groups) {
    for (const auto& operation : group) {
      Description description;
      operation.describe(description);
      auto arguments = Json::array();
      for (const auto& [name, kind, required] : description.arguments) {
        arguments.push_back({{"name", name}, {"kind", kind}, {"required", required}});
      }
      all.push_back({{"name", operation.name},
                     {"meaning", operation.meaning},
                     {"arguments", std::move(arguments)},
                     {"result", description.result},
                     {"results", operation.results}});
    }
  }
  return all.dump(1, '\t');
}

}  // namespace bev::ops
