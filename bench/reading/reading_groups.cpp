// The operations of the smallest module that reads arrays: its size minus an empty module's
// is the cost of the reading layer. Never run.
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/ops/objects_of_engine.hpp"
#include "core/ops/operation.hpp"
#include "wasm/groups.hpp"

namespace bev::wasm {
namespace {

using ops::Index;

std::unique_ptr<Engine> engine(std::uint32_t byte_budget) {
  return std::make_unique<Engine>(byte_budget);
}

std::unique_ptr<Query> rows(Engine& engine, std::string array, Index begin, Index end,
                            std::vector<std::string> fields) {
  Rows out{std::move(array)};
  out.begin = static_cast<std::int64_t>(begin.value);
  out.end = static_cast<std::int64_t>(end.value);
  out.fields = std::move(fields);
  return engine.rows(std::move(out));
}

void supply(Engine& engine, std::string key, Index begin, Index end, RawBytes bytes) {
  engine.supply({std::move(key), ByteRange{begin, end}}, std::move(bytes));
}

void supply_absent(Engine& engine, const std::string& key) {
  engine.supply_absent(key);
}

constexpr std::array kReading{
    ops::operation<&engine, "byte_budget">("engine", "", ""),
    ops::operation<&rows, "engine", "array", "begin", "end", "fields">("rows", "", ""),
    ops::operation<&supply, "engine", "key", "begin", "end", "bytes">("supply", "", ""),
    ops::operation<&supply_absent, "engine", "key">("supply_absent", "", ""),
};

}  // namespace

ops::Dispatcher::Groups groups() {
  static constexpr std::array kAll{std::span<const ops::Operation>(kReading)};
  return kAll;
}

}  // namespace bev::wasm
