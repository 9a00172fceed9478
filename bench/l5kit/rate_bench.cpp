// Measures how fast samples and masks of a data set on disk are computed, for a
// benchmark that alternates with another library:
//
//   l5kit_bench sample DATASET CONFIG ROOT KIND MASK ITEMS    KIND ego, agent or vector
//                                                             MASK "-" for none
//   l5kit_bench mask DATASET THRESHOLD
//
// Each line on standard input computes everything once: "none", "f32", "u8" or "rgba"
// selects the image form (a mask accepts any line). The reply is a line with the
// processor time in seconds.

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bench/bench.hpp"
#include "native/config/config_file.hpp"
#include "native/mask/mask.hpp"
#include "native/sample/index_list.hpp"
#include "native/sample/sample_maker.hpp"

namespace {

using bev::ImageForm;
using bev::native::SampleMaker;
using bev::native::SampleRequest;
using Words = std::vector<std::string>;
using Work = std::function<void(const std::string& line)>;

ImageForm form_of(const std::string& name) {
  if (name == "f32") return ImageForm::f32;
  if (name == "u8") return ImageForm::u8;
  return name == "rgba" ? ImageForm::rgba : ImageForm::none;
}

Work sampling(const Words& words) {
  SampleRequest request;
  request.dataset = words.at(1);
  request.options.config = bev::native::read_config(words.at(2));
  request.root = words.at(3);
  request.options.vectorized = words.at(4) == "vector";
  request.options.kind =
      words.at(4) == "agent" ? bev::SampleKind::agent : bev::SampleKind::ego;
  if (words.at(5) != "-") request.mask = words.at(5);
  const auto items = words.at(6);
  auto makers = std::make_shared<std::map<std::string, SampleMaker>>();
  return [request, items, makers](const std::string& line) mutable {
    auto found = makers->find(line);
    if (found == makers->end()) {
      request.options.image = form_of(line);
      const auto quiet = [](std::uint64_t, std::uint64_t) {};
      found = makers->try_emplace(line, request, quiet).first;
    }
    auto& maker = found->second;
    for (const auto item : bev::native::parse_indices(items, maker.size())) {
      bev::bench::keep(maker.make(item).data());
    }
  };
}

Work selecting(const Words& words) {
  const auto source =
      std::shared_ptr<bev::native::Source>(bev::native::open_source(words.at(1)));
  bev::scene::SelectionRules rules;
  rules.label_threshold = std::strtod(words.at(2).c_str(), nullptr);
  return [source, rules](const std::string&) {
    bev::native::select_agents(
        *source, rules, [](std::uint64_t) {},
        [](std::span<const std::uint32_t> rows) { bev::bench::keep(rows.data()); },
        [](std::uint64_t, std::uint64_t) {});
  };
}

void answer(const Work& work) {
  char line[64];
  while (std::fgets(line, sizeof line, stdin) != nullptr) {
    std::string name = line;
    while (name.ends_with('\n')) name.pop_back();
    const auto start = std::clock();
    work(name);
    const auto ticks = static_cast<double>(std::clock() - start);
    std::printf("%.6f\n", ticks / CLOCKS_PER_SEC);
    std::fflush(stdout);
  }
}

}  // namespace

int main(int count, char** arguments) {
  const Words words(arguments + 1, arguments + count);
  try {
    answer(words.at(0) == "mask" ? selecting(words) : sampling(words));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "l5kit_bench: %s\n", error.what());
    return 1;
  }
  return 0;
}
