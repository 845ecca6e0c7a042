// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/models/nic/words/packet_interface_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "cosim/base/random.h"
#include "models/kernel/systemc_context.h"
#include "models/nic/words/packet_interface.h"

namespace fabrictwin::nic::words {
namespace {

constexpr int32_t kBufferWords = 40;
constexpr Time kLatency = Time::from_ns(10);

/// A PacketNic that notes the calls of its host and its packets, and lets packets have their space for a random time.
class Observed final : public PacketNic {
 public:
  Observed(std::unique_ptr<PacketNic> nic, Chart& chart, int32_t node, Time hold)
      : nic_(std::move(nic)), chart_(chart), node_(node), hold_(hold), random_(7, node, RandomPurpose::kTest) {}

  int32_t ports() const override { return nic_->ports(); }
  void submit(Time now, const NicRequest& request) override {
    enter(now, 2);
    nic_->submit(now, request);
  }
  Time ready_at(int32_t port) const override { return nic_->ready_at(port); }
  int32_t next_bytes(int32_t port, Time now) override {
    if (ready_at(port) > now) ++chart_.misuse;
    return nic_->next_bytes(port, now);
  }
  NicPacket next_packet(int32_t port, Time now) override {
    enter(now, 3);
    if (ready_at(port) > now) ++chart_.misuse;
    const NicPacket packet = nic_->next_packet(port, now);
    chart_.given[key_of(packet)].push_back(packet);
    return packet;
  }
  Time packet_arrived(Time now, const NicPacket& packet) override {
    enter(now, 0);
    chart_.got[key_of(packet)].push_back(packet);
    Time free = nic_->packet_arrived(now, packet);
    if (hold_ > Time::zero()) {
      free = std::max(free,
                      now + Time::from_fs(static_cast<int64_t>(random_.next_below(static_cast<uint64_t>(hold_.fs())))));
    }
    chart_.free[{node_, packet.destination_port}].emplace(free, packet.wire_bytes / link::kWordBytes);
    return free;
  }
  Time next_event() const override { return nic_->next_event(); }
  void advance(Time now) override {
    if (next_event() > now) ++chart_.misuse;
    nic_->advance(now);
  }

 private:
  static std::tuple<int32_t, int32_t, uint32_t, NicPacket::Kind> key_of(const NicPacket& packet) {
    return {packet.source, packet.destination, packet.message, packet.kind};
  }
  /// Calls of one time: arrivals, then requests, then packets that leave.
  void enter(Time now, int phase) {
    if (now < last_ || (now == last_ && phase < phase_)) ++chart_.misuse;
    last_ = now;
    phase_ = phase;
  }

  std::unique_ptr<PacketNic> nic_;
  Chart& chart_;
  int32_t node_;
  Time hold_;
  RandomStream random_;
  Time last_;
  int phase_ = 0;
};

/// A network that holds packets and credits up for a random time, on any VC, and keeps those between two ports in
/// order.
class Wire : public sc_core::sc_module {
 public:
  Wire(const sc_core::sc_module_name& name, std::vector<std::unique_ptr<PacketInterface>>& nics, Clock clock,
       Time jitter, Chart& chart)
      : sc_module(name),
        out("out", nics.size() * static_cast<size_t>(nics[0]->ports())),
        in("in", out.size()),
        clock_(clock),
        jitter_(jitter),
        chart_(chart),
        ports_(nics[0]->ports()),
        random_(9, 0, RandomPurpose::kTest),
        ends_(out.size()) {
    for (size_t i = 0; i < out.size(); ++i) {
      in[i].register_b_transport(this, &Wire::take, static_cast<int>(i));
      PacketInterface& nic = *nics[i / static_cast<size_t>(ports_)];
      const auto port = static_cast<int32_t>(i) % ports_;
      out[i].bind(nic.link_in(port));
      nic.link_out(port).bind(in[i]);
    }
  }

  /// Inverts a bit of the next packet, in this word.
  void damage(size_t word) { damage_ = word; }

  sc_core::sc_vector<tlm_utils::simple_initiator_socket_tagged<Wire>> out;
  sc_core::sc_vector<tlm_utils::simple_target_socket_tagged<Wire>> in;

 private:
  struct End {
    int32_t used = 0;  ///< Words in the buffer for what the host sends.
    Time next_credit;  ///< Not before.
    int64_t next_slot = 0;
    std::multimap<Time, int32_t> credits;  ///< On their way to the host.
  };

  Time some() {
    if (jitter_ == Time::zero()) return jitter_;
    return Time::from_fs(static_cast<int64_t>(random_.next_below(static_cast<uint64_t>(jitter_.fs()))));
  }

