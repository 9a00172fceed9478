#include <bevscope/parquet.hpp>
#include <span>

#include "core/parquet/unischema.hpp"

namespace bev {

std::string unischema_fields(std::string_view pickled) {
  return parquet::unischema_json(
      std::as_bytes(std::span(pickled.data(), pickled.size())));
}

}  // namespace bev
