// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Notices of hot outputs, which routers send to their neighbours: docs/models/routing.md.
#include <algorithm>

#include "models/router/packet/network.h"

namespace fabrictwin::router::packet {
namespace {

/// What an element has been told of a port.
uint64_t notice_key(uint32_t element, uint32_t port) { return uint64_t{element} << 32 | port; }

}  // namespace

void Network::start_looking() {
  looks_ = true;
  looking_.resize(nodes_.size());
  hot_.resize(ports_.size());
}

// Something moves in a router: it looks at its outputs at the end of the interval. Where nothing moves, nothing has to
// be told, and a run in which nothing can happen any more ends.
void Network::note_change(uint32_t element) {
  Looking& looking = looking_[element];
  if (looking == kIdle)
    events_.add((now_ / noticing_->interval + 1) * noticing_->interval, element, what(kLook, element));
  looking = kChanged;
}

// A router tells its neighbours how much waits for its hot outputs, and which ones are not hot any more. A notice takes
// as long as a packet of one word.
void Network::look(uint32_t element) {
  const NodeRecord& node = nodes_[element];
  Looking& looking = looking_[element];
  looking = looking == kChanged ? kUnchanged : kIdle;
  if (looking != kIdle) events_.add(now_ + noticing_->interval, element, what(kLook, element));
  for (uint32_t port = 0; port < node.ports; ++port) {
    const uint32_t out = node.first_port + port;
    if (ports_[out].peer == PortRecord::kNone || ports_[out].peer < first_router_port_) continue;
    int64_t flits = waiting(node.number, static_cast<int32_t>(port));
    if (flits * link::kWordBytes <= noticing_->threshold) flits = 0;
    if (flits == hot_[out]) continue;
    hot_[out] = flits;
    for (uint32_t to = node.first_port; to < node.first_port + node.ports; ++to) {
      const PortRecord& neighbour = ports_[to];
      if (neighbour.peer == PortRecord::kNone || neighbour.peer < first_router_port_) continue;
      // That of its input, which is the same link, never changes.
      const LinkKind& link = links_[buffers_[first_vc(to)].link];
      const int64_t time = now_ + link.latency + link.duration[link::kWordBytes] + pipeline_;
      const Outbox::Notice notice{time, neighbour.peer_element, out, neighbour.peer, flits};
      if (!neighbour.cut) {
        send_notice(notice);
        continue;
      }
      Outbox& box = outbox_of(neighbour);
      box.notices.push_back(notice);
      box.first = std::min(box.first, time);
    }
  }
}

void Network::send_notice(const Outbox::Notice& notice) {
  const uint32_t made = notices_.make();
  notices_[made] = notice;
  events_.add(notice.time, notice.element, what(kNotice, made));
}

void Network::take_notice(uint32_t id) {
  const Outbox::Notice& notice = notices_[id];
  if (notice.flits == 0) {
    told_.erase(notice_key(notice.element, notice.port));
  } else {
    told_[notice_key(notice.element, notice.port)] = notice.flits;
  }
  notices_.drop(id);
}

int64_t Network::told(int32_t router, int32_t other, int32_t port) const {
  const uint32_t out = nodes_[hosts_ + other].first_port + static_cast<uint32_t>(port);
  const auto found = told_.find(notice_key(static_cast<uint32_t>(hosts_ + router), out));
  return found == told_.end() ? 0 : found->second;
}

}  // namespace fabrictwin::router::packet
