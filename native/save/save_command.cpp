#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/secrets.hpp"
#include "core/zarr/version3_store.hpp"
#include "native/cli/arguments.hpp"
#include "native/cli/commands.hpp"
#include "native/cli/output.hpp"
#include "native/export/npy.hpp"
#include "native/files/file.hpp"
#include "native/save/commit_parts.hpp"
#include "native/save/data_saver.hpp"

namespace bev::native {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::uint64_t kMaxBatch = std::uint64_t{16} << 20;  // bytes of one array
constexpr std::uint64_t kFlush = 16;                          // batches

cli::Usage save_usage() {
  return {
      .command = "save",
      .synopsis = "[NAME=]FILE.npy... -o STORE [OPTION]...",
      .summary = "Saves arrays as a data set of objects of bounded size.",
      .description =
          "Writes the zarr group STORE (a .zip if the name ends so) with an array\n"
          "per file, named NAME or as the file. All arrays have equally many rows.\n"
          "Each object of STORE is at most --max-object-size bytes.\n"
          "\n"
          "STORE appears, or changes, all at once when it is complete. Until then\n"
          "rows are collected in STORE.parts. A run that is killed is resumed by\n"
          "running it again.\n"
          "\n"
          "STORE may be in S3 (s3://bucket/key). Rows are then collected in\n"
          "BEVSCOPE_PARTS, by default in ~/.local/state/bevscope/parts.\n"
          "\n"
          "Several processes may save to one STORE at the same time, each with a\n"
          "--saver of its own and with --no-commit; \"bevscope save -o STORE\" "
          "without\n"
          "files then joins their rows in the order of the savers.",
      .options =
          {
              {"output", "STORE", "The data set. Required.", "o"},
              {"name", "NAME", "Name of the data set. Default: that of STORE."},
              {"codec", "NAME",
               "none, zlib, gzip, zstd, lz4, or Blosc with blosc:lz4,\n"
               "blosc:lz4hc, blosc:blosclz, blosc:zlib, blosc:zstd.\n"
               "Default: blosc:lz4."},
              {"max-object-size", "SIZE", "For example 500kB, 2MiB. Default: 8MiB."},
              {"zarr-format", "N", "2 or 3. Default: 2."},
              {"shard", "N",
               "With --zarr-format 3: N chunks per object, so that each is N times\n"
               "smaller."},
              {"attach",
               "[NAME=]FILE",
               "Also copy FILE into STORE, as attachments/NAME. May be repeated.",
               "",
               {},
               true},
              {"append", "", "Append to an existing STORE."},
              {"replace", "", "Replace an existing STORE."},
              {"saver", "N", "Number of this saver. Default: 0."},
              {"no-commit", "", "Only collect the rows."},
              {"upload", "",
               "Of a STORE in S3: upload this saver's rows instead of committing, so\n"
               "that savers may run on several machines."},
              {"savers", "N",
               "Without files: join the rows of the N savers that have uploaded them."},
              {"quiet", "", "Do not print the result."},
          },
      .examples =
          "  bevscope save image=x_train.npy label=y_train.npy -o mnist.zarr\n"
          "  bevscope save label=more.npy image=more_x.npy -o mnist.zarr --append",
  };
}

/// A file's name in the data set, and its path.
struct NamedFile {
  std::string name, path;
};

/// Parses "[NAME=]PATH", where a path may contain "=".
NamedFile named_file(const std::string& operand) {
  const auto equals = operand.find('=');
  if (operand.substr(0, equals).find("://") != operand.npos) {
    fail_at(Errc::unsupported, operand, {"not a file (found a URL)"});
  }
  if (equals == operand.npos || fs::exists(operand)) return {"", operand};
  return {operand.substr(0, equals), operand.substr(equals + 1)};
}

/// An .npy file whose rows are read in batches.
class NpyInput {
 public:
  NpyInput(std::string name, const std::string& path)
      : name_(std::move(name)), path_(path), file_(opened(path)) {
    std::vector<std::byte> bytes(kLongestNpyHead);
    bytes.resize(file_.read_at(0, bytes));
    head_ = read_npy_head(bytes, path);
    if (head_.shape.empty()) {
      fail_at(Errc::invalid_argument, path, {"has no rows (found a scalar)"});
    }
  }

