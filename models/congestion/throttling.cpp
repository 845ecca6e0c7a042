// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Injection limitation, as in Baydal, Lopez, Duato, "A family of mechanisms for congestion control in wormhole
// networks", IEEE TPDS 16(9), 2005. docs/models/throttling.md
#include <memory>
#include <string_view>

#include "models/congestion/scheme_kind.h"

namespace fabrictwin::congestion {
namespace {

/// One packet may always be on its way, which learns when the source may go on.
class ThrottledFlow final : public FlowControl {
 public:
  ThrottledFlow(const StopAndResume& thresholds, const Path& path) : FlowControl(path), thresholds_(thresholds) {}

  void acknowledged(const Feedback& feedback) override {
    if (feedback.path->hops.empty()) return;
    const int64_t queue = feedback.path->hops.front().queue_bytes;
    if (queue > thresholds_.stop) {
      window_ = 0;
    } else if (queue < thresholds_.resume) {
      window_ = kUnlimited;
    }
  }

 private:
  const StopAndResume& thresholds_;
};

/// The first switch of a packet tells how much waits for the output that the packet needs there.
class FirstOutput final : public SwitchSide {
 public:
  void record(const PortState& port, PathRecord& path) override {
    if (path.hops.empty()) add_hop(port, path);
  }
};

class Throttling final : public Scheme {
 public:
  explicit Throttling(const StopAndResume& thresholds) : thresholds_(thresholds) {}

  std::string_view name() const override { return "throttling"; }
  std::unique_ptr<FlowControl> make_flow(const FlowControl::Path& path) const override {
    return std::make_unique<ThrottledFlow>(thresholds_, path);
  }
  std::unique_ptr<SwitchSide> make_switch(uint64_t /*seed*/, int64_t /*base_rate*/) const override {
    return std::make_unique<FirstOutput>();
  }
  bool telemetry() const override { return true; }

 private:
  StopAndResume thresholds_;
};

class ThrottlingKind final : public SchemeKindOf<v1::Congestion::kThrottling, v1::Throttling> {
  std::shared_ptr<const Scheme> make(const v1::Throttling& /*message*/,
                                     const experiment::MessageReader& reader) const override {
    return std::make_shared<const Throttling>(check_stop(reader));
  }
};

}  // namespace

const experiment::CongestionCheck& throttling() {
  static const ThrottlingKind kind;
  return kind;
}

}  // namespace fabrictwin::congestion
