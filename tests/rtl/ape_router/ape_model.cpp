// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/ape_router/ape_model.h"

namespace fabrictwin::test {

std::string name_of(ApeVariant variant) {
  switch (variant) {
    case ApeVariant::k3x2:
      return "3x2_128b_512B";
    case ApeVariant::k1x6:
      return "1x6_128b_256B";
    case ApeVariant::k2x4Wide:
      return "2x4_256b_512B";
    case ApeVariant::k1x2Widest:
      return "1x2_512b_512B";
    case ApeVariant::k4x6Pruned:
      return "4x6_128b_256B";
    case ApeVariant::kRing:
      return "ring";
  }
  return "";
}

ApeConfig ape_config(const ApeShape& shape, std::array<int, 3> dims, std::array<int, 3> here) {
  ApeConfig config;
  config.dims = dims;
  config.here = here;
  for (int p = 0; p < shape.ports(); ++p) {
    config.initial_words[p] = shape.buffer_words(p);
    config.initial_packets[p] = shape.header_depth;
  }
  return config;
}

}  // namespace fabrictwin::test
