#include "core/convert/nuscenes_splits.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace bev::convert {
namespace {

constexpr std::string_view kTrain = "train", kVal = "val", kTest = "test";

struct LastOfSplit {
  int number;
  std::string_view split;
};

// Scenes by number. Not every number has one.
constexpr LastOfSplit kSplits[] = {
    {2, kTrain},    {3, kVal},     {11, kTrain},   {18, kVal},    {34, kTrain},
    {39, kVal},     {76, kTrain},  {91, kTest},    {110, kVal},   {119, kTest},
    {139, kTrain},  {148, kTest},  {220, kTrain},  {221, kVal},   {264, kTrain},
    {266, kTest},   {278, kVal},   {282, kTest},   {306, kTrain}, {314, kTest},
    {328, kTrain},  {332, kVal},   {343, kTest},   {346, kVal},   {480, kTrain},
    {498, kTest},   {518, kTrain}, {524, kVal},    {546, kTrain}, {551, kTest},
    {565, kVal},    {600, kTrain}, {624, kTest},   {638, kVal},   {769, kTrain},
    {784, kVal},    {792, kTrain}, {802, kVal},    {822, kTrain}, {846, kTest},
    {903, kTrain},  {931, kVal},   {943, kTest},   {961, kTrain}, {972, kVal},
    {1025, kTrain}, {1043, kTest}, {1058, kTrain}, {1073, kVal},  {1110, kTrain}};

// The challenge's train_val are the first 200 scenes of train.
constexpr int kLastTrainVal = 300;

constexpr std::array kMiniTrain = {61, 553, 655, 757, 796, 1077, 1094, 1100};
constexpr std::array kMiniVal = {103, 916};

/// Returns the number in "scene-0061"; 0 for another name.
int number_of_scene(std::string_view scene) noexcept {
  constexpr std::string_view kStart = "scene-";
  constexpr std::size_t kDigits = 4;
  if (!scene.starts_with(kStart) || scene.size() != kStart.size() + kDigits) return 0;
  int out = 0;
  for (const char c : scene.substr(kStart.size())) {
    if (c < '0' || c > '9') return 0;
    out = 10 * out + (c - '0');
  }
  return out;
}

template <class Numbers>
bool has_number(const Numbers& numbers, int number) noexcept {
  return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

}  // namespace

NuscenesSplits nuscenes_splits(std::string_view scene) noexcept {
  const int number = number_of_scene(scene);
  const auto* const found =
      std::find_if(std::begin(kSplits), std::end(kSplits),
                   [number](const LastOfSplit& last) { return number <= last.number; });
  if (number == 0 || found == std::end(kSplits)) return {};
  NuscenesSplits out;
  out.split = found->split;
  if (out.split != kTest) out.prediction = out.split;
  if (out.split == kTrain && number <= kLastTrainVal) out.prediction = "train_val";
  if (has_number(kMiniTrain, number)) out.mini = "mini_train";
  if (has_number(kMiniVal, number)) out.mini = "mini_val";
  return out;
}

std::vector<std::string> nuscenes_tags(std::string_view scene) {
  const auto [split, prediction, mini] = nuscenes_splits(scene);
  std::vector<std::string> out;
  const auto add = [&](std::string kind, std::string_view name) {
    if (!name.empty()) out.push_back(std::move(kind) + ":" + std::string(name));
  };
  add("split", split);
  add("prediction_split", prediction);
  add("mini_split", mini);
  return out;
}

}  // namespace bev::convert
