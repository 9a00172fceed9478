#pragma once

#include "core/model/contract.hpp"

namespace bev::model {

/// Sets what depends on the inputs: see bind().
void bind_inputs(const std::vector<Tensor>& inputs, Contract& contract);

}  // namespace bev::model
