// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The parameter sets: the arguments in CMakeLists.txt say the same.
#include "VApe1x2Widest.h"
#include "VApe1x6.h"
#include "VApe2x4Wide.h"
#include "VApe3x2.h"
#include "VApe4x6Pruned.h"
#include "VApeRing.h"
#include "tests/rtl/ape_router/verilated_ape.h"

namespace fabrictwin::test {

std::vector<ApeVariant> ape_variants() {
  return {ApeVariant::k3x2,       ApeVariant::k1x6,       ApeVariant::k2x4Wide,
          ApeVariant::k1x2Widest, ApeVariant::k4x6Pruned, ApeVariant::kRing};
}

std::unique_ptr<ApeModel> make_ape_model(ApeVariant variant) {
  switch (variant) {
    case ApeVariant::k3x2:
      return std::make_unique<VerilatedApe<VApe3x2>>(ApeShape{});
    case ApeVariant::k1x6:
      return std::make_unique<VerilatedApe<VApe1x6>>(ApeShape{1, 6, 128, 256, 16, 64, 64, true});
    case ApeVariant::k2x4Wide:
      return std::make_unique<VerilatedApe<VApe2x4Wide>>(ApeShape{2, 4, 256, 512, 8, 64, 32, true});
    case ApeVariant::k1x2Widest:
      return std::make_unique<VerilatedApe<VApe1x2Widest>>(ApeShape{1, 2, 512, 512, 4, 16, 8, true});
    case ApeVariant::k4x6Pruned:
      return std::make_unique<VerilatedApe<VApe4x6Pruned>>(ApeShape{4, 6, 128, 256, 4, 32, 16, false});
    case ApeVariant::kRing:
      return std::make_unique<VerilatedApe<VApeRing>>(ape_ring_shape());
  }
  return nullptr;
}

}  // namespace fabrictwin::test
