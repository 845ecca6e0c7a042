// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/congestion/tenants.h"

#include <memory>

// Each scheme is defined in a file of this folder. A new one needs two lines here: its declaration, and its position in
// the list.
namespace fabrictwin::congestion {

const experiment::CongestionCheck& back_pressure();
const experiment::CongestionCheck& dcqcn();
const experiment::CongestionCheck& dctcp();
const experiment::CongestionCheck& hpcc();
const experiment::CongestionCheck& ib_cca();
const experiment::CongestionCheck& max_min();
const experiment::CongestionCheck& swift();
const experiment::CongestionCheck& throttling();
const experiment::CongestionCheck& timely();

std::span<const experiment::CongestionCheck* const> schemes() {
  static const experiment::CongestionCheck* const list[] = {
      // clang-format off
      &dcqcn(),
      &dctcp(),
      &timely(),
      &hpcc(),
      &ib_cca(),
      &swift(),
      &max_min(),
      &back_pressure(),
      &throttling(),
      // clang-format on
  };
  return list;
}

const Scheme* scheme_of(const experiment::Experiment& experiment) {
  const auto* scheme = std::any_cast<std::shared_ptr<const Scheme>>(&experiment.congestion_spec);
  return scheme == nullptr ? nullptr : scheme->get();
}

}  // namespace fabrictwin::congestion
