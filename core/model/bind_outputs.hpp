#pragma once

#include "core/model/contract.hpp"

namespace bev::model {

/// Sets what depends on the outputs: see bind().
void bind_outputs(const std::vector<Tensor>& outputs, Contract& contract);

}  // namespace bev::model
