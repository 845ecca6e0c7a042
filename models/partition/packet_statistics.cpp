// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/partition/packet_statistics.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "cosim/observe/message_log.h"
#include "cosim/observe/packet_trace.h"
#include "models/partition/apart_check.h"
#include "models/router/packet/observer.h"

namespace fabrictwin::partition {
namespace {

using fabric::Hosts;

/// What a packet that is traced does.
struct PacketNote {
  enum class Kind : uint8_t { kBegins, kMoves, kArrives };
  Kind kind = Kind::kBegins;
  int32_t flits = 0;
  Time time;     ///< When it leaves or arrives.
  Time created;  ///< When a packet that begins was created.
  observe::PacketTrace::Key key;
  observe::PacketTrace::Hop hop;
};

/// A message that was sent or has arrived.
struct MessageNote {
  Time time;
  bool arrived = false;
  bool ordered = false;
  int32_t source = 0;
  int32_t destination = 0;
  nic::Envelope envelope;
};

/// Moves the notes of all shards into one list, in the order of time.
template <typename Shard, typename Note, typename Before>
std::vector<Note> take_notes(const std::vector<std::unique_ptr<Shard>>& shards, std::vector<Note> Shard::*of,
                             const Before& before) {
  std::vector<Note> notes;
  for (const auto& shard : shards) {
    std::vector<Note>& own = shard.get()->*of;
    notes.insert(notes.end(), own.begin(), own.end());
    own.clear();
  }
  std::stable_sort(notes.begin(), notes.end(), before);
  return notes;
}

}  // namespace

/// What is noted in one shard.
class PacketStatistics::Shard final : public router::packet::Observer, public Hosts::Observer {
 public:
  Shard(const system::SystemGraph& graph, const Hosts& hosts, const observe::PacketTrace* trace)
      : graph_(graph), hosts_(hosts), trace_(trace) {}

  bool follows(const nic::NicPacket& packet, int64_t now) override {
    if (trace_ == nullptr || packet.offset != 0) return false;
    const Hosts::Origin origin = hosts_.origin(packet);
    // A response exists only from now on, as far as hosts can know.
    created_ = now;
    if (const auto found = waiting_.find(origin.message); found != waiting_.end()) {
      created_ = found->second;
      waiting_.erase(found);
    }
    return trace_->wants({packet.source, packet.destination, origin.number});
  }

  void packet_leaves(const Departure& departure) override {
    const router::packet::PacketRecord& packet = departure.packet;
    PacketNote note;
    note.kind = static_cast<int32_t>(departure.element) < graph_.host_count() ? PacketNote::Kind::kBegins
                                                                              : PacketNote::Kind::kMoves;
    note.flits = (packet.wire_bytes + link::kWordBytes - 1) / link::kWordBytes;
    note.time = Time::from_fs(departure.time);
    note.created = Time::from_fs(created_);
    note.key = key(packet);
    const auto word = static_cast<size_t>(std::min<int32_t>(packet.wire_bytes, link::kWordBytes));
    note.hop = {graph_.channel_from(static_cast<system::ElementId>(departure.element), departure.port), note.time,
                note.time + Time::from_fs(departure.link.duration[word] + departure.link.latency)};
    packets.push_back(note);
  }

  void packet_arrives(const router::packet::PacketRecord& packet, int64_t now) override {
    PacketNote note;
    note.kind = PacketNote::Kind::kArrives;
    note.time = Time::from_fs(now);
    note.key = key(packet);
    packets.push_back(note);
  }

  void message_sent(uint32_t id, const Hosts::Message& message, int64_t now) override {
    if (trace_ != nullptr) waiting_[id] = now;
    if (times_messages) note_message(message, now, false);
  }

  void message_arrived(const Hosts::Message& message, int64_t now) override {
    if (times_messages) note_message(message, now, true);
  }

  bool times_messages = false;
  std::vector<PacketNote> packets;
  std::vector<MessageNote> messages;

