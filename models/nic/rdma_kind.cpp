// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Network interfaces that are RDMA in an experiment: docs/models/rdma-nic.md.
#include <any>

#include "cosim/experiment/tenants.h"
#include "models/nic/nic_costs.h"
#include "models/nic/rdma_nic.h"

namespace fabrictwin::nic {
namespace {

class Rdma final : public experiment::NicCheck {
 public:
  const experiment::NicCapabilities& capabilities() const override {
    static const experiment::NicCapabilities declared{
        .nic = v1::Host::RDMA, .gets = true, .memory = true, .mtu = true, .frame_bytes = RdmaNic::kFrame};
    return declared;
  }
  std::any check(const experiment::Experiment& /*experiment*/, experiment::FieldChecker& /*fields*/) const override {
    return CostFunction([](const experiment::Experiment& experiment, Time /*pipeline*/) {
      RdmaNic::Timing timing;
      timing.mtu = static_cast<int32_t>(experiment.router.packet_payload.count);
      return RdmaNic::costs(timing);
    });
  }
};

}  // namespace

const experiment::NicCheck& rdma() {
  static const Rdma kind;
  return kind;
}

}  // namespace fabrictwin::nic
