// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The smallest parameter set alone, which is soon built.
#include "VApeRing.h"
#include "tests/rtl/ape_router/verilated_ape.h"

namespace fabrictwin::test {

std::vector<ApeVariant> ape_variants() { return {ApeVariant::kRing}; }

std::unique_ptr<ApeModel> make_ape_model(ApeVariant /*variant*/) {
  return std::make_unique<VerilatedApe<VApeRing>>(ape_ring_shape());
}

}  // namespace fabrictwin::test
