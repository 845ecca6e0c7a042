// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// DCQCN: Zhu et al., "Congestion control for large-scale RDMA deployments", SIGCOMM 2015. docs/models/dcqcn.md
#pragma once

#include <algorithm>
#include <cstdint>

#include "cosim/base/random.h"
#include "models/congestion/scheme.h"

namespace fabrictwin::congestion {

/// See Dcqcn in congestion.proto, which has the defaults. Sizes in bytes, times in femtoseconds, rates in bits per
/// second.
struct DcqcnSpec {
  int64_t kmin = 0;
  int64_t kmax = 0;
  double pmax = 0;
  int64_t notice_interval = 0;
  int64_t alpha_timer = 0;
  int64_t increase_timer = 0;
  int64_t byte_counter = 0;
  double gain = 0;
  int32_t fast_recovery = 0;
  double additive_increase = 0;
  double hyper_increase = 0;
  double least_rate = 0;
  int64_t cut_interval = 0;
  bool clamp_target = false;
};

/// The reaction point of a flow, one step for each kind of event. The current rate is rate().
class DcqcnFlow final : public FlowControl {
 public:
  DcqcnFlow(const DcqcnSpec& spec, const Path& path)
      : FlowControl(path), spec_(spec), target_(static_cast<double>(path.line_rate)) {}

  double target() const { return target_; }
  double alpha() const { return alpha_; }

  /// Cuts the rate by what notices say, and recovery begins anew.
  void cut();
  /// The alpha timer has run out without a notice.
  void decay() { alpha_ *= 1 - spec_.gain; }
  /// The increase timer, or the byte counter, has run out.
  void increase_by_timer();
  void increase_by_bytes();

  void sent(int64_t now, int64_t bytes, int64_t wire_bytes) override;
  void notified(int64_t now) override;
  void timer(int64_t now) override;

 private:
  void increase();
  void react(int64_t now);
  void find_timer() { next_timer_ = std::min({alpha_due_, increase_due_, cut_due_}); }

  const DcqcnSpec& spec_;  ///< The scheme has it, which outlives its flows.
  double target_;
  double alpha_ = 1;
  int32_t timers_ = 0;    ///< Increases by the timer since the last cut,
  int32_t counters_ = 0;  ///< and by the byte counter.
  bool limited_ = false;  ///< A notice has come.
  int64_t counted_ = 0;   ///< Bytes towards the byte counter.
  int64_t alpha_due_ = kNever;
  int64_t increase_due_ = kNever;
  int64_t cut_due_ = kNever;   ///< A notice has come, and the rate is cut then.
  int64_t first_notice_ = -1;  ///< When cuts are due follows from it.
};

/// Marks at random by the length of the queue (RED): not at all below kmin, always from kmax on, between them with a
/// probability that grows linearly to pmax. A mark depends on the seed, the port and the number of the packet there.
class RedMarking final : public SwitchSide {
 public:
  RedMarking(const DcqcnSpec& spec, uint64_t seed, int64_t base_rate)
      : spec_(spec), seed_(seed), base_rate_(base_rate) {}
  /// The probability of a mark with so many bytes in the queue of a port with this rate.
  double probability(int64_t queue_bytes, int64_t rate) const;
  bool marks(const PortState& port) const override;

 private:
  const DcqcnSpec& spec_;
  uint64_t seed_;
  int64_t base_rate_;
};

}  // namespace fabrictwin::congestion