 private:
  observe::PacketTrace::Key key(const router::packet::PacketRecord& packet) const {
    return {packet.source, packet.destination, hosts_.origin(packet.nic()).number};
  }
  void note_message(const Hosts::Message& message, int64_t now, bool arrived) {
    messages.push_back(
        {Time::from_fs(now), arrived, message.ordered, message.source, message.destination, message.envelope});
  }

  const system::SystemGraph& graph_;
  const Hosts& hosts_;
  const observe::PacketTrace* trace_;               ///< Not changed while shards run.
  absl::flat_hash_map<uint32_t, int64_t> waiting_;  ///< Messages of which no packet has left: when they were sent.
  int64_t created_ = 0;                             ///< When the host wanted to send the packet of the last follows().
};

std::unique_ptr<PacketStatistics> PacketStatistics::create(const run::PartitionContext& context,
                                                           std::span<const std::unique_ptr<Hosts>> hosts,
                                                           router::packet::sharded::ShardedNetwork* network) {
  std::unique_ptr<PacketStatistics> statistics(new PacketStatistics(context, hosts, network));
  return statistics->shards_.empty() ? nullptr : std::move(statistics);
}

PacketStatistics::PacketStatistics(const run::PartitionContext& context, std::span<const std::unique_ptr<Hosts>> hosts,
                                   router::packet::sharded::ShardedNetwork* network)
    : context_(context), traces_(network != nullptr && context.observers.packet_trace != nullptr) {
  const experiment::Experiment& experiment = *context.experiment;
  if (experiment.statistics.latency_histogram && !experiment.workload_traits.bare_packets)
    latencies_ = std::make_unique<host::MessageLatencies>(is_apart(*context.plan, context.partition));
  const bool times_messages = latencies_ != nullptr || context.observers.messages != nullptr;
  if (!traces_ && !times_messages) return;
  for (size_t index = 0; index < hosts.size(); ++index) {
    shards_.push_back(std::make_unique<Shard>(context.plan->graph, *hosts[index],
                                              traces_ ? context.observers.packet_trace : nullptr));
    shards_.back()->times_messages = times_messages;
    if (traces_) network->shard(index).observe(*shards_.back());
    hosts[index]->observe(shards_.back().get());
  }
}

PacketStatistics::~PacketStatistics() = default;

void PacketStatistics::collect() {
  if (traces_) collect_packets();
  if (shards_.front()->times_messages) collect_messages();
}

void PacketStatistics::collect_packets() {
  observe::PacketTrace& trace = *context_.observers.packet_trace;
  const auto before = [](const PacketNote& a, const PacketNote& b) { return a.time < b.time; };
  for (const PacketNote& note : take_notes(shards_, &Shard::packets, before)) {
    if (note.kind == PacketNote::Kind::kBegins) {
      trace.begin(note.key, note.flits, note.created, note.hop);
    } else if (note.kind == PacketNote::Kind::kMoves) {
      trace.move(note.key, note.hop);
    } else {
      trace.end(note.key, note.time);
    }
  }
}

// What a host sends at one time stays in the order of its calls.
void PacketStatistics::collect_messages() {
  const auto before = [](const MessageNote& a, const MessageNote& b) {
    return std::tie(a.time, a.source) < std::tie(b.time, b.source);
  };
  for (const MessageNote& note : take_notes(shards_, &Shard::messages, before)) {
    observe::MessageLog* log = note.ordered ? context_.observers.messages : nullptr;
    if (note.arrived) {
      if (latencies_) latencies_->received(note.envelope, note.time);
      if (log != nullptr) log->arrived(note.source, note.destination, note.time);
    } else {
      if (latencies_) latencies_->sent(note.envelope, note.time);
      if (log != nullptr) log->sent(note.source, note.destination, note.envelope.bytes, note.time);
    }
  }
}

void PacketStatistics::measure(metric::Sink& sink) const {
  if (latencies_) latencies_->measure(sink);
}

void PacketStatistics::report(v1::Report& report) const {
  if (latencies_) latencies_->report(report);
}

bool PacketStatistics::report_part(v1::WorkloadPart& part) const {
  if (latencies_) latencies_->report_part(*part.mutable_messages());
  return latencies_ != nullptr;
}

}  // namespace fabrictwin::partition
