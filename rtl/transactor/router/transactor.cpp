// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "rtl/transactor/router/transactor.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "cosim/link/record.h"
#include "fmt/format.h"
#include "rtl/transactor/pin_slices.h"

namespace fabrictwin::rtl::router {
namespace {

constexpr int kMaxDim = 256;
constexpr int kMaxPacketWords = 18;
constexpr int kMaxCredits = 255;
constexpr int kMaxMarking = 65'535;
constexpr int kMaxLeastWords = 31;

/// Calls `visit(port)` for each bit that is set.
template <class Visit>
void for_each_port(uint64_t mask, Visit visit) {
  for (; mask != 0; mask &= mask - 1) visit(std::countr_zero(mask));
}

template <int kPorts>
absl::Status check(const Config& config) {
  for (int d = 0; d < kRouterDims; ++d) {
    if (config.dims[d] < 1 || config.dims[d] > kMaxDim || config.coordinates[d] < 0 ||
        config.coordinates[d] >= config.dims[d]) {
      return absl::InvalidArgumentError(
          fmt::format("{}: coordinate {} of {} in dimension {}; the RTL router supports 1 to {} positions", config.name,
                      config.coordinates[d], config.dims[d], d, kMaxDim));
    }
  }
  const auto route_destinations = static_cast<size_t>(config.route_destinations);
  if (config.route_destinations < 0 || route_destinations > kRouteTableDestinations ||
      config.routes.size() > route_destinations * kPorts * link::kVcs) {
    return absl::InvalidArgumentError(fmt::format(
        "{}: {} routes to {} destinations; the RTL router has a table of up to {} destinations for each of its {} "
        "input VCs",
        config.name, config.routes.size(), config.route_destinations, kRouteTableDestinations, kPorts * link::kVcs));
  }
  const link::PacketMarking& marking = config.marking;
  if (marking.threshold_words < 0 || marking.threshold_words > kMaxMarking || marking.marking_rate < 0 ||
      marking.marking_rate > kMaxMarking || marking.least_words < 0 || marking.least_words > kMaxLeastWords) {
    return absl::InvalidArgumentError(fmt::format(
        "{}: marks beyond {} words, one of {} + 1 packets of {} words; the RTL router counts to {}, and "
        "words of a packet to {}",
        config.name, marking.threshold_words, marking.marking_rate, marking.least_words, kMaxMarking, kMaxLeastWords));
  }
  for (int p = 0; p < kLargeRouterPorts; ++p) {
    const PortConfig& port = config.ports[p];
    if (!port.enabled) continue;
    if (p >= kPorts) {
      return absl::InvalidArgumentError(
          fmt::format("{}: has no port {}; the RTL router has {}", config.name, p, kPorts));
    }
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

template <int kPorts>
std::unique_ptr<BasicModel<kPorts>> make_model(const Config& config) {
  if constexpr (kPorts == kLargeRouterPorts) {
    return make_large_router_model();
  } else if constexpr (kPorts == kWideRouterPorts) {
    return make_wide_router_model();
  } else {
    return config.routes.empty() ? make_router_model() : make_table_router_model();
  }
}

template <int kPorts>
absl::StatusOr<std::unique_ptr<BasicModel<kPorts>>> make_traced_model(const Config& config) {
  if constexpr (kPorts == kLargeRouterPorts) {
    return make_traced_large_router_model(config.wave.file, config.name);
  } else if constexpr (kPorts == kWideRouterPorts) {
    return make_traced_wide_router_model(config.wave.file, config.name);
  } else {
    return make_traced_router_model(config.wave.file, config.name);
  }
}

/// The number of ports up to the last one that has a channel, or routes for its input.
int ports_needed(const Config& config) {
  int ports = kLargeRouterPorts;
  while (ports > 0 && !config.ports[ports - 1].enabled) --ports;
  if (config.route_destinations <= 0) return ports;
  const size_t entries = static_cast<size_t>(config.route_destinations) * link::kVcs;
  return std::max(ports, static_cast<int>((config.routes.size() + entries - 1) / entries));
}

template <int kPorts>
absl::StatusOr<std::unique_ptr<engine::Partition>> make_basic(const Config& config) {
  absl::StatusOr<std::unique_ptr<BasicTransactor<kPorts>>> router = BasicTransactor<kPorts>::create(config);
  if (!router.ok()) return router.status();
  return *std::move(router);
}

}  // namespace

template <int kPorts>
absl::StatusOr<std::unique_ptr<BasicTransactor<kPorts>>> BasicTransactor<kPorts>::create(const Config& config) {
  if (config.wave.file.empty()) return create(config, make_model<kPorts>(config));
  auto model = make_traced_model<kPorts>(config);
  if (!model.ok()) return model.status();
  return create(config, *std::move(model));
}

template <int kPorts>
absl::StatusOr<std::unique_ptr<BasicTransactor<kPorts>>> BasicTransactor<kPorts>::create(const Config& config,
                                                                                         std::unique_ptr<Model> model) {
  if (absl::Status status = check<kPorts>(config); !status.ok()) return status;
  return std::unique_ptr<BasicTransactor>(new BasicTransactor(config, std::move(model)));
}

template <int kPorts>
BasicTransactor<kPorts>::BasicTransactor(const Config& config, std::unique_ptr<Model> model)
    : config_(config), model_(std::move(model)), pins_(model_->pins()) {
  Identity identity;
  for (int d = 0; d < kRouterDims; ++d) {
    identity.coordinates[d] = static_cast<uint8_t>(config.coordinates[d]);
    identity.dims[d] = static_cast<uint16_t>(config.dims[d]);
  }
  for (int p = 0; p < kPorts; ++p) {
    ports_.emplace_back(config.ports[p], config.router_clock);
    if (!config.ports[p].enabled) continue;
    enabled_ports_.push_back(p);
    identity.port_enable |= uint64_t{1} << p;
    identity.initial_credits[p] = static_cast<uint8_t>(config.ports[p].initial_credits);
    if (config.ports[p].to_host) identity.host_ports |= uint64_t{1} << p;
  }
  identity.marking = config.marking;
  identity.routes = config.routes;
  identity.route_destinations = config.route_destinations;
  model_->reset(identity);
}

template <int kPorts>
absl::Status BasicTransactor<kPorts>::advance(Time until) {
  for (int p : enabled_ports_) {
    Port& port = ports_[p];
    if (absl::Status status = port.arrivals.take_records(config_.name, *port.config.receiver, until); !status.ok())
      return status;
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

template <int kPorts>
Time BasicTransactor<kPorts>::next_event() const {
  if (!idle_ || !config_.idle_skip) return config_.router_clock.edge(cycle_);
  const int64_t arrival = next_arrival();
  return arrival == LinkArrivals::kNever ? Time::never() : config_.router_clock.edge(std::max(cycle_, arrival));
}

template <int kPorts>
std::vector<std::string> BasicTransactor<kPorts>::waits() const {
  std::vector<std::string> lines;
  for_each_port(*pins_.credit_stall_o, [&](int p) {
    lines.push_back(fmt::format("{} waits for credits on {}", config_.name, config_.ports[p].sender->spec().name));
  });
  return lines;
}

template <int kPorts>
int64_t BasicTransactor<kPorts>::next_arrival() const {
  int64_t next = LinkArrivals::kNever;
  for (int p : enabled_ports_) next = std::min(next, ports_[p].arrivals.next_cycle());
  return next;
}

template <int kPorts>
absl::Status BasicTransactor<kPorts>::step() {
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

template <int kPorts>
void BasicTransactor<kPorts>::drive_arrivals() {
  using Bits = typename BasicPins<kPorts>::Bits;
  uint64_t rx_valid = 0, rx_vc = 0, rx_sop = 0, rx_eop = 0, credit_valid = 0, credit_vc = 0;
  for (int p : enabled_ports_) {
    LinkArrivals& arrivals = ports_[p].arrivals;
    if (arrivals.words.next_cycle() == cycle_) {
      const LinkArrivals::ArrivedWord& arrived = arrivals.words.front();
      rx_valid |= uint64_t{1} << p;
      rx_vc |= static_cast<uint64_t>(arrived.vc) << p;
      rx_sop |= static_cast<uint64_t>((arrived.flags & link::kStartOfPacket) != 0) << p;
      rx_eop |= static_cast<uint64_t>((arrived.flags & link::kEndOfPacket) != 0) << p;
      set_pin_word(pins_.rx_data_i, p, arrived.word);
      arrivals.words.pop();
    }
    if (arrivals.credits.next_cycle() == cycle_) {
      const LinkArrivals::ArrivedCredit& arrived = arrivals.credits.front();
      credit_valid |= uint64_t{1} << p;
      credit_vc |= static_cast<uint64_t>(arrived.vc) << p;
      set_pin_byte(pins_.credit_count_i, p, arrived.count);
      set_pin_health(pins_.credit_health_i, p, arrived.health);
      arrivals.credits.pop();
    }
  }
  *pins_.rx_valid_i = static_cast<Bits>(rx_valid);
  *pins_.rx_vc_i = static_cast<Bits>(rx_vc);
  *pins_.rx_sop_i = static_cast<Bits>(rx_sop);
  *pins_.rx_eop_i = static_cast<Bits>(rx_eop);
  *pins_.credit_valid_i = static_cast<Bits>(credit_valid);
  *pins_.credit_vc_i = static_cast<Bits>(credit_vc);
}

template <int kPorts>
void BasicTransactor<kPorts>::accept_words() {
  uint64_t ready = 0;
  for_each_port(*pins_.tx_valid_o, [&](int p) {
    Port& port = ports_[p];
    if (!port.serializer.ready(cycle_)) return;
    ready |= uint64_t{1} << p;
    const bool eop = (*pins_.tx_eop_o >> p & 1) != 0;
    const uint8_t flags = static_cast<uint8_t>(((*pins_.tx_sop_o >> p & 1) != 0 ? link::kStartOfPacket : 0) |
                                               (eop ? link::kEndOfPacket : 0));
    port.config.sender->send_word(port.serializer.accept(cycle_), *pins_.tx_vc_o >> p & 1, flags,
                                  pin_word(pins_.tx_data_o, p));
    if (port.config.counters != nullptr) {
      port.config.counters->words.add(1);
      if (eop) port.config.counters->packets.add(1);
    }
  });
  *pins_.tx_ready_i = static_cast<typename BasicPins<kPorts>::Bits>(ready);
}

template <int kPorts>
void BasicTransactor<kPorts>::count_stalls() {
  for_each_port(*pins_.credit_stall_o, [&](int p) {
    if (config_.ports[p].counters != nullptr) config_.ports[p].counters->credit_stall_cycles.add(1);
  });
}

template <int kPorts>
void BasicTransactor<kPorts>::clock_edge() {
  if (!config_.wave.file.empty()) {
    const Time now = config_.router_clock.edge(cycle_);
    if (now >= config_.wave.from && now < config_.wave.to) {
      // Inputs change half a period early, so that they are seen to be stable at the edge that samples them.
      const Time half = Time::from_fs(config_.router_clock.period().fs() / 2);
      model_->edge_traced(now - half, now);
      return;
    }
  }
  model_->edge();
}

template <int kPorts>
void BasicTransactor<kPorts>::return_credits() {
  if (*pins_.credit_valid_o == 0) return;
  const Time sent = config_.router_clock.edge(cycle_ + 1);
  for_each_port(*pins_.credit_valid_o, [&](int p) {
    const uint8_t count = pin_byte(pins_.credit_count_o, p);
    const uint8_t health = pin_health(pins_.credit_health_o, p);
    ports_[p].config.sender->send_credit(sent, *pins_.credit_vc_o >> p & 1, count, health);
  });
}

template <int kPorts>
absl::Status BasicTransactor<kPorts>::failure() const {
  std::string names;
  for_each_port(*pins_.error_o, [&](int p) {
    if (!names.empty()) names += ", ";
    names += config_.ports[p].enabled ? config_.ports[p].receiver->spec().name : fmt::format("port {}", p);
  });
  return absl::DataLossError(
      fmt::format("{} at {}: the router reports a broken packet, a lost word or too many credits on {}", config_.name,
                  to_string(config_.router_clock.edge(cycle_)), names));
}

template class BasicTransactor<kRouterPorts>;
template class BasicTransactor<kWideRouterPorts>;
template class BasicTransactor<kLargeRouterPorts>;

absl::StatusOr<std::unique_ptr<engine::Partition>> make_router_transactor(const Config& config) {
  const int ports = ports_needed(config);
  if (ports > kWideRouterPorts) return make_basic<kLargeRouterPorts>(config);
  if (ports > kRouterPorts) return make_basic<kWideRouterPorts>(config);
  return make_basic<kRouterPorts>(config);
}

}  // namespace fabrictwin::rtl::router
