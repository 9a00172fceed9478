#include "native/export/row_writer.hpp"

#include <utility>

#include "core/base/error.hpp"

namespace bev::native {

std::unique_ptr<RowWriter> make_row_writer(std::string_view format, RowLayout layout,
                                           Write write) {
  if (format == "npy") return make_npy_writer(layout, std::move(write));
  if (format == "csv") return make_csv_writer(layout, std::move(write));
  if (format == "json") return make_json_writer(std::move(layout), std::move(write));
  if (format == "arrow") return make_arrow_writer(layout, std::move(write));
  fail(Errc::invalid_argument,
       {"unknown format \"", format, "\" (expected npy, csv, json or arrow)"});
}

}  // namespace bev::native
