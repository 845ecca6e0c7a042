// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/caller/grpc_connector.h"

#include <sys/random.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "bridges/caller/check_places.h"
#include "bridges/caller/grpc_pump.h"
#include "bridges/caller/local_process.h"
#include "bridges/caller/place_tap.h"
#include "bridges/caller/remote_place.h"
#include "fmt/format.h"

namespace fabrictwin::bridges::caller {
namespace {

constexpr std::chrono::milliseconds kClosePatience{3'000};
constexpr std::chrono::milliseconds kStopPatience{10'000};
constexpr std::chrono::milliseconds kShortStopPatience{1'000};

std::string make_run_id() {
  uint64_t random[2] = {};
  // Only uniqueness matters, so the time suffices if random numbers are not available.
  if (getrandom(random, sizeof random, 0) != sizeof random) {
    random[0] = static_cast<uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
  }
  return fmt::format("{:016x}{:016x}", random[0], random[1]);
}

std::string transport_name(const system::Place& place) {
  if (place.kind == system::PlaceKind::kSoftBoard || place.kind == system::PlaceKind::kBoardAgent) return "board";
  switch (place.transport) {
    case system::Transport::kShm:
      return "shm";
    case system::Transport::kUnix:
      return "unix";
    case system::Transport::kTcp:
      return "tcp";
    case system::Transport::kMpi:
      return "mpi";
    case system::Transport::kNone:
      break;
  }
  return "none";
}

class GrpcConnector final : public run::PlaceConnector {
 public:
  GrpcConnector(const run::ConnectorOptions& options, RankLinks* ranks, PlaceTap* tap)
      : options_(options), run_id_(options.name.empty() ? make_run_id() : options.name), ranks_(ranks), tap_(tap) {}
  ~GrpcConnector() override { running_.store(false); }

  absl::Status connect(const experiment::Experiment& experiment, system::Plan& plan,
                       const std::stop_token& stop) override;
  absl::Status attach(run::RunMemory& memory) override;
  engine::Pump* pump() override { return pump_.get(); }
  int local_threads() const override;
  absl::Status finish(std::span<link::LinkCounters> counters, v1::Report& report,
                      std::vector<v1::HostsReport>& hosts) override;
  void sample(std::span<link::LinkCounters> counters, std::vector<v1::PartitionReport>& partitions,
              observe::MetricReports& metrics) override;
  void ask_partitions(std::vector<v1::PartitionReport>& partitions) override;
  std::vector<run::TransportCounters> transports() const override;

 private:
  void add_shared(const PumpPeer& peer, run::TransportCounters& total) const;

  const run::ConnectorOptions options_;
  const std::string run_id_;
  RankLinks* const ranks_;  ///< Null without MPI.
  PlaceTap* const tap_;     ///< Null if nobody looks.
  system::Plan* plan_ = nullptr;
  run::RunMemory* memory_ = nullptr;
  std::unique_ptr<PrivateFolder> folder_;
  std::vector<std::unique_ptr<RemotePlace>> places_;  ///< places_[i] is place i + 1.
  std::unique_ptr<GrpcPump> pump_;
  std::atomic<bool> running_{false};
  mutable std::mutex sampling_;  ///< Held by whoever uses calls of places, or the pump beside the executor.
};

/// Whether the run starts a process there.
bool is_started(const system::Place& place) {
  return place.kind == system::PlaceKind::kLocalWorker || place.kind == system::PlaceKind::kSoftBoard;
}

/// Whether that listens at a socket in the folder of the run.
bool has_socket(const system::Place& place) { return is_started(place) && place.transport != system::Transport::kTcp; }

absl::Status GrpcConnector::connect(const experiment::Experiment& experiment, system::Plan& plan,
                                    const std::stop_token& stop) {
  plan_ = &plan;
  if (absl::Status status = check_places(experiment, plan, options_.security); !status.ok()) return status;
  const int ranks = ranks_ == nullptr ? 1 : ranks_->ranks();
  if (absl::Status status = check_ranks(experiment, plan, ranks); !status.ok()) return status;
  if (std::ranges::any_of(plan.places, &is_started)) {
    const bool sockets = std::ranges::any_of(plan.places, &has_socket);
    absl::StatusOr<std::unique_ptr<PrivateFolder>> made = PrivateFolder::create(sockets);
    if (!made.ok()) return made.status();
    folder_ = *std::move(made);
  }
  const std::string folder = folder_ == nullptr ? std::string() : folder_->path();
  for (size_t place = 1; place < plan.places.size(); ++place) {
    places_.push_back(
        std::make_unique<RemotePlace>(plan, static_cast<int32_t>(place), run_id_, options_.security, ranks_, tap_));
    if (absl::Status status = places_.back()->launch(options_.executable, folder, stop); !status.ok()) return status;
  }
  for (size_t i = 0; i < places_.size(); ++i) {
    if (absl::Status status = places_[i]->join(plan.places[i + 1].transport, stop); !status.ok()) return status;
    if (absl::Status status = places_[i]->configure(experiment, options_); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status GrpcConnector::attach(run::RunMemory& memory) {
  memory_ = &memory;
  if (places_.empty()) return absl::OkStatus();
  for (const auto& place : places_) {
    // All other local places and the run itself compete for the cores.
    const int busy_peers = local_threads() - place->local_threads() + 1;
    if (absl::Status status = place->connect(memory, busy_peers); !status.ok()) return status;
  }
  pump_ = std::make_unique<GrpcPump>(*plan_, memory, [this](const PumpPeer& peer) {
    return places_[static_cast<size_t>(peer.place()) - 1]->obituary(peer);
  });
  for (const auto& place : places_) pump_->add(place->make_peer(memory));
  running_.store(true);
  return absl::OkStatus();
}

int GrpcConnector::local_threads() const {
  int threads = 0;
  for (const auto& place : places_) threads += place->local_threads();
  return threads;
}

absl::Status GrpcConnector::finish(std::span<link::LinkCounters> counters, v1::Report& report,
                                   std::vector<v1::HostsReport>& hosts) {
  running_.store(false);
  const std::lock_guard lock(sampling_);
  if (pump_) pump_->close(kClosePatience);
  absl::Status result;
  std::vector<RemotePlace*> ending;
  for (size_t i = 0; i < places_.size(); ++i) {
    const bool healthy = !pump_ || (pump_->peers()[i]->ended() && pump_->peers()[i]->status().ok());
    const absl::Status status = places_[i]->stop(counters, report, hosts, healthy ? kStopPatience : kShortStopPatience);
    if (result.ok()) result = status;
    // A process that does not answer will not end by itself, either: destroying its RemotePlace ends it.
    if (!absl::IsDeadlineExceeded(status)) ending.push_back(places_[i].get());
  }
  // A worker ends when its last connection is closed, which streams keep open.
  pump_.reset();
  for (RemotePlace* place : ending) place->close_connection();
  for (RemotePlace* place : ending) place->wait_end();
  return result;
}

void GrpcConnector::sample(std::span<link::LinkCounters> counters, std::vector<v1::PartitionReport>& partitions,
                           observe::MetricReports& metrics) {
  const std::lock_guard lock(sampling_);
  for (const auto& place : places_) {
    if (running_.load()) place->sample(counters);
    partitions.insert(partitions.end(), place->partitions().begin(), place->partitions().end());
    metrics.MergeFrom(place->metrics());
  }
}

void GrpcConnector::ask_partitions(std::vector<v1::PartitionReport>& partitions) {
  const std::lock_guard lock(sampling_);
  for (const auto& place : places_) {
    if (running_.load() && !place->ask_partitions()) continue;
    partitions.insert(partitions.end(), place->partitions().begin(), place->partitions().end());
  }
}

// Records in shared memory are counted by their senders.
void GrpcConnector::add_shared(const PumpPeer& peer, run::TransportCounters& total) const {
  engine::SyncTable& table = memory_->table();
  engine::PartitionSnapshot row;
  for (size_t p = 0; p < plan_->partitions.size(); ++p) {
    const auto outbound = table.outbound(static_cast<int32_t>(p));
    if (!table.read(static_cast<int32_t>(p), row)) continue;
    for (size_t i = 0; i < outbound.size(); ++i) {
      const int32_t source = plan_->partitions[p].place;
      const int32_t target = plan_->partitions[table.channels()[outbound[i]].target].place;
      // A channel between two such places is counted where it begins.
      const bool counted = source == peer.place() ||
                           (target == peer.place() && plan_->places[source].transport != system::Transport::kShm);
      if (source != target && counted) total.records += row.sent[i];
    }
  }
  total.bytes = total.records * sizeof(link::Record);
}

std::vector<run::TransportCounters> GrpcConnector::transports() const {
  std::vector<run::TransportCounters> result;
  const std::lock_guard lock(sampling_);
  if (!running_.load()) return result;
  for (const auto& peer : pump_->peers()) {
    const std::string name = transport_name(plan_->places[peer->place()]);
    auto total = std::find_if(result.begin(), result.end(), [&](const auto& known) { return known.transport == name; });
    if (total == result.end()) {
      result.push_back({name});
      total = result.end() - 1;
    }
    if (peer->shared()) {
      add_shared(*peer, *total);
    } else {
      total->records += peer->counters().records.get();
      total->messages += peer->counters().messages.get();
      total->bytes += peer->counters().bytes.get();
    }
  }
  return result;
}

}  // namespace

std::unique_ptr<run::PlaceConnector> make_grpc_connector(const run::ConnectorOptions& options) {
  return std::make_unique<GrpcConnector>(options, nullptr, nullptr);
}

run::ConnectorFactory rank_connector(RankLinks& ranks) {
  return [&ranks](const run::ConnectorOptions& options) {
    return std::make_unique<GrpcConnector>(options, &ranks, nullptr);
  };
}

run::ConnectorFactory tapped_connector(PlaceTap& tap) {
  return
      [&tap](const run::ConnectorOptions& options) { return std::make_unique<GrpcConnector>(options, nullptr, &tap); };
}

}  // namespace fabrictwin::bridges::caller
