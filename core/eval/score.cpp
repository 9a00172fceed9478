#include "core/eval/score.hpp"

#include <cmath>
#include <limits>

namespace bev::eval {

void MeanScore::add(const Score& score) noexcept {
  if (std::isnan(score.nll)) return;
  sum_.ade += score.ade;
  sum_.fde += score.fde;
  sum_.nll += score.nll;
  ++count_;
}

void MeanScore::add(const MeanScore& other) noexcept {
  sum_.ade += other.sum_.ade;
  sum_.fde += other.sum_.fde;
  sum_.nll += other.sum_.nll;
  count_ += other.count_;
}

Score MeanScore::value() const noexcept {
  if (count_ == 0) {
    const auto unknown = std::numeric_limits<double>::quiet_NaN();
    return {unknown, unknown, unknown};
  }
  const auto count = static_cast<double>(count_);
  return {sum_.ade / count, sum_.fde / count, sum_.nll / count};
}

}  // namespace bev::eval
