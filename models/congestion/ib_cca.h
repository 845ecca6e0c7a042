// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Congestion control of InfiniBand (CCA): InfiniBand architecture specification, volume 1, annex A10; defaults as in
// Gran et al., "First experiences with congestion control in InfiniBand hardware", IPDPS 2010. docs/models/ib-cca.md
#pragma once

#include <cstdint>
#include <vector>

#include "models/congestion/cct_index.h"
#include "models/congestion/scheme.h"

namespace fabrictwin::congestion {

/// Parameters of IB CCA. Times are femtoseconds.
struct IbCcaSpec {
  int32_t threshold = 0;  ///< 0: nothing is marked; 1 to 15: from 15/16 to 1/16 of `buffer`.
  int64_t buffer = 0;     ///< In bytes, for ports as fast as the links of hosts.
  int32_t marking_rate = 0;
  int32_t least_packet = 0;  ///< In bytes on a link.
  bool victim_mask = true;
  int32_t increase = 0;
  int32_t limit = 0;
  int32_t least = 0;
  int64_t timer = 0;
  std::vector<double> gaps;  ///< By index, `limit` included: the gap behind a packet, in times of that packet.
};

/// The sender's state of a flow: its rate follows the index into the table.
class IbCcaFlow final : public FlowControl {
 public:
  /// `spec` outlives it.
  IbCcaFlow(const IbCcaSpec& spec, const Path& path)
      : FlowControl(path), spec_(spec), index_({spec.increase, spec.limit, spec.least, spec.timer}) {
    set_rate();
  }

  void notified(int64_t now) override;
  void timer(int64_t now) override;

  // The steps by which the state changes.
  void raise();  ///< A notice (BECN) has come.
  void fall();   ///< The timer has expired.

  int32_t index() const { return index_.index(); }

 private:
  void set_rate();

  const IbCcaSpec& spec_;
  CctIndex index_;
};

/// Marks packets (FECN) in outputs that are roots of congestion.
class CcaMarking final : public SwitchSide {
 public:
  CcaMarking(const IbCcaSpec& spec, uint64_t seed, int64_t base_rate)
      : spec_(spec), seed_(seed), base_rate_(base_rate) {}
  bool marks(const PortState& port) const override;

 private:
  const IbCcaSpec& spec_;
  uint64_t seed_;
  int64_t base_rate_;
};

}  // namespace fabrictwin::congestion
