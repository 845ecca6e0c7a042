// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "rtl/transactor/node/transactor.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "cosim/observe/repeats.h"
#include "fmt/format.h"
#include "rtl/transactor/apelink_codec.h"
#include "rtl/transactor/pin_slices.h"

namespace fabrictwin::rtl::node {
namespace {

/// The mailbox clears one verdict per edge, 2^15 of them for 128 nodes.
constexpr int kClearEdges = 1 << 17;
constexpr int kMaxDim = 256;
constexpr int kNodeBits = 22;
// LinkWords of the deep network FPGA, with a header and a footer for each of its packets.
static_assert(kNodeDeepCredits == 1024 + 2 * kApelinkPackets);

/// Whether links have the FIFOs of the prototype.
bool deep_links(const Config& config) {
  return std::any_of(config.ports.begin() + kNodeFirstNetworkPort, config.ports.end(),
                     [](const auto& port) { return port.enabled && port.initial_credits == kNodeDeepCredits; });
}

/// Whether there are no network links but those of x.
bool two_links(const Config& config) {
  return std::none_of(config.ports.begin() + kNodeFirstNetworkPort + 2, config.ports.end(),
                      [](const auto& port) { return port.enabled; });
}

std::unique_ptr<Model> make_model(const Config& config) {
  if (config.kind == FpgaKind::kPlain) return make_plain_node_model();
  // Ports of what is left out never ask for anything, so both of these do the same at every edge.
  if (!deep_links(config)) return two_links(config) ? make_two_link_node_model() : make_network_node_model();
  return make_deep_network_node_model();
}

absl::Status check_link(const Config& config, int p) {
  const router::PortConfig& port = config.ports[p];
  const bool network = p >= kNodeFirstNetworkPort;
  if (!network && port.initial_credits != kNodeBoardCredits) {
    return absl::InvalidArgumentError(fmt::format("{}: port {} starts with {} credits; the RTL of a node has {}",
                                                  config.name, p, port.initial_credits, kNodeBoardCredits));
  }
  if (network && port.initial_credits != (deep_links(config) ? kNodeDeepCredits : kNodeNetworkCredits)) {
    return absl::InvalidArgumentError(fmt::format("{}: port {} starts with {} credits; the RTL of a node has {} or {}",
                                                  config.name, p, port.initial_credits, kNodeNetworkCredits,
                                                  kNodeDeepCredits));
  }
  if (port.word_clock.period() < config.router_clock.period()) {
    return absl::InvalidArgumentError(
        fmt::format("{}: the link at port {} carries a word each {}, but the router clock ticks each {}", config.name,
                    p, to_string(port.word_clock.period()), to_string(config.router_clock.period())));
  }
  return absl::OkStatus();
}

absl::Status check(const Config& config) {
  if (!config.wave.file.empty()) {
    return absl::InvalidArgumentError(
        fmt::format("{}: a waveform is asked for, but the logic of a node has none yet", config.name));
  }
  if (config.tile_bits < 0 || config.tile_bits > 3 || config.x_bits < 0 || config.x_bits > 15 || config.y_bits < 0 ||
      config.y_bits > 15 || config.node >> kNodeBits != 0) {
    return absl::InvalidArgumentError(fmt::format("{}: node number {} with {}, {} and {} bits for tile, x and y",
                                                  config.name, config.node, config.tile_bits, config.x_bits,
                                                  config.y_bits));
  }
  for (int d = 0; d < kNodeDims; ++d) {
    if (config.dims[d] < 1 || config.dims[d] > kMaxDim || config.coordinates[d] < 0 ||
        config.coordinates[d] >= config.dims[d]) {
      return absl::InvalidArgumentError(
          fmt::format("{}: coordinate {} of {} in dimension {}; the RTL supports 1 to {} positions", config.name,
                      config.coordinates[d], config.dims[d], d, kMaxDim));
    }
  }
  for (int p = 0; p < kNodePorts; ++p) {
    const router::PortConfig& port = config.ports[p];
    if (!port.enabled) {
      if (p != kNodeHostPort) continue;
      return absl::InvalidArgumentError(fmt::format("{}: the host port is not connected", config.name));
    }
    if (port.sender == nullptr || port.receiver == nullptr)
      return absl::InvalidArgumentError(fmt::format("{}: port {} has no channel", config.name, p));
    if (p >= kNodeFirstNetworkPort && config.kind == FpgaKind::kPlain) {
      return absl::InvalidArgumentError(
          fmt::format("{}: port {} is a network link, but this is a plain FPGA", config.name, p));
    }
    if (p == kNodeHostPort) continue;
    if (absl::Status status = check_link(config, p); !status.ok()) return status;
  }
  return absl::OkStatus();
}

/// Calls `visit(port)` for each bit that is set.
template <class Visit>
void for_each_port(uint64_t mask, Visit visit) {
  for (; mask != 0; mask &= mask - 1) visit(std::countr_zero(mask));
}

}  // namespace

absl::StatusOr<std::unique_ptr<Transactor>> Transactor::create(const Config& config) {
  // The configuration is checked before a model is made, which takes a while.
  if (absl::Status status = check(config); !status.ok()) return status;
  return create(config, make_model(config));
}

absl::StatusOr<std::unique_ptr<Transactor>> Transactor::create(const Config& config, std::unique_ptr<Model> model) {
  if (absl::Status status = check(config); !status.ok()) return status;
  return std::unique_ptr<Transactor>(new Transactor(config, std::move(model)));
}

Transactor::Transactor(const Config& config, std::unique_ptr<Model> model)
    : config_(config), model_(std::move(model)), pins_(model_->pins()) {
  Identity identity;
  identity.node = config.node;
  identity.tile_bits = static_cast<uint8_t>(config.tile_bits);
  identity.x_bits = static_cast<uint8_t>(config.x_bits);
  identity.y_bits = static_cast<uint8_t>(config.y_bits);
  for (int d = 0; d < kNodeDims; ++d) {
    identity.coordinates |= static_cast<uint32_t>(config.coordinates[d]) << (8 * d);
    identity.last |= static_cast<uint32_t>(config.dims[d] - 1) << (8 * d);
  }
  host_.emplace(config.name, config.ports[kNodeHostPort], config.router_clock, pins_);
  for (int p = 0; p < kNodePorts; ++p) {
    if (!config.ports[p].enabled) continue;
    identity.port_enable |= static_cast<uint16_t>(1 << p);
    if (p == kNodeHostPort) continue;
    if (p < kNodeFirstNetworkPort) {
      board_links_.emplace_back(config.name, p - 1, config.ports[p], config.router_clock, pins_);
    } else {
      network_links_.emplace_back(config.name, p - kNodeFirstNetworkPort, config.ports[p], config.router_clock, pins_);
    }
  }
  model_->reset(identity);
  settle_memories();
  // Frames on links without a neighbour are discarded; otherwise these links would never be idle.
  if (pins_.m_tready_i == nullptr) return;
  for (int l = 0; l < kNodeNetworkLinks; ++l)
    set_pin_bit(pins_.m_tready_i, l, !config.ports[kNodeFirstNetworkPort + l].enabled);
}

// The mailbox clears a memory after reset and drops messages meanwhile. In a machine this is over long before the first
// program runs, so here it is done before time begins. Words on the wires are discarded in the meantime, as nothing has
// been sent yet that they could report.
void Transactor::settle_memories() {
  for (int l = 0; pins_.m_tready_i != nullptr && l < kNodeNetworkLinks; ++l) set_pin_bit(pins_.m_tready_i, l, true);
  for (int edge = 0; edge < kClearEdges && !idle_; ++edge) {
    model_->edge();
    idle_ = *pins_.idle_o != 0 && (pins_.m_tvalid_o == nullptr || *pins_.m_tvalid_o == 0);
  }
  for (int l = 0; pins_.m_tready_i != nullptr && l < kNodeNetworkLinks; ++l) set_pin_bit(pins_.m_tready_i, l, false);
}

absl::Status Transactor::advance(Time until) {
  if (absl::Status status = take_records(until); !status.ok()) return status;
  const int64_t end = config_.router_clock.edge_at_or_after(until);
  while (cycle_ < end) {
    if (!busy()) {
      cycle_ = std::clamp(next_arrival(), cycle_, end);
      if (cycle_ == end) break;
    }
    if (absl::Status status = step(); !status.ok()) return status;
  }
  return absl::OkStatus();
}

Time Transactor::next_event() const {
  if (busy()) return config_.router_clock.edge(cycle_);
  const int64_t arrival = next_arrival();
  return arrival == LinkArrivals::kNever ? Time::never() : config_.router_clock.edge(std::max(cycle_, arrival));
}

std::vector<std::string> Transactor::waits() const {
  std::vector<std::string> lines;
  for_each_port(pins_.credit_stall_o.bits(), [&](int p) {
    lines.push_back(p == kNodeHostPort ? fmt::format("{} waits for credits of its network interface", config_.name)
                                       : fmt::format("{} waits for credits on {}", config_.name,
                                                     config_.ports[p].enabled ? config_.ports[p].sender->spec().name
                                                                              : fmt::format("port {}", p)));
  });
  if (std::string line = host_->wait(); !line.empty()) lines.push_back(std::move(line));
  return lines;
}

void Transactor::measure(metric::Sink& sink) const {
  observe::measure({.messages = repeated_messages_.get(), .blocks = repeated_blocks_.get()}, sink);
}

absl::Status Transactor::take_records(Time until) {
  if (absl::Status status = host_->take_records(until); !status.ok()) return status;
  for (BoardLink& link : board_links_) {
    if (absl::Status status = link.take_records(until); !status.ok()) return status;
  }
  for (NetworkLink& link : network_links_) {
    if (absl::Status status = link.take_records(until); !status.ok()) return status;
  }
  return absl::OkStatus();
}

int64_t Transactor::next_arrival() const {
  int64_t next = host_->next_cycle();
  for (const BoardLink& link : board_links_) next = std::min(next, link.next_cycle());
  for (const NetworkLink& link : network_links_) next = std::min(next, link.next_cycle());
  return next;
}

bool Transactor::busy() const {
  if (!idle_ || !config_.idle_skip || host_->busy()) return true;
  return std::any_of(network_links_.begin(), network_links_.end(), [](const NetworkLink& link) { return link.busy(); });
}

absl::Status Transactor::step() {
  *pins_.time_i = static_cast<uint32_t>(cycle_);
  if (absl::Status status = drive(); !status.ok()) return status;
  if (absl::Status status = sample(); !status.ok()) return status;
  count_stalls();
  model_->edge();
  for (BoardLink& link : board_links_) link.return_credits(cycle_);
  host_->send_events(cycle_);
  edges_.add(1);
  idle_ = *pins_.idle_o != 0;
  repeated_messages_.add(*pins_.repeats_o & 1);
  repeated_blocks_.add(*pins_.repeats_o >> 1);
  if (observer_) observer_(cycle_, *model_);
  if (*pins_.error_o != 0) {
    return absl::DataLossError(fmt::format(
        "{} at {}: the logic reports that a neighbour sent what is no packet or more than its credits, or returned "
        "too many",
        config_.name, to_string(config_.router_clock.edge(cycle_))));
  }
  ++cycle_;
  return absl::OkStatus();
}

absl::Status Transactor::drive() {
  host_->drive(cycle_);
  for (BoardLink& link : board_links_) link.drive(cycle_);
  bool line = false;
  for (NetworkLink& link : network_links_) {
    if (absl::Status status = link.drive(cycle_); !status.ok()) return status;
    line |= link.driving();
  }
  // Only outputs of handshakes with the host and with a transceiver's receiver depend combinationally on inputs.
  if (host_->active() || line || drove_line_ || config_.always_settle) model_->settle();
  drove_line_ = line;
  return absl::OkStatus();
}

absl::Status Transactor::sample() {
  if (absl::Status status = host_->sample(cycle_); !status.ok()) return status;
  for (BoardLink& link : board_links_) link.accept(cycle_);
  for (NetworkLink& link : network_links_) {
    if (absl::Status status = link.accept(cycle_); !status.ok()) return status;
  }
  return absl::OkStatus();
}

void Transactor::count_stalls() {
  for_each_port(pins_.credit_stall_o.bits(), [&](int p) {
    if (config_.ports[p].counters != nullptr) config_.ports[p].counters->credit_stall_cycles.add(1);
  });
}

absl::StatusOr<std::unique_ptr<engine::Partition>> make_node_transactor(const Config& config) {
  auto transactor = Transactor::create(config);
  if (!transactor.ok()) return transactor.status();
  return *std::move(transactor);
}

}  // namespace fabrictwin::rtl::node
