// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/bridge_load.h"

#include <grpcpp/grpcpp.h>

#include <string_view>
#include <vector>

#include "bridges/bridge_server.h"
#include "bridges/grpc_connector.h"
#include "bridges/worker_server.h"
#include "cosim/base/text.h"
#include "cosim/run/run.h"
#include "fmt/format.h"
#include "tests/bridges/self_process.h"
#include "tests/bridges/token_system.h"

namespace fabrictwin {
namespace {

constexpr uint64_t kPings = 4'000;
constexpr uint64_t kFloodRecords = 4'000'000;
constexpr Time kFloodGap = Time::from_ps(12);
constexpr Time kFirst = Time::from_ns(1);

/// Sends credits on one port and takes them off all.
class LoadPartition final : public Partition {
 public:
  LoadPartition(std::vector<CutPort> ports, BridgeLoad load, bool source)
      : ports_(std::move(ports)), load_(load), source_(source), next_(source ? kFirst : Time::never()) {}

  absl::Status advance(Time until) override {
    for (const CutPort& port : ports_) {
      for (const Record* record = port.receiver->front(); record != nullptr && record->time() < until;
           record = port.receiver->front()) {
        receive(record->time());
        port.receiver->pop();
      }
    }
    for (; next_ < until; ++sent_) {
      ports_[0].sender->send_credit(next_, 0, 1);
      next_ = source_ && load_ == BridgeLoad::kFlood && sent_ + 1 < kFloodRecords ? next_ + kFloodGap : Time::never();
    }
    return absl::OkStatus();
  }
  Time next_event() const override { return next_; }
  uint64_t events() const override { return 0; }
  bool done() const override { return !source_ || received_ == (load_ == BridgeLoad::kFlood ? 1 : kPings); }

 private:
  // A ping is answered at once; a flood when it is over.
  void receive(Time time) {
    ++received_;
    const bool again =
        load_ == BridgeLoad::kPingPong ? !source_ || received_ < kPings : !source_ && received_ == kFloodRecords;
    if (again) next_ = time;
  }

  std::vector<CutPort> ports_;
  BridgeLoad load_;
  bool source_;
  Time next_;
  uint64_t sent_ = 0;
  uint64_t received_ = 0;
};

Registry load_registry() {
  Registry registry;
  registry.topology = build_token_ring;
  registry.model = [](const PartitionContext& context) -> absl::StatusOr<std::unique_ptr<Partition>> {
    return std::make_unique<LoadPartition>(context.ports, static_cast<BridgeLoad>(context.experiment->seed), true);
  };
  registry.rtl = [](const PartitionContext& context) -> absl::StatusOr<std::unique_ptr<Partition>> {
    return std::make_unique<LoadPartition>(context.ports, static_cast<BridgeLoad>(context.experiment->seed), false);
  };
  return registry;
}

/// Keeps the counters of a run, which are gone when it has ended.
class CountingConnector final : public PlaceConnector {
 public:
  CountingConnector(std::unique_ptr<PlaceConnector> inner, std::vector<TransportCounters>& seen)
      : inner_(std::move(inner)), seen_(seen) {}
  absl::Status connect(const Experiment& experiment, Plan& plan) override { return inner_->connect(experiment, plan); }
  absl::Status attach(RunMemory& memory) override { return inner_->attach(memory); }
  Pump* pump() override { return inner_->pump(); }
  int local_threads() const override { return inner_->local_threads(); }
  absl::Status finish(std::span<LinkCounters> counters, v1::Report& report) override {
    seen_ = inner_->transports();
    return inner_->finish(counters, report);
  }
  void sample(std::span<LinkCounters> counters) override { inner_->sample(counters); }
  std::vector<TransportCounters> transports() const override { return inner_->transports(); }

 private:
  std::unique_ptr<PlaceConnector> inner_;
  std::vector<TransportCounters>& seen_;
};

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
      "use {{ select: \"router[1]\" implementation: RTL place: \"{}\" }}\nseed: {}\n",
      place, static_cast<uint64_t>(load));
  absl::StatusOr<Experiment> experiment = parse_experiment(text, "bench.textproto");
  if (!experiment.ok()) return {experiment.status()};
  std::vector<TransportCounters> transports;
  const auto connector = [&](const ConnectorOptions& options) -> std::unique_ptr<PlaceConnector> {
    return std::make_unique<CountingConnector>(make_grpc_connector(options), transports);
  };
  RunOptions options;
  options.executable = self_executable();
  absl::StatusOr<std::unique_ptr<Run>> run = Run::create(*std::move(experiment), load_registry(), connector, options);
  if (!run.ok()) return {run.status()};
  result.status = (*run)->execute(std::stop_token());
  result.seconds = (*run)->report().wall_seconds();
  for (const TransportCounters& transport : transports) {
    result.messages += transport.messages;
    result.records += transport.records;
    result.bytes += transport.bytes;
  }
  return result;
}

BareServer::BareServer(const std::string& kind) {
  absl::StatusOr<std::unique_ptr<PrivateFolder>> folder = PrivateFolder::create();
  if (!folder.ok()) return;
  folder_ = *std::move(folder);
  const std::string listen = kind == "unix" ? "unix:" + folder_->path() + "/bare.sock" : "127.0.0.1:0";
  absl::StatusOr<std::unique_ptr<LocalProcess>> process =
      LocalProcess::start("bare server", self_executable(), {"bare", "--listen", listen});
  if (!process.ok()) return;
  process_ = *std::move(process);
  absl::StatusOr<std::string> ready = process_->wait_ready(std::chrono::seconds(10));
  if (ready.ok()) address_ = *ready;
}

int serve_bridge_load_if_asked(int argc, char** argv) {
  const std::string_view role = argc > 1 ? argv[1] : "";
  if (role != "worker" && role != "bare") return -1;
  BridgeServerOptions server;
  server.listen = option(argc, argv, "--listen");
  parse_number(option(argc, argv, "--parent-pid"), server.parent_pid);
  parse_number(option(argc, argv, "--ready-fd"), server.ready_fd);
  if (role == "bare") {
    BareService service;
    ServerEnd end;
    return serve_bridge(server, service, end).ok() ? 0 : 1;
  }
  WorkerOptions worker;
  worker.listen = server.listen;
  worker.once = true;
  worker.registry = load_registry();
  worker.parent_pid = server.parent_pid;
  worker.ready_fd = server.ready_fd;
  return serve_worker(worker).ok() ? 0 : 1;
}

}  // namespace fabrictwin
