#pragma once

#include <bevscope/convert.hpp>
#include <utility>

#include "core/convert/scenario.hpp"

namespace bev {

struct Scenario::Impl {
  convert::Scenario scenario;

  /// Leaves the other unusable.
  static convert::Scenario taken(Scenario&& from) {
    return std::move(from.impl_->scenario);
  }
};

}  // namespace bev