  void take(int index, tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    const auto* extension = payload.get_extension<kernel::LinkExtension>();
    const Time now = kernel::from_sc_time(sc_core::sc_time_stamp());
    if (extension->kind == link::RecordKind::kCredit) {
      if (extension->sent != now) ++chart_.misuse;
      chart_.credits[{index / ports_, index % ports_}].emplace(extension->sent, extension->count);
      return;
    }
    const auto* data = reinterpret_cast<const link::Word*>(payload.get_data_ptr());
    std::vector<link::Word> words(data, data + payload.get_data_length() / link::kWordBytes);
    const auto count = static_cast<int32_t>(words.size());
    if (damage_ > 0) words[std::exchange(damage_, 0)].lo ^= 1u << 20;
    End& from = ends_[static_cast<size_t>(index)];
    while (!from.credits.empty() && from.credits.begin()->first <= now) {
      from.used -= from.credits.begin()->second;
      from.credits.erase(from.credits.begin());
    }
    from.used += count;
    if (from.used > kBufferWords || clock_.edge(extension->first_slot) < now) ++chart_.misuse;

    const link::PacketHeader header = link::PacketHeader::decode(words.front());
    const auto to = static_cast<size_t>(static_cast<int32_t>(header.destination) % kHosts * ports_ +
                                        static_cast<int32_t>(header.destination) / kHosts);
    const Time left = clock_.edge(extension->first_slot + count);
    End& there = ends_[to];
    there.next_slot = std::max(there.next_slot, clock_.edge_at_or_after(left + some()));
    const int64_t slot = there.next_slot;
    there.next_slot += count;
    sc_core::sc_time delay;
    out[to]->b_transport(transaction_.burst(words.data(), count, slot, static_cast<uint8_t>(random_.next_below(2)),
                                            link::kStartOfPacket | link::kEndOfPacket),
                         delay);
    from.next_credit = std::max(from.next_credit, left + some());
    from.credits.emplace(from.next_credit + kLatency, count);
    out[index]->b_transport(transaction_.credit(from.next_credit, 0, static_cast<uint8_t>(count)), delay);
  }

  Clock clock_;
  Time jitter_;
  Chart& chart_;
  int32_t ports_;
  RandomStream random_;
  std::vector<End> ends_;
  size_t damage_ = 0;
  kernel::LinkTransaction transaction_;
};

/// Gives messages at their times, and notes what comes.
class Host : public host::Endpoint {
 public:
  Host(const sc_core::sc_module_name& name, int32_t node, const std::vector<Given>& given, Chart& chart)
      : host::Endpoint(name, node), chart_(chart) {
    for (const Given& one : given) {
      if (one.source == node) given_.push_back(one);
    }
    std::stable_sort(given_.begin(), given_.end(), [](const Given& a, const Given& b) { return a.time < b.time; });
  }
  bool finished() const override { return false; }
  Time finish_time() const override { return {}; }
  std::string waits_for() const override { return {}; }

 private:
  void begin() override { decide(); }
  void on_message(const IncomingMessage& message) override {
    if (message.body_hash != hash_of_body(message.envelope)) ++chart_.misuse;
    chart_.arrived.push_back({message.source, node(), message.envelope, message.intact});
  }
  void on_sent(uint64_t cookie) override { chart_.left.emplace_back(node(), cookie); }
  void decide() override {
    for (; next_ < given_.size() && given_[next_].time <= now(); ++next_) send(given_[next_].message);
    if (next_ < given_.size()) wake_at(given_[next_].time);
  }

  Chart& chart_;
  std::vector<Given> given_;
  size_t next_ = 0;
};

}  // namespace

Chart run(const std::vector<Given>& given, const Options& options) {
  Chart chart;
  system::SystemGraph graph;
  for (int32_t host = 0; host < kHosts; ++host) {
    graph.elements.push_back({"host",
                              system::ElementKind::kHost,
                              host,
                              {},
                              std::vector<std::string>(static_cast<size_t>(options.costs.ports), "nic")});
  }
  graph.buffer_words = kBufferWords;
  const auto context = kernel::SystemcContext::create();
  EXPECT_TRUE(context.ok());
  std::vector<observe::EndpointDigest> digests(kHosts);
  std::vector<link::LinkCounters> counters(static_cast<size_t>(kHosts * options.costs.ports));
  system::Link link;
  link.rate = Bandwidth{54'400'000'000};
  link.latency = kLatency;
  std::vector<std::unique_ptr<PacketInterface>> nics;
  std::vector<std::unique_ptr<Host>> hosts;
  for (int32_t node = 0; node < kHosts; ++node) {
    LinkInterface::Config config;
    config.node = node;
    config.graph = &graph;
    for (int32_t port = 0; port < options.costs.ports; ++port)
      config.ports.push_back({link, &counters[static_cast<size_t>(node * options.costs.ports + port)], 0});
    config.digest = &digests[static_cast<size_t>(node)];
    config.failure = &chart.failure;
    const auto make_nic = [&](int32_t own, NicListener& listener) -> std::unique_ptr<PacketNic> {
      return std::make_unique<Observed>(std::make_unique<QueueNic>(own, options.costs, listener, options.memory), chart,
                                        own, options.hold);
    };
    const std::string name = "nic_" + std::to_string(node);
    nics.push_back(std::make_unique<PacketInterface>(name.c_str(), config, make_nic, options.costs.queues));
    hosts.push_back(std::make_unique<Host>(("host_" + std::to_string(node)).c_str(), node, given, chart));
    hosts.back()->nic.bind(nics.back()->host_port());
    nics.back()->bind_endpoint(hosts.back().get());
  }
  Wire wire("wire", nics, link.word_clock(), options.jitter, chart);
  if (options.damage > 0) wire.damage(options.damage);
  sc_core::sc_start(kernel::to_sc_time(Time::from_us(100'000)));
  EXPECT_FALSE(sc_core::sc_pending_activity());
  kernel::SystemcContext::end_methods();
  hosts.clear();
  nics.clear();
  return chart;
}

}  // namespace fabrictwin::nic::words
