// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Network interfaces that are PLAIN in an experiment: docs/models/network-interface.md.
#include <any>

#include "cosim/experiment/tenants.h"
#include "cosim/link/record.h"

namespace fabrictwin::nic::plain {
namespace {

class Plain final : public experiment::NicCheck {
 public:
  const experiment::NicCapabilities& capabilities() const override {
    // A packet has a word of header and one of footer.
    static const experiment::NicCapabilities declared{.nic = v1::Host::PLAIN,
                                                      .takes_no_time = true,
                                                      .transport = true,
                                                      .gaps = true,
                                                      .frame_bytes = 2 * link::kWordBytes};
    return declared;
  }
  std::any check(const experiment::Experiment& /*experiment*/, experiment::FieldChecker& /*fields*/) const override {
    return {};
  }
};

}  // namespace

const experiment::NicCheck& kind() {
  static const Plain kind;
  return kind;
}

}  // namespace fabrictwin::nic::plain
