// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/partition/word_fabric.h"

#include <algorithm>
#include <utility>

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "models/topology/exanest/exanest.h"

namespace fabrictwin::partition {

using router::packet::LinkKind;
using router::packet::Network;
using router::packet::Outbox;
using router::packet::PacketRecord;
using router::packet::SentCounters;
using router::packet::Tables;

absl::StatusOr<std::unique_ptr<WordFabric>> WordFabric::create(const sc_core::sc_module_name& name, Config config) {
  absl::StatusOr<std::shared_ptr<Tables>> tables = Tables::create(config.network);
  if (!tables.ok()) return tables.status();
  std::vector<uint8_t> shard_of;
  for (const bool here : config.here) shard_of.push_back(here ? kHere : kRemote);
  (*tables)->split(std::move(shard_of), Tables::Cut::kEverywhere);
  return std::unique_ptr<WordFabric>(new WordFabric(name, config, *tables));
}

WordFabric::WordFabric(const sc_core::sc_module_name& name, const Config& config, const std::shared_ptr<Tables>& tables)
    : sc_module(name),
      in("in", static_cast<unsigned>(config.externals.size())),
      out("out", static_cast<unsigned>(config.externals.size())),
      graph_(*config.network.graph),
      ends_(config.externals),
      externals_(config.externals.size()),
      nodes_(config.nodes),
      tables_(tables),
      timing_(config.network.clock, config.network.pipeline.fs()),
      pipeline_(config.network.pipeline.fs()),
      network_(std::make_unique<Network>(config.network, tables, size_t{2})),
      edge_at_(tables->ports.size(), -1) {
  for (size_t host = 0; host < nodes_.size(); ++host)
    hosts_[graph_.elements[static_cast<size_t>(nodes_[host])].address] = static_cast<int32_t>(host);
  for (int32_t channel = 0; channel < graph_.channel_count(); ++channel) {
    const system::LinkEnd& from = graph_.channel_source(channel);
    if (config.here[static_cast<size_t>(from.element)] &&
        config.here[static_cast<size_t>(graph_.channel_target(channel).element)])
      ends_.push_back({from, External::Peer::kCut});
  }
  edges_.reserve(ends_.size());
  for (const External& end : ends_) add_edge(config, end);
  for (size_t i = 0; i < externals_; ++i)
    in[i].register_b_transport(this, &WordFabric::receive, static_cast<int32_t>(i));
}

void WordFabric::add_edge(const Config& config, const External& external) {
  const system::LinkEnd& end = external.end;
  fabric::CarryingEdge::Config described;
  described.number = static_cast<int32_t>(edges_.size());
  numbers_.push_back(tables_->nodes[static_cast<size_t>(end.element)].first_port + static_cast<uint32_t>(end.port));
  edge_at_[numbers_.back()] = described.number;
  const int32_t channel = graph_.channel_from(end.element, end.port);
  const system::Link& from_there = config.network.channels[static_cast<size_t>(channel ^ 1)].link;
  described.clock = *config.network.clock;
  described.slots = from_there.word_clock();
  described.latency = from_there.latency;
  described.buffer_words = from_there.buffer_words;
  described.whole = external.peer == External::Peer::kInterface;
  edges_.emplace_back(described, packets_, static_cast<fabric::CarryingEdge::Neighbour&>(*this));
}

Time WordFabric::next_time() const {
  return credits_.empty() ? network_->next_time() : std::min(network_->next_time(), credits_.top().sent);
}

void WordFabric::run(Time until) {
  send_credits(until);
  network_->run(until.fs());
  send();
  events_.set(network_->packet_hops());
}

// --- What comes ---

void WordFabric::receive(int external, tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
  const auto* extension = payload.get_extension<kernel::LinkExtension>();
  if (extension == nullptr || extension->vc >= link::kVcs) {
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return;
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  const auto edge = static_cast<size_t>(external);
  if (extension->kind != link::RecordKind::kCredit) {
    const auto* words = reinterpret_cast<const link::Word*>(payload.get_data_ptr());
    const std::string wrong = receive_words(external, extension->first_slot, extension->vc, extension->flags,
                                            std::span(words, payload.get_data_length() / link::kWordBytes));
    if (!wrong.empty()) fail(external, extension->vc, edges_[edge].arrives(extension->first_slot), wrong);
  } else if (const std::string wrong = receive_credit(external, extension->sent, extension->vc, extension->count);
             !wrong.empty()) {
    fail(external, extension->vc, edges_[edge].arrives(extension->sent), wrong);
  }
  pass_on();
  give_inbox();
}

// Words that arrive may let more words leave, by edges that have been asked before.
void WordFabric::pass_on() {
  for (; passed_on_ < between_.size(); ++passed_on_) {
    const Burst burst = between_[passed_on_];
    const std::string wrong =
        receive_words(burst.edge, burst.slot, burst.vc, burst.flags, std::span(burst.words).first(burst.count));
    if (!wrong.empty()) fail(burst.edge, burst.vc, edges_[static_cast<size_t>(burst.edge)].arrives(burst.slot), wrong);
  }
  between_.clear();
  passed_on_ = 0;
}

std::string WordFabric::receive_credit(int32_t edge, Time sent, uint8_t vc, int32_t words) {
  fabric::CarryingEdge& at = edges_[static_cast<size_t>(edge)];
  if (std::string wrong = at.take_credit(vc, words); !wrong.empty()) return wrong;
  inbox_.credits.push_back({at.arrives(sent).fs(), first_vc(edge) + vc, words * link::kWordBytes});
  return {};
}

std::string WordFabric::receive_words(int32_t edge, int64_t slot, uint8_t vc, uint8_t flags,
                                      std::span<const link::Word> words) {
  arrivals_.clear();
  leaving_.clear();
  std::string wrong = edges_[static_cast<size_t>(edge)].take(slot, vc, flags, words, arrivals_, leaving_);
  for (const fabric::CarryingEdge::Arrival& arrival : arrivals_) {
    if (!wrong.empty()) break;
    wrong = enter(edge, arrival);
  }
  for (const int32_t leaving : leaving_) edges_[static_cast<size_t>(leaving)].go_on();
  return wrong;
}

std::string WordFabric::enter(int32_t edge, const fabric::CarryingEdge::Arrival& arrival) {
  const link::PacketHeader& header = arrival.header;
  const auto destination = hosts_.find(header.destination);
  if (destination == hosts_.end()) return fmt::format("a packet to node {:#x}, and there is none", header.destination);
  const auto source = hosts_.find(header.source);
  if (source == hosts_.end()) return fmt::format("a packet from node {:#x}, and there is none", header.source);
  if (std::string wrong = check_coordinates(edge, header, destination->second); !wrong.empty()) return wrong;
  PacketRecord packet;
  packet.source = source->second;
  packet.destination = destination->second;
  packet.random = header.ties;
  packet.message = arrival.packet;
  packet.user = static_cast<uint64_t>(arrival.tail.fs());
  packet.payload_bytes = header.payload_bytes;
  packet.wire_bytes = static_cast<uint16_t>(header.packet_words() * link::kWordBytes);
  packet.time = timing_.ready(arrival.head.fs());
  packet.next = first_vc(edge) + arrival.vc;
  inbox_.packets.push_back(packet);
  return {};
}

// A network of packets routes by the destination alone, and would deliver what routers of words would not. Those
// without links to other boards look at coordinates for none of their own.
std::string WordFabric::check_coordinates(int32_t edge, const link::PacketHeader& header, int32_t destination) const {
  const auto element = [&](int32_t id) -> const system::Element& { return graph_.elements[static_cast<size_t>(id)]; };
  const system::Element& here = element(ends_[static_cast<size_t>(edge)].end.element);
  const system::Element& node = element(nodes_[static_cast<size_t>(destination)]);
  if (!topology::exanest::is_network_fpga(here) && here.coordinates == node.coordinates) return {};
  if (std::equal(node.coordinates.begin(), node.coordinates.end(), header.coordinates.begin())) return {};
  return fmt::format("a packet to node {:#x} at ({}), and its header has the coordinates ({})", header.destination,
                     fmt::join(node.coordinates, ","),
                     fmt::join(std::span(header.coordinates).first(node.coordinates.size()), ","));
}

void WordFabric::give_inbox() {
  if (inbox_.packets.empty() && inbox_.credits.empty()) return;
  network_->count_in_flight(static_cast<int64_t>(inbox_.packets.size()));
  network_->take(inbox_, 0);
  network_->find_next();
}

// --- What leaves ---

void WordFabric::send() {
  send_box(network_->outbox(kRemote));
  send_box(network_->outbox(kHere));
  pass_on();
  give_inbox();
}

void WordFabric::send_box(Outbox& box) {
  if (box.empty()) return;
  for (size_t i = 0; i < box.packets.size(); ++i) {
    const PacketRecord& packet = box.packets[i];
    const int32_t edge = edge_to(packet.next);
    const LinkKind& link = tables_->links[tables_->ports[numbers_[static_cast<size_t>(edge)]].link];
    edges_[static_cast<size_t>(edge)].send(packet.message, vc_index(packet.next),
                                           Time::from_fs(packet.time - pipeline_ - link.latency),
                                           Time::from_fs(box.ends[i]));
  }
  for (const Outbox::Credit& credit : box.credits) {
    const int32_t edge = edge_to(credit.vc);
    const LinkKind& link = tables_->links[tables_->ports[numbers_[static_cast<size_t>(edge)]].link];
    edges_[static_cast<size_t>(edge)].give_back(Time::from_fs(credit.time - link.latency), vc_index(credit.vc));
  }
  network_->count_in_flight(-static_cast<int64_t>(box.packets.size()));
  box.clear();
}

void WordFabric::words_leave(int32_t edge, int64_t slot, uint8_t vc, uint8_t flags, std::span<const link::Word> words) {
  if (is_inside(edge)) {
    Burst& burst = between_.emplace_back();
    burst = {edge_to(first_vc(edge)), slot, vc, flags, static_cast<uint8_t>(words.size()), {}};
    std::copy(words.begin(), words.end(), burst.words.begin());
    return;
  }
  sc_core::sc_time delay;
  out[edge]->b_transport(transaction_.burst(words.data(), static_cast<int32_t>(words.size()), slot, vc, flags), delay);
}

void WordFabric::credit_leaves(int32_t edge, Time sent, uint8_t vc, uint8_t words) {
  if (is_inside(edge)) {
    const int32_t to = edge_to(first_vc(edge));
    if (const std::string wrong = receive_credit(to, sent, vc, words); !wrong.empty())
      fail(to, vc, edges_[static_cast<size_t>(to)].arrives(sent), wrong);
    return;
  }
  if (ends_[static_cast<size_t>(edge)].peer == External::Peer::kRouter) return credits_.push({sent, edge, vc, words});
  sc_core::sc_time delay;
  out[edge]->b_transport(transaction_.credit(sent, vc, words), delay);
}

// Models of routers sample the credits of a port in order, whatever their VC.
void WordFabric::send_credits(Time until) {
  for (; !credits_.empty() && credits_.top().sent < until; credits_.pop()) {
    const Credit& credit = credits_.top();
    sc_core::sc_time delay;
    out[credit.edge]->b_transport(transaction_.credit(credit.sent, credit.vc, credit.words), delay);
  }
}

// --- Results ---

void WordFabric::fail(int32_t edge, uint8_t vc, Time at, const std::string& what) {
  failure_.add(at.fs(), static_cast<uint32_t>(ends_[static_cast<size_t>(edge)].end.element),
               fmt::format("at {}: {}, VC {}: {}", to_string(at), port_name(edge), vc, what));
}

std::string WordFabric::port_name(int32_t edge) const {
  const system::LinkEnd& end = ends_[static_cast<size_t>(edge)].end;
  const system::Element& router = graph_.elements[static_cast<size_t>(end.element)];
  return fmt::format("{}, port {}", router.name, router.ports[static_cast<size_t>(end.port)]);
}

std::vector<std::string> WordFabric::waits() const {
  std::vector<std::string> lines;
  for (size_t edge = 0; edge < edges_.size(); ++edge) {
    for (const std::string& line : edges_[edge].waits())
      lines.push_back(fmt::format("{}, {}", port_name(static_cast<int32_t>(edge)), line));
  }
  return lines;
}

fabric::EarliestFailure WordFabric::failure() const {
  fabric::EarliestFailure first = failure_;
  first.add(network_->failure());
  return first;
}

void WordFabric::update_counters(std::span<link::LinkCounters> counters) const {
  const int64_t cycle = graph_.router_clock.period().fs();
  for (int32_t channel = 0; channel < graph_.channel_count(); ++channel) {
    const system::LinkEnd& from = graph_.channel_source(channel);
    if (tables_->shard_of[static_cast<size_t>(from.element)] == kRemote) continue;
    const SentCounters sent = network_->sent(from.element, from.port, network_->now());
    counters[static_cast<size_t>(channel)].words.set(sent.bytes / Tables::kWordBytes);
    counters[static_cast<size_t>(channel)].packets.set(sent.packets);
    counters[static_cast<size_t>(channel)].credit_stall_cycles.set(static_cast<uint64_t>(sent.stalled.fs() / cycle));
  }
}

}  // namespace fabrictwin::partition
