#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace bev::test {

/// The fuzzer's target, also run by a test over the seeds. It returns for any input; it
/// throws std::logic_error if a property of the reader is violated.
///
/// Reads the input as a submission: either an Error, or scenarios with other ids, one
/// after another inside the file. Reads it as a file of scores, too. Reads a scenario of other forms than messages, and joins
/// it; reads a scenario of a message as every kind: either an Error, or
/// futures that check() accepts, that are the same after encoding them again, and that can
/// be joined and measured.
void submission_target(std::span<const std::byte> input);

struct SubmissionSeed {
  std::string name;
  std::string bytes;
};

/// Returns small submissions that reach every message.
std::vector<SubmissionSeed> submission_seeds();

/// Returns small files of scores, of every kind.
std::vector<SubmissionSeed> score_seeds();

}  // namespace bev::test
