// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/transactor/node_bench.h"

#include <algorithm>
#include <stdexcept>

#include "fmt/format.h"

namespace fabrictwin::test {
namespace {

constexpr Time kHostLatency = Time::from_ps(62'500);
constexpr Time kLinkLatency = Time::from_ns(120);

}  // namespace

NodeBench::NodeBench(const BenchOptions& options)
    : systemc_(*kernel::SystemcContext::create()),
      counters_(static_cast<size_t>(kNodes * rtl::node::kNodePorts)),
      inbound_(counters_.size()) {
  std::vector<rtl::node::Config> configs(kNodes);
  for (int n = 0; n < kNodes; ++n) {
    const int q = n / 2, f = n % 2;
    rtl::node::Config& config = configs[static_cast<size_t>(n)];
    config.name = f == 0 ? fmt::format("qfdb[{}].router", q) : fmt::format("qfdb[{}].switch[{}]", q, f);
    config.kind = f == 0 ? rtl::node::FpgaKind::kNetwork : rtl::node::FpgaKind::kPlain;
    config.x_bits = 1;
    config.node = static_cast<uint32_t>(q << 2 | f);
    config.coordinates = {q, 0, 0};
    config.dims = {2, 1, 1};
    config.router_clock = Clock(Frequency{156'250'000});
    config.idle_skip = options.idle_skip;
    config.always_settle = options.always_settle;
    society_.nodes.push_back(config.node);
  }
  for (int q = 0; q < 2; ++q)
    connect(configs, 2 * q, 1, 2 * q + 1, 1, Bandwidth{16'000'000'000}, rtl::node::kNodeBoardCredits);
  connect(configs, 0, 4, 2, 5, Bandwidth{10'000'000'000}, rtl::node::kNodeNetworkCredits);
  connect(configs, 2, 4, 0, 5, Bandwidth{10'000'000'000}, rtl::node::kNodeNetworkCredits);
  for (int n = 0; n < kNodes; ++n) {
    rtl::node::Config& config = configs[static_cast<size_t>(n)];
    Direction* up = add_direction(fmt::format("{}.host->mpsoc[{}]", config.name, n), Clock(Frequency{1}), kHostLatency);
    Direction* down =
        add_direction(fmt::format("mpsoc[{}]->{}.host", n, config.name), Clock(Frequency{1}), kHostLatency);
    config.ports[rtl::node::kNodeHostPort].enabled = true;
    config.ports[rtl::node::kNodeHostPort].sender = &up->sender;
    config.ports[rtl::node::kNodeHostPort].receiver = &down->receiver;
    auto node = options.six_links && config.kind == rtl::node::FpgaKind::kNetwork
                    ? rtl::node::Transactor::create(config, rtl::node::make_network_node_model())
                    : rtl::node::Transactor::create(config);
    if (!node.ok()) throw std::runtime_error(std::string(node.status().message()));
    nodes_.push_back(*std::move(node));
    clients_.push_back(std::make_unique<NodeClient>(fmt::format("client_{}", n).c_str(), n, society_, options.seed,
                                                    options.messages, options.transfers, options.pause));
    nic::exanet::driver::RegisterNi::Config ni;
    ni.latency = kHostLatency;
    ni.client = clients_.back().get();
    ni.interfaces = 2;
    interfaces_.push_back(std::make_unique<nic::exanet::driver::RegisterNi>(fmt::format("ni_{}", n).c_str(), ni));
    clients_.back()->bind(interfaces_.back().get());
    cuts_.push_back(std::make_unique<kernel::CutLink>(fmt::format("cut_{}", n).c_str(), down->sender, up->receiver));
    interfaces_.back()->port_out.bind(cuts_.back()->in);
    cuts_.back()->out.bind(interfaces_.back()->port_in);
  }
}

NodeBench::Direction* NodeBench::add_direction(const std::string& name, Clock word_clock, Time latency) {
  link::ChannelSpec spec;
  spec.id = static_cast<uint32_t>(directions_.size());
  spec.name = name;
  spec.latency = latency;
  spec.word_clock = word_clock;
  directions_.push_back(std::make_unique<Direction>(spec));
  return directions_.back().get();
}

void NodeBench::connect(std::vector<rtl::node::Config>& configs, int a, int port_a, int b, int port_b, Bandwidth rate,
                        int credits) {
  const Clock clock = Clock::of_words(rate, link::kWordBits);
  const auto name = [&](int n, int port) { return fmt::format("{}.{}", configs[static_cast<size_t>(n)].name, port); };
  Direction* forth = add_direction(name(a, port_a) + "->" + name(b, port_b), clock, kLinkLatency);
  Direction* back = add_direction(name(b, port_b) + "->" + name(a, port_a), clock, kLinkLatency);
  const auto set = [&](int n, int p, Direction* out, Direction* in) {
    rtl::router::PortConfig& port = configs[static_cast<size_t>(n)].ports[p];
    port.enabled = true;
    port.word_clock = clock;
    port.initial_credits = credits;
    port.sender = &out->sender;
    port.receiver = &in->receiver;
    port.counters = &counters_[static_cast<size_t>(n * rtl::node::kNodePorts + p)];
    inbound_[static_cast<size_t>(n * rtl::node::kNodePorts + p)] = &in->sender;
  };
  set(a, port_a, forth, back);
  set(b, port_b, back, forth);
}

absl::Status NodeBench::advance_kernel(Time until) {
  const auto run_now = [] {
    while (sc_core::sc_pending_activity_at_current_time()) sc_core::sc_start(sc_core::SC_ZERO_TIME);
  };
  if (!started_) {
    started_ = true;
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    run_now();
  }
  for (const auto& cut : cuts_) cut->receive_until(until);
  while (sc_core::sc_pending_activity_at_future_time()) {
    const Time next = stood_ + kernel::from_sc_time(sc_core::sc_time_to_pending_activity());
    if (next >= until) break;
    sc_core::sc_start(kernel::to_sc_time(next - stood_));
    stood_ = next;
    run_now();
  }
  return society_.failures.empty() ? absl::OkStatus() : absl::DataLossError(society_.failures.front());
}

absl::Status NodeBench::run(const std::function<Time()>& quantum, Time until, bool even_if_finished) {
  while (now_ < until && (even_if_finished || !finished())) {
    now_ = std::min(now_ + quantum(), until);
    for (auto& direction : directions_) {
      if (absl::Status status = direction->receiver.poll(); !status.ok()) return status;
    }
    if (absl::Status status = advance_kernel(now_); !status.ok()) return status;
    for (auto& node : nodes_) {
      if (absl::Status status = node->advance(now_); !status.ok()) return status;
    }
    for (auto& direction : directions_) {
      direction->sender.flush(now_);
      if (direction->sender.blocked()) return absl::InternalError("the ring of the test is too small");
    }
  }
  return absl::OkStatus();
}

bool NodeBench::finished() const {
  return std::all_of(clients_.begin(), clients_.end(), [](const auto& client) { return client->finished(); }) &&
         society_.messages_arrived == society_.messages_sent;
}

uint64_t NodeBench::edges() const {
  uint64_t edges = 0;
  for (const auto& node : nodes_) edges += node->events();
  return edges;
}

uint64_t NodeBench::accesses() const {
  uint64_t accesses = 0;
  for (const auto& interface : interfaces_) accesses += interface->accesses();
  return accesses;
}

}  // namespace fabrictwin::test
