#include <string>
#include <vector>

#include "native/cli/arguments.hpp"
#include "native/cli/commands.hpp"
#include "native/cli/output.hpp"
#include "native/save/list_datasets.hpp"

namespace bev::native {
namespace {

cli::Usage ls_usage() {
  return {
      .command = "ls",
      .synopsis = "[PATH]...",
      .summary = "Lists data sets that were saved with \"bevscope save\".",
      .description =
          "Prints the data set at PATH, or those directly below the folder PATH: "
          "path,\n"
          "rows, objects, bytes as stored, and each attribute with dtype and shape of\n"
          "an item. Default: the working directory. \"+ parts\" marks data sets with\n"
          "rows that are not committed.",
      .options = {},
      .examples = "  bevscope ls /data\n  bevscope ls s3://bucket/data",
  };
}

/// Describes a field: "image  |u1 (28, 28)", "lidar  <f4 (any, 4)", "front  image/jpeg".
std::string text_of(const save::Field& field) {
  auto out = "  " + field.name + "  ";
  if (field.dtype) {
    out += zarr::to_string(*field.dtype);
  } else {
    out += field.content_type.empty() ? zarr::name_of(field.kind) : field.content_type;
  }
  if (field.shape) {
    std::string shape;
    for (const auto& length : *field.shape) {
      shape += shape.empty() ? "" : ", ";
      shape += length ? std::to_string(*length) : "any";
    }
    out += " (" + shape + ")";
  }
  return out + (field.nullable ? " or null\n" : "\n");
}

std::string text_of(const SavedDataset& dataset) {
  auto out = dataset.path + "  \"" + dataset.config.name() +
             "\": " + std::to_string(dataset.rows) + " rows, " +
             std::to_string(dataset.objects) + " objects, " +
             std::to_string(dataset.bytes) + " bytes" +
             (dataset.has_parts ? " + parts" : "") + "\n";
  for (const auto& field : dataset.config.fields()) out += text_of(field);
  return out;
}

}  // namespace

int ls_main(std::span<const std::string> words) {
  const auto arguments = cli::parse_arguments(ls_usage(), words);
  if (arguments.has("help")) {
    cli::print(cli::help_text(ls_usage()));
    return 0;
  }
  auto paths = arguments.operands();
  if (paths.empty()) paths.emplace_back(".");
  std::string out;
  for (const auto& path : paths) {
    for (const auto& dataset : list_datasets(path)) out += text_of(dataset);
  }
  cli::print(out);
  return 0;
}

}  // namespace bev::native
