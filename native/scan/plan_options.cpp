#include "native/scan/plan_options.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "native/source/read_options.hpp"

namespace bev::native {
namespace {

using nlohmann::json;

/// Returns the parts of a list; throws UsageError for an empty one.
std::vector<std::string> split(const std::string& list, char separator,
                               const std::string& option) {
  std::vector<std::string> parts;
  for (std::size_t from = 0; from <= list.size();) {
    const auto end = std::min(list.find(separator, from), list.size());
    if (end == from) {
      throw cli::UsageError(option + ": empty part (found \"" + list + "\")");
    }
    parts.push_back(list.substr(from, end - from));
    from = end + 1;
  }
  return parts;
}

constexpr long long kMaxNumber = 1'000'000'000;

json window_from(const cli::Arguments& arguments) {
  const auto parts = split(*arguments.value("window"), ',', "--window");
  if (parts.size() < 2 || parts.size() > 3) {
    throw cli::UsageError("--window: expected PAST,FUTURE[,STEP] (found \"" +
                          *arguments.value("window") + "\")");
  }
  json window{{"past", cli::whole_number(parts[0], "--window", 0, kMaxNumber)},
              {"future", cli::whole_number(parts[1], "--window", 0, kMaxNumber)}};
  if (parts.size() == 3) {
    window["step"] = cli::whole_number(parts[2], "--window", 1, kMaxNumber);
  }
  if (const auto edges = arguments.value("edges")) window["edges"] = *edges;
  return window;
}

}  // namespace

std::vector<cli::Option> with_plan_options(std::vector<cli::Option> own) {
  std::vector<cli::Option> out{
      {"from", "TABLE",
       "agents (default), frames, scenes, traffic_light_faces or another\n"
       "array of the store."},
      {"where", "FILTER",
       "The rows to choose, such as \"speed > 10 and label == 'CAR'\";\n"
       "docs/filters.md has the language. Default: all rows."},
      {"window", "PAST,FUTURE[,STEP]",
       "Instead of rows, windows of PAST rows before each chosen one and\n"
       "FUTURE after it: of the same track, or of frames, within a scene,\n"
       "STEP frames apart (default 1)."},
      {"edges", "HOW",
       "What becomes of windows with absent rows: drop (default), pad with\n"
       "zeros, or clamp to the nearest row."},
      {"shard", "I/N", "Part I of N, counted from 0: every N-th item."},
      {"allow-empty", "", "A part without items is no error."},
      {"on-damage", "HOW",
       "fail (default); skip: scenes (blocks of other tables) with damaged\n"
       "chunks have no rows, and standard error lists them."},
  };
  out.insert(out.end(), own.begin(), own.end());
  return with_read_options(std::move(out));
}

std::string plan_from(const cli::Arguments& arguments) {
  json plan = json::object();
  if (const auto from = arguments.value("from")) plan["from"] = *from;
  if (const auto where = arguments.value("where")) plan["where"] = *where;
  if (const auto fields = arguments.value("fields")) {
    plan["fields"] = split(*fields, ',', "--fields");
  }
  if (arguments.has("window")) plan["window"] = window_from(arguments);
  if (arguments.has("edges") && !arguments.has("window")) {
    throw cli::UsageError("--edges: needs --window");
  }
  if (const auto shard = arguments.value("shard")) {
    const auto parts = split(*shard, '/', "--shard");
    if (parts.size() != 2) {
      throw cli::UsageError("--shard: expected I/N (found \"" + *shard + "\")");
    }
    const auto count = cli::whole_number(parts[1], "--shard", 1, kMaxNumber);
    const auto index = cli::whole_number(parts[0], "--shard", 0, count - 1);
    plan["shard"] = {{"index", index},
                     {"count", count},
                     {"allow_empty", arguments.has("allow-empty")}};
  } else if (arguments.has("allow-empty")) {
    throw cli::UsageError("--allow-empty: needs --shard");
  }
  const auto shuffle = arguments.value("shuffle");
  if (arguments.has("seed") && !shuffle) {
    throw cli::UsageError("--seed: needs --shuffle");
  }
  if (shuffle) {
    const auto seed = arguments.value("seed").value_or("0");
    plan["order"] = {{"mode", shuffle->empty() ? "blocks" : *shuffle},
                     {"seed", cli::whole_number(seed, "--seed", 0, 1LL << 53)}};
  }
  if (const auto how = arguments.value("on-damage")) plan["on_damage"] = *how;
  plan["batch"] = {{"size", 10'000}};
  return plan.dump();
}

const std::string& dataset_of(const cli::Arguments& arguments) {
  if (arguments.operands().size() != 1) {
    throw cli::UsageError("expected one data set, DATASET");
  }
  return arguments.operands().front();
}

Shown shown_by(const char* command, bool quiet, bool to_stdout) {
  Shown out;
  out.skipped = [](const ReaderQuery::SkippedBlock& block) {
    std::fprintf(stderr, "bevscope: warning: block %llu left out: %s\n",
                 static_cast<unsigned long long>(block.block), block.error.c_str());
  };
  const bool shown = !quiet && ::isatty(STDERR_FILENO) == 1 &&
                     !(to_stdout && ::isatty(STDOUT_FILENO) == 1);
  if (!shown) return out;
  out.progress = [command](std::uint64_t done, std::uint64_t all) {
    std::fprintf(stderr, "\rbevscope: %s: block %llu of %llu%s", command,
                 static_cast<unsigned long long>(done),
                 static_cast<unsigned long long>(all), done >= all ? "\n" : "");
  };
  return out;
}

}  // namespace bev::native