  const std::string& name() const noexcept { return name_; }
  const std::string& path() const noexcept { return path_; }
  std::uint64_t rows() const noexcept { return head_.shape[0]; }

  json attribute() const {
    json shape = json::array();
    for (std::size_t i = 1; i < head_.shape.size(); ++i)
      shape.push_back(head_.shape[i]);
    return {{"name", name_}, {"dtype", zarr::to_json(head_.type)}, {"shape", shape}};
  }

  /// Reads rows [first, first + count).
  save::BatchArray read(const save::Attribute& attribute, std::uint64_t first,
                        std::uint64_t count) {
    const std::uint64_t row = attribute.row_bytes();
    bytes_.resize(static_cast<std::size_t>(row * count));
    if (file_.read_at(head_.data_offset + row * first, bytes_) != bytes_.size()) {
      fail_at(Errc::invalid_argument, path_, {"truncated"});
    }
    auto shape = attribute.shape;
    shape.insert(shape.begin(), count);
    return {name_, zarr::to_string(head_.type), std::move(shape), bytes_};
  }

 private:
  static File opened(const std::string& path) {
    auto file = File::open(path, path);
    if (!file) fail_at(Errc::not_found, path, {"not found"});
    return std::move(*file);
  }

  std::string name_;
  std::string path_;
  File file_;
  NpyHead head_;
  std::vector<std::byte> bytes_;
};

std::vector<NpyInput> inputs_of(const std::vector<std::string>& operands) {
  std::vector<NpyInput> out;
  for (const auto& operand : operands) {
    const auto [name, path] = named_file(operand);
    out.emplace_back(name.empty() ? fs::path(path).stem().string() : name, path);
    if (out.back().rows() == out.front().rows()) continue;
    fail_at(Errc::invalid_argument, path,
            {"wrong number of rows (found ", out.back().rows(), ", expected ",
             out.front().rows(), " as in ", out.front().path(), ")"});
  }
  return out;
}

json compressor_of(const std::string& codec) {
  constexpr std::string_view kBlosc = "blosc:";
  if (codec == "none") return nullptr;
  if (!codec.starts_with(kBlosc)) return {{"id", codec}};
  return {{"id", "blosc"}, {"cname", codec.substr(kBlosc.size())}};
}

save::DataConfig config_of_save_command(const cli::Arguments& arguments,
                                        const std::string& store,
                                        const std::vector<NpyInput>& inputs) {
  json attributes = json::array();
  for (const auto& input : inputs) attributes.push_back(input.attribute());
  json config = {
      {"name",
       arguments.value("name").value_or(fs::path(store).stem().stem().string())},
      {"attributes", attributes},
      {"compressor", compressor_of(arguments.value("codec").value_or("blosc:lz4"))}};
  if (const auto size = arguments.value("max-object-size")) {
    config["max_object_size"] = cli::byte_size(*size, "--max-object-size");
  }
  if (const auto format = arguments.value("zarr-format")) {
    config["zarr_format"] = cli::whole_number(*format, "--zarr-format", 2, 3);
  }
  if (const auto chunks = arguments.value("shard")) {
    constexpr auto kMax = static_cast<long long>(zarr::Version3Store::kMaxChunks);
    config["chunks_per_shard"] = cli::whole_number(*chunks, "--shard", 1, kMax);
  }
  return save::DataConfig::parse(config.dump());
}

SaverOptions options_of(const cli::Arguments& arguments) {
  if (arguments.has("append") && arguments.has("replace")) {
    throw cli::UsageError("--append and --replace exclude each other");
  }
  constexpr long long kMax = 999'999'999;
  SaverOptions out;
  out.saver = static_cast<std::uint64_t>(
      cli::whole_number(arguments.value("saver").value_or("0"), "--saver", 0, kMax));
  if (arguments.has("append")) out.mode = SaveMode::append;
  if (arguments.has("replace")) out.mode = SaveMode::replace;
  out.upload = arguments.has("upload");
  return out;
}

/// Saves all rows that an earlier run has not saved.
void save_rows(DataSaver& saver, const save::DataConfig& config,
               std::vector<NpyInput>& inputs) {
  std::uint64_t widest = 1;
  for (const auto& attribute : config.attributes()) {
    widest = std::max<std::uint64_t>(widest, attribute.row_bytes());
  }
  const auto step = std::max<std::uint64_t>(kMaxBatch / widest, 1);
  const auto rows = inputs.front().rows();
  while (saver.rows() < rows) {
    const auto count = std::min(step, rows - saver.rows());
    std::vector<save::BatchArray> batch;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      batch.push_back(inputs[i].read(config.attributes()[i], saver.rows(), count));
    }
    saver.save(batch);
    if (saver.batches() % kFlush == 0) saver.flush();
  }
  if (saver.rows() == rows) return;
  throw Error(Errc::invalid_argument,
              "more rows were saved under this number than the files have (found " +
                  std::to_string(saver.rows()) + ", expected " + std::to_string(rows) +
                  "); remove them with \"bevscope gc\"");
}

}  // namespace

