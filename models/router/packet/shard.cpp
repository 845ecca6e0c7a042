// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Construction of a shard of a packet network, its communication with other shards, and queries of its state.
#include <algorithm>
#include <bit>
#include <utility>

#include "fmt/format.h"
#include "models/router/packet/network.h"

namespace fabrictwin::router::packet {

absl::StatusOr<std::unique_ptr<Network>> Network::create(const Config& config) {
  absl::StatusOr<std::shared_ptr<Tables>> tables = Tables::create(config);
  if (!tables.ok()) return tables.status();
  auto network = std::make_unique<Network>(config, *std::move(tables), size_t{1});
  network->schedule_faults(0);
  return network;
}

Network::Network(const Config& config, std::shared_ptr<Tables> tables, size_t shards)
    : tables_(std::move(tables)),
      nodes_(tables_->nodes),
      ports_(tables_->ports),
      buffers_(tables_->buffers),
      waits_(tables_->waits),
      links_(tables_->links),
      routing_(config.routing),
      deterministic_(config.routing->deterministic() || config.routing->chooses()),
      queue_pairs_(config.queue_pairs),
      several_host_ports_(tables_->several_host_ports),
      large_(ports_.size() >= config.large_ports),
      vcs_(static_cast<uint32_t>(config.vcs)),
      vc_shift_(tables_->vc_shift),
      pipeline_(config.pipeline.fs()),
      credit_delay_(config.credit_delay.fs()),
      routing_block_(config.routing_block.fs()),
      hosts_(tables_->hosts),
      first_router_port_(tables_->first_router_port),
      seed_(config.seed),
      flows_in_order_(config.flows_in_order),
      ties_by_flow_(config.flows_in_order || (config.scheme != nullptr && config.scheme->needs_one_path())),
      timing_(config.clock, config.pipeline.fs()),
      client_(config.client),
      watched_(config.scheme != nullptr || !config.faults.empty() || config.routing->reads_waiting() ||
               config.notices.has_value() || tables_->input_queues != nullptr || config.count_queues),
      shared_(config.pause.has_value()),
      counted_(!tables_->queues.empty()),
      manager_(config.scheme == nullptr ? nullptr : config.scheme->make_switch(config.seed, tables_->base_rate)),
      first_managed_(config.scheme != nullptr && config.scheme->manages_hosts() ? 0 : static_cast<uint32_t>(hosts_)),
      telemetry_(config.scheme != nullptr && config.scheme->telemetry()),
      noticing_(config.notices),
      queued_(tables_->input_queues.get()),
      lines_(!config.channels.empty()),
      sorted_(shared_ || queued_ != nullptr),
      least_packet_(config.min_packet),
      by_owner_(Tables::by_owner(config)),
      only_(shards == 1),
      events_(tables_->window_shift, by_owner_ ? event::Queue::Order::kOwner : event::Queue::Order::kTime,
              static_cast<uint32_t>(nodes_.size())),
      outboxes_(2 * shards) {
  if (noticing_.has_value()) start_looking();
  if (config.routing->reads_waiting() && !shared_) count_sent(config.max_packet);
}

void Network::take_from(Network& other, size_t self, int64_t begin) {
  take(other.outboxes_[(boxes_ ^ outboxes_.size() / 2) + self], begin);
}

void Network::take(Outbox& box, int64_t begin) {
  auto path = box.paths.begin();
  for (const PacketRecord& packet : box.packets) {
    const uint32_t vc = packet.next;
    const bool aside = vc == kNoBuffer;
    const uint32_t to = aside ? first_vc(nodes_[packet.destination].first_port) : vc;
    if (packet.time < begin) fail_late(to, packet.time, begin);
    const uint32_t made = packets_.make();
    packets_[made] = packet;
    if ((packet.flags & nic::NicPacket::kTelemetry) != 0) {
      const uint32_t record = paths_.make();
      paths_[record] = std::move(*path++);
      packets_[made].user = record;
    }
    if (aside) {
      events_.add(packet.time, static_cast<uint32_t>(packet.destination), what(kAside, made));
    } else {
      put(vc, ports_[vc >> vc_shift_].element, packet.time, made);
    }
  }
  auto number = box.numbers.begin();
  for (const Outbox::Credit& credit : box.credits) {
    if (credit.time < begin) fail_late(credit.vc, credit.time, begin);
    if (queued_ != nullptr) {
      if (!queued_->sets_aside()) queued_->credits[credit.vc].give_back(credit.time, *number, credit.bytes);
      ++number;
    }
    give_back(buffers_[credit.vc], credit.time, credit.bytes);
  }
  for (const Outbox::Pause& pause : box.pauses) {
    if (pause.time < begin) fail_late(first_vc(pause.port), pause.time, begin);
    events_.add(pause.time, ports_[pause.port].element, what(pause.on ? kPause : kResume, pause.port));
  }
  for (const buffer::SetAsideNotice& notice : box.set_aside) {
    if (notice.time < begin) fail_late(first_vc(notice.port), notice.time, begin);
    expect_notice(notice);
  }
  for (const Outbox::Notice& notice : box.notices) {
    if (notice.time < begin) fail_late(first_vc(nodes_[notice.element].first_port), notice.time, begin);
    send_notice(notice);
  }
  box.clear();
}

void Network::wake(int32_t host, int32_t port, int64_t at) {
  const uint32_t id = nodes_[host].first_port + static_cast<uint32_t>(port);
  if (processing_ && at <= now_) return touch(id);
  try_at(id, std::max(at, now_));
  if (!processing_) next_ = std::min(next_, std::max(at, now_));
}

void Network::schedule(int32_t host, int64_t at, uint32_t id) {
  events_.add(at, static_cast<uint32_t>(host), what(kClient, id));
  if (!processing_) next_ = std::min(next_, at);
}

int64_t Network::duration(int32_t host, int32_t port, int32_t bytes) const {
  return links_[ports_[nodes_[host].first_port + static_cast<uint32_t>(port)].link].duration[bytes];
}

// Windows were too long. This is a bug in Tables, by which results would depend on the number of threads.
void Network::fail_late(uint32_t vc, int64_t time, int64_t begin) {
  fail(nodes_[ports_[vc >> vc_shift_].element],
       fmt::format("hears of {} from another thread, which is over since {}", to_string(Time::from_fs(time)),
                   to_string(Time::from_fs(begin))));
}

int64_t Network::queue(int32_t router, int32_t port) const {
  const NodeRecord& node = nodes_[hosts_ + router];
  const uint32_t out = node.first_port + static_cast<uint32_t>(port);
  const PortRecord& record = ports_[out];
  if (record.peer == PortRecord::kNone) return 0;
  if (record.failed) return kUnusable;
  if (shared_) return tables_->queues[out].bytes / link::kWordBytes;
  int64_t bytes = 0;
  for (uint32_t vc = first_vc(record.credit_port); vc < first_vc(record.credit_port) + vcs_; ++vc) {
    const BufferRecord& credits = buffers_[vc];
    bytes += links_[record.link].capacity - credits.free;
    // Credits that have returned count as free space even if they have not been collected.
    if (credits.time[0] > now_) continue;
    bytes -= credits.bytes[0];
    if (credits.time[1] > now_) continue;
    bytes -= credits.bytes[1];
    for (uint32_t id = credits.newest; id != 0;) {
      id = returns_[id].next;
      if (returns_[id].time > now_) break;
      bytes -= returns_[id].bytes;
      if (id == credits.newest) break;
    }
  }
  for (uint32_t word = 0; word <= node.wait_words; ++word) {
    for (uint64_t bits = waits(node, static_cast<uint32_t>(port), word); bits != 0; bits &= bits - 1) {
      const uint32_t input = word * 64 + static_cast<uint32_t>(std::countr_zero(bits));
      bytes += packets_[buffers_[first_vc(node.first_port) + input].front].wire_bytes;
    }
  }
  return bytes / link::kWordBytes;
}

int64_t Network::waiting(int32_t router, int32_t port) const {
  const uint32_t out = nodes_[hosts_ + router].first_port + static_cast<uint32_t>(port);
  if (sent_.empty() || ports_[out].failed) return queue(router, port);
  return std::max<int64_t>(queue(router, port) - sent_[out].sum(now_) / link::kWordBytes, 0);
}

// If nothing is in its way, the credit of the largest packet is back when it has gone through the next router and has
// left by a link like the one by which it came.
void Network::count_sent(int32_t max_packet) {
  for (const PortRecord& port : ports_) {
    const LinkKind& link = links_[port.link];
    sent_.emplace_back(2 * link.latency + link.duration[std::min(max_packet, link::kWordBytes)] + pipeline_ +
                       link.duration[max_packet] + credit_delay_);
  }
}

SentCounters Network::sent(int32_t element, int32_t port, Time at) const {
  const uint32_t id = nodes_[static_cast<size_t>(element)].first_port + static_cast<uint32_t>(port);
  const PortRecord& record = ports_[id];
  return {record.bytes, record.packets, Time::from_fs(tables_->stalled[id] + (record.stalled ? at.fs() : 0))};
}

void Network::fail(const NodeRecord& node, const std::string& what) {
  failure_.add(now_, static_cast<uint32_t>(&node - nodes_.data()),
               fmt::format("{}[{}] at {}: {}", node.host ? "host" : "router", node.number,
                           to_string(Time::from_fs(now_)), what));
}

}  // namespace fabrictwin::router::packet
