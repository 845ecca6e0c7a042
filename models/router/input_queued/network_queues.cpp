// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The queues of the inputs of a flit network: docs/models/queue-schemes.md.
#include <algorithm>
#include <bit>
#include <memory>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "models/router/input_queued/network.h"

namespace fabrictwin::router::input_queued {

absl::Status Network::check_queues(const Config& config) {
  const int32_t ports = most_ports(config);
  const int32_t queues = config.router.classifier.queues();
  const int32_t vcs = config.router.vcs / std::min(queues, kMaxQueues + 1);
  if (ports * iq_vc_stride(config.router.vcs) <= kMaxQueues) return absl::OkStatus();
  const auto fitting = static_cast<int32_t>(std::bit_floor(static_cast<uint32_t>(kMaxQueues / ports)));
  return absl::InvalidArgumentError(fmt::format(
      "{} makes {} queues for each of {} VCs of a port, and a router has {} ports: ports times queues, these rounded "
      "up "
      "to a power of two, are at most {}; write {}scheme: DBBM with router.vcs times count {} or less, or a topology "
      "whose routers have fewer ports",
      v1::Queues::Scheme_Name(config.router.queues.scheme), queues, vcs, ports, kMaxQueues,
      queues <= fitting && config.router.queues.scheme != v1::Queues::VOQNET
          ? fmt::format("router {{ vcs: {} }}, ", fitting / queues)
          : "",
      fitting));
}

void Network::make_queues() {
  const RouterSpec& spec = config_.router;
  if (spec.queues.admittance != v1::Queues::SINGLE) host_queues_.resize(hosts_.size());
  if (spec.classifier.queues() == 1) return;
  std::vector<NextQueues::Peer> peers(static_cast<size_t>(first_output_.back()));
  std::vector<NextQueues::Peer> hosts(hosts_.size());
  for (const Link& link : config_.links) {
    for (int side = 0; side < 2; ++side) {
      const End& from = link.ends[side];
      const End& to = link.ends[1 - side];
      const NextQueues::Peer peer{to.port < 0 ? -1 : to.element, std::max(0, to.port)};
      if (from.port < 0) {
        hosts[static_cast<size_t>(from.element)] = peer;
      } else {
        peers[index(from)] = peer;
      }
    }
  }
  next_queues_ = std::make_unique<NextQueues>(spec.classifier, *config_.routing, first_output_, std::move(peers),
                                              std::move(hosts));
  if (spec.queues.scheme != v1::Queues::FBICM) return;
  host_set_aside_.assign(hosts_.size(), congestion::SetAsideQueues(spec.queues, 0, 1));
  set_aside_.resize(static_cast<size_t>(config_.routers));
}

void Network::send_messages(int64_t cycle, const End& from, std::vector<congestion::SetAsideMessage>& outbox) {
  for (const congestion::SetAsideMessage& message : outbox) {
    const Output& output = outputs_[index(from.port < 0 ? from : End{from.element, message.port})];
    if (output.host == kElsewhere) {
      departures_.push_back({.cycle = cycle + output.credit_delay,
                             .from = {static_cast<int32_t>(output.element), output.vc_shift},
                             .message = message});
      continue;
    }
    Message sent{output.element, output.host != 0, message};
    sent.content.port += output.vc_shift / iq_vc_stride(config_.router.vcs);
    arrivals_[static_cast<size_t>((cycle + output.credit_delay) & mask_)].messages.push_back(sent);
  }
  outbox.clear();
}

void Network::settle_set_aside(int64_t cycle, int32_t router, congestion::SetAsideQueues& queues) {
  send_messages(cycle, {router, 0}, queues.outbox());
  int32_t& counted = set_aside_[static_cast<size_t>(router)];
  if (queues.in_use() < counted) set_aside_use_.released = cycle;
  const int32_t change = queues.in_use() - counted;
  set_aside_use_.now += change;
  if (keeps_changes_ && change != 0) set_aside_changes_.push_back({cycle, change});
  counted = queues.in_use();
}

}  // namespace fabrictwin::router::input_queued