int save_main(std::span<const std::string> words) {
  const auto arguments = cli::parse_arguments(save_usage(), words);
  if (arguments.has("help")) {
    cli::print(cli::help_text(save_usage()));
    return 0;
  }
  const auto store = arguments.value("output");
  if (!store) throw cli::UsageError("--output is required");
  const bool commit = !arguments.has("no-commit") && !arguments.has("upload");
  const auto savers = arguments.value("savers");
  if (savers && (!arguments.operands().empty() || !commit)) {
    throw cli::UsageError("--savers joins what was uploaded, without files");
  }
  if (arguments.operands().empty() && !commit) {
    throw cli::UsageError("expected files, FILE.npy");
  }
  if (arguments.operands().empty() && arguments.has("attach")) {
    throw cli::UsageError("--attach needs rows to save, FILE.npy");
  }
  if (!arguments.operands().empty()) {
    auto inputs = inputs_of(arguments.operands());
    const auto config = config_of_save_command(arguments, *store, inputs);
    DataSaver saver(*store, config, options_of(arguments));
    for (const auto& operand : arguments.all("attach")) {
      const auto [name, path] = named_file(operand);
      saver.attach_file(name.empty() ? fs::path(path).filename().string() : name, path);
    }
    save_rows(saver, config, inputs);
    saver.finish();
  }
  std::uint64_t rows = 0;
  if (savers) {
    constexpr long long kMaxSavers = 1'000'000;
    const auto count = cli::whole_number(*savers, "--savers", 1, kMaxSavers);
    rows = commit_parts(*store, static_cast<std::uint64_t>(count));
  } else if (commit) {
    rows = commit_parts(*store);
  }
  if (!arguments.has("quiet") && commit) {
    cli::print(without_secrets(*store) + ": " + std::to_string(rows) + " rows\n");
  }
  return 0;
}

int gc_main(std::span<const std::string> words) {
  const cli::Usage usage = {
      .command = "gc",
      .synopsis = "STORE...",
      .summary = "Removes rows that were saved but not committed.",
      .description =
          "Removes STORE.parts: what savers have collected that were aborted or\n"
          "killed and will not be resumed. STORE itself is not changed. While savers\n"
          "are running, this is an error.",
      .options = {},
      .examples = "  bevscope gc mnist.zarr",
  };
  const auto arguments = cli::parse_arguments(usage, words);
  if (arguments.has("help")) {
    cli::print(cli::help_text(usage));
    return 0;
  }
  if (arguments.operands().empty()) throw cli::UsageError("expected STORE");
  for (const auto& store : arguments.operands()) {
    const bool removed = discard_parts(store);
    cli::print(without_secrets(store) +
               (removed ? ": parts removed\n" : ": no parts\n"));
  }
  return 0;
}

}  // namespace bev::native
