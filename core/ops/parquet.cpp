#include <array>
#include <string>

#include "core/ops/operation.hpp"
#include "core/ops/tables.hpp"
#include "core/parquet/unischema.hpp"

// Parquet data sets.

namespace bev::ops {
namespace {

std::string unischema(const RawBytes& pickled) {
  return parquet::unischema_json(pickled);
}

constexpr std::array kParquetOperations{
    operation<&unischema, "pickled">("unischema", "",
                                     "fields of Petastorm's pickled schema, JSON"),
};

}  // namespace

std::span<const Operation> parquet_operations() {
  return kParquetOperations;
}

}  // namespace bev::ops
