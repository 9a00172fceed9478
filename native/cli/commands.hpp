#pragma once

#include <span>
#include <string>

// The commands of `bevscope`. Each gets the words after its name and returns the exit
// status; its --help describes it. See cli::Command.

namespace bev::native {

int array_main(std::span<const std::string> words);
int cache_main(std::span<const std::string> words);
int cat_main(std::span<const std::string> words);
int chop_main(std::span<const std::string> words);
int concat_main(std::span<const std::string> words);
int convert_main(std::span<const std::string> words);
int copy_main(std::span<const std::string> words);
int count_main(std::span<const std::string> words);
int describe_main(std::span<const std::string> words);
int doctor_main(std::span<const std::string> words);
int facts_main(std::span<const std::string> words);
int futures_main(std::span<const std::string> words);
int gc_main(std::span<const std::string> words);
int index_main(std::span<const std::string> words);
int info_main(std::span<const std::string> words);
int inspect_main(std::span<const std::string> words);
int ls_main(std::span<const std::string> words);
int mask_main(std::span<const std::string> words);
int materialize_main(std::span<const std::string> words);
int publish_main(std::span<const std::string> words);
int render_main(std::span<const std::string> words);
int sample_main(std::span<const std::string> words);
int save_main(std::span<const std::string> words);
int scan_main(std::span<const std::string> words);
int score_main(std::span<const std::string> words);
int split_main(std::span<const std::string> words);

}  // namespace bev::native

namespace bev::serve {

int serve_main(std::span<const std::string> words);

}  // namespace bev::serve

namespace bev::town {

int town_main(std::span<const std::string> words);

}  // namespace bev::town
