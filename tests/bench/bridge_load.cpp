// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/bridge_load.h"

#include <grpcpp/grpcpp.h>

#include <string_view>
#include <vector>

#include "bridges/caller/grpc_connector.h"
#include "bridges/server/server.h"
#include "bridges/worker/server.h"
#include "cosim/base/text.h"
#include "cosim/run/run.h"
#include "fmt/format.h"
#include "models/topology/lattice/torus.h"
#include "tests/bridges/counting_connector.h"
#include "tests/bridges/self_process.h"
#include "tests/experiments.h"

namespace fabrictwin {
namespace {

constexpr uint64_t kPings = 4'000;
constexpr uint64_t kFloodRecords = 10'000'000;
// 200 records for each step of the pacer, which fit a ring, and 64'000 on the way to the worker.
constexpr Time kFloodGap = Time::from_ps(16);
constexpr Time kPace = Time::from_ps(3'200);
constexpr Time kLatency = Time::from_ns(1'024);
constexpr Time kFirst = Time::from_ns(1);

enum class Role { kSource, kPacer, kSink };

/// A host that sends over a long link to a router; another router, next to the host, only passes time with it, so that
/// the host advances a little at a time.
absl::StatusOr<system::SystemGraph> build_load(const experiment::Experiment& experiment) {
  system::SystemGraph graph;
  graph.topology = "bridge load";
  const auto& torus = experiment.topology_as<topology::lattice::TorusSpec>();
  graph.dims = torus.dims;
  graph.elements.resize(3);
  for (const Role role : {Role::kSource, Role::kPacer, Role::kSink}) {
    system::Element& element = graph.elements[static_cast<size_t>(role)];
    element.node = role == Role::kSink ? 1 : 0;
    element.name = role == Role::kSource ? "host[0]" : fmt::format("router[{}]", element.node);
    element.kind = role == Role::kSource ? system::ElementKind::kHost : system::ElementKind::kRouter;
    element.coordinates = {element.node};
    element.ports = {"a", "b"};
  }
  graph.links.push_back({{{0, 0}, {1, 0}}, torus.tile_rate, kPace});
  graph.links.push_back({{{0, 1}, {2, 0}}, torus.link_rate, kLatency});
  return graph;
}

/// Sends credits over the long link and takes off all that come.
class LoadPartition final : public engine::Partition {
 public:
  LoadPartition(std::vector<run::CutPort> ports, BridgeLoad load, Role role)
      : ports_(std::move(ports)), load_(load), role_(role), next_(role == Role::kSource ? kFirst : Time::never()) {
    for (const run::CutPort& port : ports_) {
      if (port.sender->spec().latency == kLatency) out_ = port.sender;
    }
  }

  absl::Status advance(Time until) override {
    for (const run::CutPort& port : ports_) {
      for (const link::Record* record = port.receiver->front(); record != nullptr && record->time() < until;
           record = port.receiver->front()) {
        receive(record->time());
        port.receiver->pop();
      }
    }
    const bool flood = role_ == Role::kSource && load_ == BridgeLoad::kFlood;
    for (; next_ < until; ++sent_) {
      out_->send_credit(next_, 0, 1);
      next_ = flood && sent_ + 1 < kFloodRecords ? next_ + kFloodGap : Time::never();
    }
    return absl::OkStatus();
  }
  Time next_event() const override { return next_; }
  uint64_t events() const override { return 0; }
  bool done() const override {
    return role_ != Role::kSource || received_ == (load_ == BridgeLoad::kFlood ? 1 : kPings);
  }

 private:
  // A ping is answered at once; a flood when it is over.
  void receive(Time time) {
    ++received_;
    const bool source = role_ == Role::kSource;
    const bool again =
        load_ == BridgeLoad::kPingPong ? !source || received_ < kPings : !source && received_ == kFloodRecords;
    if (again) next_ = time;
  }

  std::vector<run::CutPort> ports_;
  BridgeLoad load_;
  Role role_;
  link::ChannelSender* out_ = nullptr;
  Time next_;
  uint64_t sent_ = 0;
  uint64_t received_ = 0;
};

run::Registry load_registry() {
  run::Registry registry;
  registry.tenants = workloads::tenants();
  registry.topology = build_load;
  const auto build = [](const run::PartitionContext& context) -> absl::StatusOr<std::unique_ptr<engine::Partition>> {
    const system::PartitionPlan& plan = context.plan->partitions[context.partition];
    return std::make_unique<LoadPartition>(context.ports, static_cast<BridgeLoad>(context.experiment->seed),
                                           static_cast<Role>(plan.elements.front()));
  };
  registry.model = build;
  registry.rtl = build;
  return registry;
}

/// Answers each message; carries nothing.
class BareService final : public v1::Bridge::Service {
  grpc::Status Run(grpc::ServerContext*, grpc::ServerReaderWriter<v1::RunResponse, v1::RunRequest>* stream) override {
    v1::RunRequest request;
    v1::RunResponse response;
    while (stream->Read(&request)) {
      response.set_consumed(request.number());
      if (!stream->Write(response)) break;
    }
    return grpc::Status::OK;
  }
};

std::string option(int argc, char** argv, std::string_view name) {
  for (int i = 2; i + 1 < argc; ++i) {
    if (argv[i] == name) return argv[i + 1];
  }
  return {};
}

}  // namespace

BridgeLoadResult run_bridge_load(BridgeLoad load, const std::string& place) {
  BridgeLoadResult result;
  const std::string text = fmt::format(
      "topology {{ torus {{ dims: 2 }} }}\nworkload {{ traffic {{ pattern: UNIFORM load: 0.1 }} }}\n"
      "use {{ select: \"router[0]\" implementation: RTL }}\n"
      "use {{ select: \"router[1]\" implementation: RTL place: \"{}\" }}\nseed: {}\n",
      place, static_cast<uint64_t>(load));
  absl::StatusOr<experiment::Experiment> experiment = test::parse_experiment(text, "bench.textproto");
  if (!experiment.ok()) return {experiment.status()};
  std::vector<run::TransportCounters> transports;
  const auto connector = [&](const run::ConnectorOptions& options) -> std::unique_ptr<run::PlaceConnector> {
    return std::make_unique<CountingConnector>(bridges::caller::make_grpc_connector(options), transports);
  };
  run::RunOptions options;
  options.executable = self_executable();
  absl::StatusOr<std::unique_ptr<run::Run>> run =
      run::Run::create(*std::move(experiment), load_registry(), connector, options);
  if (!run.ok()) return {run.status()};
  result.status = (*run)->execute(std::stop_token());
  result.seconds = (*run)->report().wall_seconds();
  for (const run::TransportCounters& transport : transports) {
    result.messages += transport.messages;
    result.records += transport.records;
    result.bytes += transport.bytes;
  }
  return result;
}

BareServer::BareServer(const std::string& kind) {
  absl::StatusOr<std::unique_ptr<bridges::caller::PrivateFolder>> folder = bridges::caller::PrivateFolder::create();
  if (!folder.ok()) return;
  folder_ = *std::move(folder);
  const std::string listen = kind == "unix" ? "unix:" + folder_->path() + "/bare.sock" : "127.0.0.1:0";
  absl::StatusOr<std::unique_ptr<bridges::caller::LocalProcess>> process =
      bridges::caller::LocalProcess::start("bare server", self_executable(), {"bare", "--listen", listen});
  if (!process.ok()) return;
  process_ = *std::move(process);
  absl::StatusOr<std::string> ready = process_->wait_ready(std::chrono::seconds(10));
  if (ready.ok()) address_ = *ready;
}

int serve_bridge_load_if_asked(int argc, char** argv) {
  const std::string_view role = argc > 1 ? argv[1] : "";
  if (role != "worker" && role != "bare") return -1;
  bridges::server::Options server;
  server.listen = option(argc, argv, "--listen");
  parse_number(option(argc, argv, "--parent-pid"), server.parent_pid);
  parse_number(option(argc, argv, "--ready-fd"), server.ready_fd);
  if (role == "bare") {
    BareService service;
    bridges::server::ServerEnd end;
    return bridges::server::serve_bridge(server, service, end).ok() ? 0 : 1;
  }
  bridges::worker::Options worker;
  worker.listen = server.listen;
  worker.once = true;
  worker.registry = load_registry();
  worker.parent_pid = server.parent_pid;
  worker.ready_fd = server.ready_fd;
  return bridges::worker::serve_worker(worker).ok() ? 0 : 1;
}

}  // namespace fabrictwin
