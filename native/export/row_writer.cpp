#include "native/export/row_writer.hpp"

#include <utility>

#include "core/base/error.hpp"

namespace bev::native {

std::unique_ptr<RowWriter> make_row_writer(std::string_view format, RowLayout layout,
                                           Write write) {
  if (format == "npy") return make_npy_writer(layout, std::move(write));
  if (format == "csv") return make_csv_writer(layout, std::move(write));
  if (format == "json") return make_json_writer(std::move(layout), std::move(write));
  throw Error(Errc::invalid_argument, "unknown format \"" + std::string(format) +
                                          "\" (expected npy, csv or json)");
}

}  // namespace bev::native
