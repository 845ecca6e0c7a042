// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/rdma_nic.h"

namespace fabrictwin::nic {
namespace {

// InfiniBand Architecture Specification, volume 1: local route header, base transport header, the two CRCs; RDMA
// extended transport header of a message's first packet and of a read request; ack extended transport header.
constexpr int32_t kLrh = 8, kBth = 12, kCrcs = 6, kReth = 16, kAeth = 4;
constexpr int32_t kPad = 4;
static_assert(RdmaNic::kFrame == kLrh + kBth + kCrcs + kReth);

}  // namespace

QueueNic::Costs RdmaNic::costs(const Timing& timing) {
  Costs costs;
  costs.ports = timing.ports;
  costs.queues = timing.queue_pairs;
  costs.max_payload = timing.mtu;
  costs.header = kLrh + kBth + kCrcs;
  costs.first_header = kReth;
  costs.request = costs.header + kReth;
  costs.ack = costs.header + kAeth;
  costs.granule = kPad;
  costs.post_queued = timing.doorbell + timing.fetch + timing.processing;
  costs.post_direct = timing.blue_flame ? timing.doorbell + timing.processing : costs.post_queued;
  costs.first_read = timing.fetch;
  costs.inline_bytes = timing.inline_bytes;
  costs.message_interval = timing.message_interval;
  costs.receive = timing.processing + timing.completion;
  costs.serve = timing.processing + timing.fetch;
  costs.answer = Time::zero();
  costs.acknowledge = true;
  return costs;
}

}  // namespace fabrictwin::nic
