// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/bridges/token_system.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "cosim/base/random.h"
#include "fmt/format.h"
#include "models/topology/lattice/torus.h"
#include "workloads/tenants.h"

namespace fabrictwin {
namespace {

constexpr Time kDelay = Time::from_ns(30);

const metric::Counter kTokens{
    {.name = "fabrictwin_test_tokens_total", .help = "Tokens that a partition has passed on", .labels = {"partition"}}};

TokenFaults faults_from_environment() {
  TokenFaults faults;
  if (const char* die = std::getenv("FABRICTWIN_TEST_DIE_AT")) faults.die_at = *parse_time(die);
  if (const char* stop = std::getenv("FABRICTWIN_TEST_STOP_AT")) faults.stop_at = *parse_time(stop);
  if (const char* fail = std::getenv("FABRICTWIN_TEST_FAIL_AT")) faults.fail_at = *parse_time(fail);
  return faults;
}

}  // namespace

TokenPartition::TokenPartition(std::string name, std::vector<TokenPort> ports, TokenFaults faults)
    : name_(std::move(name)), ports_(std::move(ports)), faults_(faults), last_slot_(ports_.size(), -1) {
  std::sort(ports_.begin(), ports_.end(),
            [](const TokenPort& a, const TokenPort& b) { return a.receiver->spec().id < b.receiver->spec().id; });
}

void TokenPartition::make_source(const TokenLoad& load, observe::EndpointDigest* digest) {
  digest_ = digest;
  expected_ = static_cast<uint64_t>(load.count) * static_cast<uint64_t>(load.bursts);
  Time time = load.first;
  for (int burst = 0; burst < load.bursts; ++burst, time += load.gap) {
    for (int i = 0; i < load.count; ++i) {
      waiting_[{time, static_cast<size_t>(i) % ports_.size(), order_++}] = {static_cast<uint64_t>(load.hops),
                                                                            mix64(order_)};
    }
  }
}

Time TokenPartition::next_event() const {
  Time next = waiting_.empty() ? Time::never() : waiting_.begin()->first.time;
  for (const Time fault : {faults_.die_at, faults_.stop_at, faults_.fail_at}) {
    if (fault != Time::zero()) next = std::min(next, fault);
  }
  return next;
}

absl::Status TokenPartition::advance(Time until) {
  take_arrivals(until);
  if (faults_.die_at != Time::zero() && faults_.die_at < until) kill(getpid(), SIGKILL);
  // A signal to the process may be taken by another thread while this one simulates on, so it goes to this thread.
  if (faults_.stop_at != Time::zero() && faults_.stop_at < until) raise(SIGSTOP);
  if (faults_.fail_at != Time::zero() && faults_.fail_at < until) {
    return absl::InternalError(fmt::format("{} at {}: was told to fail", name_, to_string(faults_.fail_at)));
  }
  while (!waiting_.empty() && waiting_.begin()->first.time < until) {
    const auto [key, token] = *waiting_.begin();
    waiting_.erase(waiting_.begin());
    events_.add(1);
    last_ = key.time;
    pass_on(key.time, key.port, token);
  }
  return absl::OkStatus();
}

void TokenPartition::take_arrivals(Time until) {
  for (size_t port = 0; port < ports_.size(); ++port) {
    link::ChannelReceiver& receiver = *ports_[port].receiver;
    for (const link::Record* record = receiver.front(); record != nullptr && record->time() < until;
         record = receiver.front()) {
      if (record->kind == link::RecordKind::kBurst) {
        const int64_t slot = receiver.first_slot(*record);
        for (int i = 0; i < record->count; ++i) {
          const Time time = receiver.spec().word_clock.edge(slot + i + 1) + receiver.spec().latency;
          waiting_[{time, port, order_++}] = record->words[i];
        }
      }
      receiver.pop();
    }
  }
}

void TokenPartition::pass_on(Time now, size_t port, link::Word token) {
  token.hi = mix64(token.hi ^ static_cast<uint64_t>(now.fs()));
  if (token.lo == 0 && digest_ != nullptr) {
    digest_->add_arrival(now, token.hi);
    digest_->add_message(1);
    ++returned_;
    return;
  }
  if (token.lo > 0) --token.lo;
  ports_[port].sender->send_credit(now, 0, 1);
  send(now, (port + 1 + token.hi % 2) % ports_.size(), token);
}

void TokenPartition::send(Time now, size_t port, link::Word token) {
  link::ChannelSender& sender = *ports_[port].sender;
  const int64_t slot = std::max(sender.spec().word_clock.edge_at_or_after(now + kDelay), last_slot_[port] + 1);
  last_slot_[port] = slot;
  sender.send_word(slot, 0, link::kStartOfPacket | link::kEndOfPacket, token);
  if (ports_[port].counters != nullptr) {
    ports_[port].counters->words.add(1);
    ports_[port].counters->packets.add(1);
  }
}

void TokenPartition::measure(metric::Sink& sink) const {
  sink.add(kTokens, static_cast<double>(events_.get()), {name_});
}

void TokenPartition::report(v1::Report& report) const {
  if (digest_ != nullptr) report.set_simulated_fs(last_.fs());
}

absl::StatusOr<system::SystemGraph> build_token_ring(const experiment::Experiment& experiment) {
  system::SystemGraph graph;
  const auto& torus = experiment.topology_as<topology::lattice::TorusSpec>();
  const int32_t count = torus.dims[0];
  graph.topology = fmt::format("token ring of {}", count);
  graph.dims = torus.dims;
  for (const bool host : {true, false}) {
    for (int32_t i = 0; i < count; ++i) {
      system::Element element;
      element.name = fmt::format("{}[{}]", host ? "host" : "router", i);
      element.kind = host ? system::ElementKind::kHost : system::ElementKind::kRouter;
      element.node = i;
      element.coordinates = {i};
      element.ports = host ? std::vector<std::string>{"tile"} : std::vector<std::string>{"tile", "x+", "x-"};
      graph.elements.push_back(std::move(element));
    }
  }
  for (int32_t i = 0; i < count; ++i) {
    graph.links.push_back({{{i, 0}, {count + i, 0}}, torus.tile_rate, torus.tile_latency});
    graph.links.push_back({{{count + i, 1}, {count + (i + 1) % count, 2}}, torus.link_rate, torus.link_latency});
  }
  return graph;
}

run::Registry token_registry(const TokenLoad& load) {
  run::Registry registry;
  registry.tenants = workloads::tenants();
  registry.topology = build_token_ring;
  const auto ports_of = [](const run::PartitionContext& context) {
    std::vector<TokenPort> ports;
    for (const run::CutPort& port : context.ports) {
      ports.push_back({port.sender, port.receiver, &context.link_counters[port.sender->spec().id]});
    }
    return ports;
  };
  registry.model = [=](const run::PartitionContext& context) -> absl::StatusOr<std::unique_ptr<engine::Partition>> {
    auto partition = std::make_unique<TokenPartition>(context.plan->partitions[context.partition].name,
                                                      ports_of(context), TokenFaults());
    if (context.plan->partitions[context.partition].place == 0) partition->make_source(load, &context.digests[0]);
    return partition;
  };
  registry.rtl = [=](const run::PartitionContext& context) -> absl::StatusOr<std::unique_ptr<engine::Partition>> {
    return std::make_unique<TokenPartition>(context.plan->partitions[context.partition].name, ports_of(context),
                                            faults_from_environment());
  };
  return registry;
}

absl::StatusOr<std::unique_ptr<engine::Partition>> make_token_board(const bridges::board::Config& config) {
  std::vector<TokenPort> ports;
  for (const bridges::board::PortConfig& port : config.ports) {
    if (port.enabled) ports.push_back({port.sender, port.receiver, port.counters});
  }
  return std::make_unique<TokenPartition>(config.name, std::move(ports), faults_from_environment());
}

}  // namespace fabrictwin
