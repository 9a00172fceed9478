#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/convert/json_items.hpp"
#include "core/futures/own_form.hpp"

namespace bev::futures {

/// Maximum bytes of a token of an instance or sample.
inline constexpr std::size_t kMaxTokenBytes = 64;

/// Returns the id of what the nuScenes prediction challenge asks for, and of the scenario
/// in a submission that has it: "INSTANCE_SAMPLE".
std::string nuscenes_id(std::string_view instance, std::string_view sample);

/// Finds the predictions of a submission to the nuScenes prediction challenge, a JSON list
/// of {instance, sample, prediction: [modes][steps][2], probabilities: [modes]}: a scenario
/// for each. The file is read once, in windows.
///
/// The futures of a scenario are the modes of an agent, whose name is the instance, in x
/// and y from frame 1 after the sample on; scores are probabilities as they are.
///
/// Throws  corrupt_chunk for text that is not JSON; invalid_metadata, naming file, item and
///         field, for another shape, tokens that are none, and a prediction that occurs
///         twice; limit_exceeded above a limit, before memory is allocated.
/// Reference  nuscenes-devkit, eval/prediction/data_classes.py
class NuscenesIndexer {
 public:
  NuscenesIndexer(std::string name, std::uint64_t file_size);
  NuscenesIndexer(const NuscenesIndexer&) = delete;  // items_ calls it
  NuscenesIndexer& operator=(const NuscenesIndexer&) = delete;

  std::optional<ByteRange> missing() const;
  void supply(std::span<const std::byte> bytes);
  SubmissionShard take();

 private:
  void add(const convert::JsonItems::Item& item);
  void finish();

  SubmissionShard out_;
  std::uint64_t size_;
  std::uint64_t at_ = 0;  // bytes supplied
  convert::JsonItems items_;
};

}  // namespace bev::futures
