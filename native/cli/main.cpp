#include <array>
#include <csignal>
#include <string>
#include <vector>

#include "native/cli/command.hpp"
#include "native/cli/commands.hpp"
#include "native/files/write_file.hpp"
#ifndef BEV_DEMO
#include "core/base/parallel.hpp"
#include "native/source/workers.hpp"
#endif

namespace {

// In the order of the help. Add new commands here.
constexpr std::array kCommands = std::to_array<bev::cli::Command>({
#ifndef BEV_DEMO
    {"info", "describes a data set: counts, dtypes, codecs, sizes",
     &bev::native::info_main},
    {"cat", "writes rows of an array as npy, csv or json", &bev::native::cat_main},
    {"scan", "writes the rows or windows that a filter chooses",
     &bev::native::scan_main},
    {"count", "counts the rows that a filter chooses", &bev::native::count_main},
    {"describe", "describes the values of fields: limits, mean, quantiles",
     &bev::native::describe_main},
    {"facts", "writes facts of scenes or tracks, to find scenarios",
     &bev::native::facts_main},
    {"index", "writes the limits of each chunk's values, for filters",
     &bev::native::index_main},
    {"mask", "selects agents by track length", &bev::native::mask_main},
    {"sample", "writes L5Kit's model inputs as npy", &bev::native::sample_main},
    {"materialize", "stores L5Kit's model inputs as arrays, once",
     &bev::native::materialize_main},
    {"render", "renders a sample's image as png", &bev::native::render_main},
    {"copy", "copies scenes in another layout: for viewing, columnar, other chunks",
     &bev::native::copy_main},
    {"concat", "concatenates the scenes of data sets", &bev::native::concat_main},
    {"split", "splits a data set by size", &bev::native::split_main},
    {"chop", "shortens scenes, or creates a test set with ground truth",
     &bev::native::chop_main},
    {"convert", "converts other data sets; Argoverse 2 needs the Python package",
     &bev::native::convert_main},
    {"inspect", "describes a SQLite file, such as a log of nuPlan",
     &bev::native::inspect_main},
    {"score", "scores a submission to a challenge beside the recorded scenarios",
     &bev::native::score_main},
    {"futures", "lists the scenarios of a submission to a challenge",
     &bev::native::futures_main},
    {"array", "creates arrays, changes their elements, appends rows",
     &bev::native::array_main},
    {"save", "saves npy arrays as objects of bounded size", &bev::native::save_main},
    {"ls", "lists data sets that were saved", &bev::native::ls_main},
    {"gc", "removes rows that were saved but not committed", &bev::native::gc_main},
    {"cache", "counts or removes what is kept of data sets read over HTTP",
     &bev::native::cache_main},
    {"publish", "writes a static site of data sets, to look at and to search",
     &bev::native::publish_main},
    {"doctor", "says what works on this machine, or how a server answers",
     &bev::native::doctor_main},
#endif
    {"serve", "serves the viewer and a folder of data on this machine",
     &bev::serve::serve_main},
    {"town", "generates a synthetic data set", &bev::town::town_main},
});

}  // namespace

int main(int count, char** words) {
  std::signal(SIGXFSZ, SIG_IGN);  // exceeding the file size limit is a write error
  bev::native::remove_partials_on_signals();
#ifndef BEV_DEMO
  bev::set_workers(bev::native::on_threads);
#endif
  const std::vector<std::string> all(words + (count > 0 ? 1 : 0), words + count);
  return bev::cli::run(kCommands, all);
}
