// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "rtl/router_transactor.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "fmt/format.h"

namespace fabrictwin {
namespace {

constexpr int kMaxDim = 256;
constexpr int kMaxPacketWords = 18;
constexpr int kMaxCredits = 255;

/// Calls `visit(port)` for each bit that is set.
template <class Visit>
void for_each_port(uint32_t mask, Visit visit) {
  for (; mask != 0; mask &= mask - 1) visit(std::countr_zero(mask));
}

void put_word(uint32_t* data, int port, const Word& word) {
  data[4 * port + 0] = static_cast<uint32_t>(word.lo);
  data[4 * port + 1] = static_cast<uint32_t>(word.lo >> 32);
  data[4 * port + 2] = static_cast<uint32_t>(word.hi);
  data[4 * port + 3] = static_cast<uint32_t>(word.hi >> 32);
}

Word get_word(const uint32_t* data, int port) {
  const uint32_t* w = data + 4 * port;
  return Word{w[0] | uint64_t{w[1]} << 32, w[2] | uint64_t{w[3]} << 32};
}

absl::Status check(const RouterConfig& config) {
  for (int d = 0; d < kRouterDims; ++d) {
    if (config.dims[d] < 1 || config.dims[d] > kMaxDim || config.coordinates[d] < 0 ||
        config.coordinates[d] >= config.dims[d]) {
      return absl::InvalidArgumentError(
          fmt::format("{}: coordinate {} of {} in dimension {}; the RTL router has room for 1 to {} places",
                      config.name, config.coordinates[d], config.dims[d], d, kMaxDim));
    }
  }
  const auto route_hosts = static_cast<size_t>(config.route_hosts);
  if (config.route_hosts < 0 || route_hosts > kRouteTableHosts || config.routes.size() > route_hosts * kRouterInputs) {
    return absl::InvalidArgumentError(fmt::format(
        "{}: {} routes to {} hosts; the RTL router has a table of up to {} hosts for each of its {} input VCs",
        config.name, config.routes.size(), config.route_hosts, kRouteTableHosts, kRouterInputs));
  }
  for (int p = 0; p < kRouterPorts; ++p) {
    const RouterPortConfig& port = config.ports[p];
    if (!port.enabled) continue;
    if (port.sender == nullptr || port.receiver == nullptr) {
      return absl::InvalidArgumentError(fmt::format("{}: port {} has no channel", config.name, p));
    }
    if (port.initial_credits < kMaxPacketWords || port.initial_credits > kMaxCredits) {
      return absl::InvalidArgumentError(fmt::format("{}: port {} starts with {} credits; the RTL router needs {} to {}",
                                                    config.name, p, port.initial_credits, kMaxPacketWords,
                                                    kMaxCredits));
    }
    if (port.word_clock.period() < config.router_clock.period()) {
      return absl::InvalidArgumentError(
          fmt::format("{}: the link at port {} carries a word each {}, but the router clock ticks each {}", config.name,
                      p, to_string(port.word_clock.period()), to_string(config.router_clock.period())));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<RouterTransactor>> RouterTransactor::create(const RouterConfig& config) {
  if (config.wave.file.empty())
    return create(config, config.routes.empty() ? make_router_model() : make_table_router_model());
  auto model = make_traced_router_model(config.wave.file, config.name);
  if (!model.ok()) return model.status();
  return create(config, *std::move(model));
}

absl::StatusOr<std::unique_ptr<RouterTransactor>> RouterTransactor::create(const RouterConfig& config,
                                                                           std::unique_ptr<RouterModel> model) {
  if (absl::Status status = check(config); !status.ok()) return status;
  return std::unique_ptr<RouterTransactor>(new RouterTransactor(config, std::move(model)));
}

RouterTransactor::RouterTransactor(const RouterConfig& config, std::unique_ptr<RouterModel> model)
    : config_(config), model_(std::move(model)), pins_(model_->pins()) {
  RouterIdentity identity;
  for (int d = 0; d < kRouterDims; ++d) {
    identity.coordinates[d] = static_cast<uint8_t>(config.coordinates[d]);
    identity.dims[d] = static_cast<uint16_t>(config.dims[d]);
  }
  for (int p = 0; p < kRouterPorts; ++p) {
    ports_.emplace_back(config.ports[p], config.router_clock);
    if (!config.ports[p].enabled) continue;
    enabled_ports_.push_back(p);
    identity.port_enable |= static_cast<uint8_t>(1 << p);
    identity.initial_credits[p] = static_cast<uint8_t>(config.ports[p].initial_credits);
  }
  identity.routes = config.routes;
  identity.route_hosts = config.route_hosts;
  model_->reset(identity);
}

absl::Status RouterTransactor::advance(Time until) {
  for (int p : enabled_ports_) {
    if (absl::Status status = take_records(ports_[p], until); !status.ok()) return status;
  }
  const int64_t end = config_.router_clock.edge_at_or_after(until);
  while (cycle_ < end) {
    if (idle_ && config_.idle_skip) {
      cycle_ = std::clamp(next_arrival(), cycle_, end);
      if (cycle_ == end) break;
    }
    if (absl::Status status = step(); !status.ok()) return status;
  }
  return absl::OkStatus();
}

Time RouterTransactor::next_event() const {
  if (!idle_ || !config_.idle_skip) return config_.router_clock.edge(cycle_);
  const int64_t arrival = next_arrival();
  return arrival == ArrivalQueue<ArrivedWord>::kNever ? Time::never()
                                                      : config_.router_clock.edge(std::max(cycle_, arrival));
}

std::vector<std::string> RouterTransactor::waits() const {
  std::vector<std::string> lines;
  for_each_port(*pins_.credit_stall_o, [&](int p) {
    lines.push_back(fmt::format("{} waits for credits on {}", config_.name, config_.ports[p].sender->spec().name));
  });
  return lines;
}

absl::Status RouterTransactor::take_records(Port& port, Time until) {
  ChannelReceiver& receiver = *port.config.receiver;
  const ChannelSpec& spec = receiver.spec();
  for (const Record* record = receiver.front(); record != nullptr && record->time() < until;
       record = receiver.front()) {
    if (record->kind == RecordKind::kBurst) {
      const int64_t slot = receiver.first_slot(*record);
      for (int i = 0; i < record->count; ++i) {
        uint8_t flags = 0;
        if (i == 0) flags |= record->flags & kStartOfPacket;
        if (i == record->count - 1) flags |= record->flags & kEndOfPacket;
        const int64_t cycle = port.word_sampler.sample(spec.word_clock.edge(slot + i + 1) + spec.latency);
        port.words.push({cycle, record->words[i], record->vc, flags});
      }
    } else if (record->kind == RecordKind::kCredit) {
      port.credits.push({port.credit_sampler.sample(record->time()), record->vc, record->count, record->flags});
    } else {
      return absl::DataLossError(
          fmt::format("{} at {}: {} carries a record of kind {}, but a router takes only words and credits",
                      config_.name, to_string(record->time()), spec.name, static_cast<int>(record->kind)));
    }
    receiver.pop();
  }
  return absl::OkStatus();
}

int64_t RouterTransactor::next_arrival() const {
  int64_t next = ArrivalQueue<ArrivedWord>::kNever;
  for (int p : enabled_ports_) next = std::min({next, ports_[p].words.next_cycle(), ports_[p].credits.next_cycle()});
  return next;
}

absl::Status RouterTransactor::step() {
  drive_arrivals();
  accept_words();
  count_stalls();
  clock_edge();
  return_credits();
  edges_.add(1);
  idle_ = *pins_.idle_o != 0;
  if (observer_) observer_(cycle_, *model_);
  if (*pins_.error_o != 0) return failure();
  ++cycle_;
  return absl::OkStatus();
}

void RouterTransactor::drive_arrivals() {
  uint32_t rx_valid = 0, rx_vc = 0, rx_sop = 0, rx_eop = 0, credit_valid = 0, credit_vc = 0;
  for (int p : enabled_ports_) {
    Port& port = ports_[p];
    if (port.words.next_cycle() == cycle_) {
      const ArrivedWord& arrived = port.words.front();
      rx_valid |= 1u << p;
      rx_vc |= static_cast<uint32_t>(arrived.vc) << p;
      rx_sop |= static_cast<uint32_t>((arrived.flags & kStartOfPacket) != 0) << p;
      rx_eop |= static_cast<uint32_t>((arrived.flags & kEndOfPacket) != 0) << p;
      put_word(pins_.rx_data_i, p, arrived.word);
      port.words.pop();
    }
    if (port.credits.next_cycle() == cycle_) {
      const ArrivedCredit& arrived = port.credits.front();
      credit_valid |= 1u << p;
      credit_vc |= static_cast<uint32_t>(arrived.vc) << p;
      *pins_.credit_count_i = (*pins_.credit_count_i & ~(uint64_t{0xff} << (8 * p))) | uint64_t{arrived.count}
                                                                                           << (8 * p);
      *pins_.credit_health_i = (*pins_.credit_health_i & ~(7u << (3 * p))) | (arrived.health & 7u) << (3 * p);
      port.credits.pop();
    }
  }
  *pins_.rx_valid_i = static_cast<uint8_t>(rx_valid);
  *pins_.rx_vc_i = static_cast<uint8_t>(rx_vc);
  *pins_.rx_sop_i = static_cast<uint8_t>(rx_sop);
  *pins_.rx_eop_i = static_cast<uint8_t>(rx_eop);
  *pins_.credit_valid_i = static_cast<uint8_t>(credit_valid);
  *pins_.credit_vc_i = static_cast<uint8_t>(credit_vc);
}

void RouterTransactor::accept_words() {
  uint32_t ready = 0;
  for_each_port(*pins_.tx_valid_o, [&](int p) {
    Port& port = ports_[p];
    if (!port.serializer.ready(cycle_)) return;
    ready |= 1u << p;
    const bool eop = (*pins_.tx_eop_o >> p & 1) != 0;
    const uint8_t flags =
        static_cast<uint8_t>(((*pins_.tx_sop_o >> p & 1) != 0 ? kStartOfPacket : 0) | (eop ? kEndOfPacket : 0));
    port.config.sender->send_word(port.serializer.accept(cycle_), *pins_.tx_vc_o >> p & 1, flags,
                                  get_word(pins_.tx_data_o, p));
    if (port.config.counters != nullptr) {
      port.config.counters->words.add(1);
      if (eop) port.config.counters->packets.add(1);
    }
  });
  *pins_.tx_ready_i = static_cast<uint8_t>(ready);
}

void RouterTransactor::count_stalls() {
  for_each_port(*pins_.credit_stall_o, [&](int p) {
    if (config_.ports[p].counters != nullptr) config_.ports[p].counters->credit_stall_cycles.add(1);
  });
}

void RouterTransactor::clock_edge() {
  if (!config_.wave.file.empty()) {
    const Time now = config_.router_clock.edge(cycle_);
    if (now >= config_.wave.from && now < config_.wave.to) {
      // Half a period early, so that inputs are seen to be stable at the edge that samples them.
      const Time half = Time::from_fs(config_.router_clock.period().fs() / 2);
      model_->edge_traced(now - half, now);
      return;
    }
  }
  model_->edge();
}

void RouterTransactor::return_credits() {
  if (*pins_.credit_valid_o == 0) return;
  const Time sent = config_.router_clock.edge(cycle_ + 1);
  for_each_port(*pins_.credit_valid_o, [&](int p) {
    const auto count = static_cast<uint8_t>(*pins_.credit_count_o >> (8 * p));
    const auto health = static_cast<uint8_t>(*pins_.credit_health_o >> (3 * p) & 7);
    ports_[p].config.sender->send_credit(sent, *pins_.credit_vc_o >> p & 1, count, health);
  });
}

absl::Status RouterTransactor::failure() const {
  std::string names;
  for_each_port(*pins_.error_o, [&](int p) {
    if (!names.empty()) names += ", ";
    names += config_.ports[p].enabled ? config_.ports[p].receiver->spec().name : fmt::format("port {}", p);
  });
  return absl::DataLossError(
      fmt::format("{} at {}: the router reports a broken packet, a lost word or too many credits on {}", config_.name,
                  to_string(config_.router_clock.edge(cycle_)), names));
}

}  // namespace fabrictwin
