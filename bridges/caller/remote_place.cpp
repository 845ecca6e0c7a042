// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/caller/remote_place.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "bridges/caller/grpc_calls.h"
#include "bridges/protocol/fd_handover.h"
#include "bridges/protocol/plan_config.h"
#include "bridges/protocol/protocol.h"
#include "bridges/protocol/rpc_status.h"
#include "bridges/protocol/tls.h"
#include "cosim/base/text.h"
#include "cosim/system/faults.h"
#include "fmt/format.h"
#include "spdlog/spdlog.h"

namespace fabrictwin::bridges::caller {
namespace {

constexpr std::chrono::milliseconds kStartPatience{30'000};
constexpr std::chrono::milliseconds kCallPatience{10'000};
/// The patience for planning a large system or building many Verilated elements.
constexpr std::chrono::milliseconds kBuildPatience{120'000};
constexpr std::chrono::milliseconds kSamplePatience{200};
constexpr std::chrono::milliseconds kEndPatience{2'000};

/// What gRPC says, in one of these words, when a server takes a connection and the two do not come to terms, or if it
/// cannot use the certificates of this side. A server that does not take a certificate just closes the connection.
constexpr std::array<const char*, 6> kDisagreed = {"andshake",    "peer",     "Socket closed",
                                                   "Broken pipe", "SETTINGS", "empty address list"};

}  // namespace

RemotePlace::RemotePlace(const system::Plan& plan, int32_t place, std::string run_id, ConnectionSecurity security,
                         RankLinks* ranks, PlaceTap* tap)
    : plan_(plan),
      index_(place),
      run_id_(std::move(run_id)),
      security_(std::move(security)),
      address_(plan.places[place].address),
      ranks_(ranks),
      tap_(tap) {}

RemotePlace::~RemotePlace() {
  if (handover_ >= 0) close(handover_);
}

std::string RemotePlace::who() const {
  return process_ == nullptr ? name() : fmt::format("{} (pid {})", name(), process_->pid());
}

absl::Status RemotePlace::launch(const std::string& executable, const std::string& folder,
                                 const std::stop_token& stop) {
  if (place().kind == system::PlaceKind::kRemoteWorker || place().kind == system::PlaceKind::kBoardAgent ||
      place().kind == system::PlaceKind::kMpiRank)
    return absl::OkStatus();
  address_ =
      place().transport == system::Transport::kTcp ? "127.0.0.1:0" : fmt::format("unix:{}/{}.sock", folder, index_);
  std::vector<std::string> arguments{"worker", "--listen", address_, "--once"};
  if (place().kind == system::PlaceKind::kSoftBoard) {
    const std::string window = fmt::format("{}/{}.window", folder, index_);
    absl::StatusOr<std::unique_ptr<LocalProcess>> board =
        LocalProcess::start(fmt::format("the soft board of {}", name()), executable,
                            {"board", place().shell ? "--shell" : "--soft", "--window", window});
    if (!board.ok()) return board.status();
    board_ = *std::move(board);
    // The agent needs an existing window, so the board must be ready first.
    if (absl::StatusOr<std::string> ready = board_->wait_ready(kStartPatience, stop); !ready.ok())
      return ready.status();
    arguments = {"board", "--window", window, "--listen", address_, "--once"};
  }
  absl::StatusOr<std::unique_ptr<LocalProcess>> process = LocalProcess::start(name(), executable, std::move(arguments));
  if (!process.ok()) return process.status();
  process_ = *std::move(process);
  return absl::OkStatus();
}

absl::Status RemotePlace::join(system::Transport& transport, const std::stop_token& stop) {
  if (process_ != nullptr) {
    absl::StatusOr<std::string> ready = process_->wait_ready(kStartPatience, stop);
    if (!ready.ok()) return ready.status();
    address_ = *ready;
    // Nobody else can reach what the run has started.
    security_ = {};
  }
  open();
  if (absl::Status status = hello(transport); !status.ok()) return status;
  return describe();
}

void RemotePlace::open() {
  if (place().kind == system::PlaceKind::kMpiRank) {
    calls_ = ranks_->calls(place().rank);
    return;
  }
  grpc::ChannelArguments arguments;
  protocol::configure_channel(arguments);
  stub_ = v1::Bridge::NewStub(
      grpc::CreateCustomChannel(address_, protocol::channel_credentials(address_, security_), arguments));
  calls_ = make_grpc_calls(*stub_);
  if (tap_ != nullptr) calls_ = tap_->tap(std::move(calls_));
}

absl::Status RemotePlace::hello(system::Transport& transport) {
  v1::HelloResponse response;
  const grpc::Status status = calls_->hello(protocol::make_hello(), response, kCallPatience);
  if (status.error_code() == grpc::StatusCode::UNAVAILABLE) return unreachable(status.error_message());
  if (!status.ok()) return protocol::from_grpc(status, who());
  const absl::Status versions =
      protocol::check_versions(who(), response.min_version(), response.max_version(), response.software());
  if (!versions.ok()) return versions;
  if (!response.marks() && protocol::marks_at(plan_, index_)) {
    return absl::UnimplementedError(fmt::format(
        "{}: does not mark packets, which congestion management needs of it (HelloResponse.marks in its bridge); use a "
        "place that does, or leave out `congestion`",
        who()));
  }
  if (!response.faults() && system::has_faults(plan_, index_)) {
    return absl::UnimplementedError(fmt::format(
        "{}: does not apply faults of links, which this run needs of it (HelloResponse.faults in its bridge); use a "
        "place that does, or leave out `fault` for the links on which its elements send",
        who()));
  }
  here_ = !response.boot_id().empty() && response.boot_id() == protocol::boot_id();
  if (transport == system::Transport::kShm) {
    if (!take_handover(response)) {
      return absl::UnavailableError(fmt::format("{}: cannot share memory with it; use worker:unix", who()));
    }
  } else if (may_share_memory() && take_handover(response)) {
    // Ranks say nothing, as there are many of them.
    const bool rank = place().kind == system::PlaceKind::kMpiRank;
    if (!rank) spdlog::info("{} is on this host: records travel in shared memory", name());
    transport = system::Transport::kShm;
  }
  return absl::OkStatus();
}

absl::Status RemotePlace::unreachable(const std::string& reason) const {
  if (place().kind == system::PlaceKind::kMpiRank)
    return absl::UnavailableError(fmt::format("{}: does not answer: {}", who(), reason));
  const bool disagreed = std::any_of(kDisagreed.begin(), kDisagreed.end(),
                                     [&](const char* text) { return reason.find(text) != std::string::npos; });
  const bool named = who() == address_;
  if (!disagreed || protocol::is_unix(address_) || process_ != nullptr) {
    const std::string where = named ? "" : " at " + address_;
    return absl::UnavailableError(fmt::format("{}: nobody answers{}: {}", who(), where, reason));
  }
  if (!security_.tls.has_value()) {
    return absl::UnavailableError(
        fmt::format("{}: {}answers nobody without TLS, or is no bridge: {}; if it has TLS, give {}", who(),
                    named ? "" : address_ + " ", reason, protocol::kTlsOptions));
  }
  return absl::UnavailableError(
      fmt::format("{}: TLS{} failed: {}; each side needs a certificate of an authority in --tls-ca of the other "
                  "one, that of the place must be for the host in its address, and each key must fit its certificate",
                  who(), named ? "" : " with " + address_, reason));
}

// Places that the run has started travel as the experiment says.
bool RemotePlace::may_share_memory() const {
  const bool there = place().kind == system::PlaceKind::kRemoteWorker || place().kind == system::PlaceKind::kMpiRank;
  return there && security_.share_memory;
}

bool RemotePlace::take_handover(const v1::HelloResponse& hello) {
  const auto& transports = hello.transports();
  if (std::find(transports.begin(), transports.end(), v1::BRIDGE_TRANSPORT_SHARED_MEMORY) == transports.end())
    return false;
  if (hello.boot_id().empty() || hello.boot_id() != protocol::boot_id()) return false;
  // Two containers of one host may have the same boot id and still not reach each other: only a connection proves it.
  const absl::StatusOr<int> socket = protocol::connect_handover(hello.handover_socket());
  if (!socket.ok()) {
    spdlog::info("{}: no shared memory: {}", name(), message_of(socket.status()));
    return false;
  }
  handover_ = *socket;
  return true;
}

absl::Status RemotePlace::describe() {
  v1::DescribeResponse response;
  const grpc::Status status = calls_->describe({}, response, kCallPatience);
  if (!status.ok()) return protocol::from_grpc(status, who());
  if (!response.run_id().empty()) {
    return absl::UnavailableError(fmt::format("{}: is busy with run {}", who(), response.run_id()));
  }
  const bool wants_board =
      place().kind == system::PlaceKind::kSoftBoard || place().kind == system::PlaceKind::kBoardAgent;
  if (wants_board != response.has_board()) {
    return absl::FailedPreconditionError(fmt::format("{}: is a {}; the experiment wants a {} there", who(),
                                                     response.has_board() ? "board agent" : "worker",
                                                     wants_board ? "board (implementation: BOARD)" : "worker"));
  }
  return wants_board ? check_board(response.board()) : absl::OkStatus();
}

absl::Status RemotePlace::check_board(const v1::DescribeResponse::Board& board) const {
  if (board.link_kind() == "free") {
    spdlog::warn(
        "{}: the board's clock is free: results are those of this run alone, and fabrictwin_board_late_total says "
        "what came too late",
        who());
  } else if (board.link_kind() != "gated" && board.link_kind() != "paced") {
    return absl::UnimplementedError(fmt::format(
        "{}: is a board with {} links; this version runs gated, paced and free ones", who(), board.link_kind()));
  }
  for (const int32_t p : protocol::partitions_at(plan_, index_)) {
    for (const system::ElementId id : plan_.partitions[p].elements) {
      const system::Element& element = plan_.graph.elements[id];
      if (plan_.graph.external && board.element_type() == "any") {
        return absl::FailedPreconditionError(fmt::format(
            "{}: holds elements of ExaNet, and {} is a router of the model EXTERNAL; use the agent of a card with "
            "external_router_shell (docs/boards.md), or one of your own whose element_type is external_router",
            who(), element.name));
      }
      if ((board.element_type() != "any" &&
           board.element_type() != protocol::element_type_name(plan_.graph, element)) ||
          element.ports.size() > static_cast<size_t>(board.ports_size())) {
        return absl::FailedPreconditionError(
            fmt::format("{}: holds an element of type {} with up to {} ports, which cannot be {} with {}", who(),
                        board.element_type(), board.ports_size(), element.name, element.ports.size()));
      }
    }
  }
  return absl::OkStatus();
}

absl::Status RemotePlace::configure(const experiment::Experiment& experiment, const run::ConnectorOptions& options) {
  v1::ConfigureResponse response;
  const v1::ConfigureRequest request =
      protocol::make_configure(experiment, plan_, index_, run_id_, 1, options.waves, options.logged_messages);
  const grpc::Status status = calls_->configure(request, response, kBuildPatience);
  configured_ = status.ok();
  return protocol::from_grpc(status, who());
}

absl::Status RemotePlace::connect(run::RunMemory& memory, int busy_peers) {
  v1::ConnectRequest request;
  request.set_run_id(run_id_);
  request.set_transport(v1::BRIDGE_TRANSPORT_STREAM);
  request.set_busy_peers(busy_peers);
  if (place().transport == system::Transport::kShm) {
    request.set_transport(v1::BRIDGE_TRANSPORT_SHARED_MEMORY);
    for (size_t other = 0; other < plan_.places.size(); ++other) {
      const bool here = other == 0 || plan_.places[other].transport == system::Transport::kShm;
      if (here && other != static_cast<size_t>(index_)) request.add_doorbells(static_cast<int32_t>(other));
    }
    if (absl::Status status = protocol::send_descriptor(handover_, run_id_, memory.fd()); !status.ok()) {
      return absl::Status(status.code(), fmt::format("{}: {}", who(), message_of(status)));
    }
  }
  v1::ConnectResponse response;
  return protocol::from_grpc(calls_->connect(request, response, kBuildPatience), who());
}

std::unique_ptr<PumpPeer> RemotePlace::make_peer(run::RunMemory& memory) {
  std::unique_ptr<RunStream> stream = stub_ == nullptr ? ranks_->stream(place().rank) : make_grpc_stream(*stub_);
  if (tap_ != nullptr) stream = tap_->tap(std::move(stream));
  return std::make_unique<PumpPeer>(name(), plan_, index_, memory, std::move(stream), run_id_);
}

int RemotePlace::local_threads() const {
  if (place().kind == system::PlaceKind::kSoftBoard) return 2;
  if (place().kind == system::PlaceKind::kMpiRank) return here_ ? 1 : 0;
  return process_ != nullptr || place().transport == system::Transport::kShm ? 1 : 0;
}

absl::Status RemotePlace::obituary(const PumpPeer& peer) {
  const grpc::Status& status = peer.status();
  const std::string when = to_string(peer.simulated());
  if (process_ != nullptr && (status.ok() || status.error_code() == grpc::StatusCode::UNAVAILABLE) &&
      process_->wait_end(kEndPatience)) {
    return absl::UnavailableError(
        fmt::format("{} ended unexpectedly ({}) at simulated {}", who(), process_->ending(), when));
  }
  if (status.ok()) return absl::UnavailableError(fmt::format("{} left the run at simulated {}", who(), when));
  if (status.error_code() == grpc::StatusCode::UNAVAILABLE) {
    return absl::UnavailableError(fmt::format("{} was lost at simulated {}: {}", who(), when, status.error_message()));
  }
  return absl::Status(static_cast<absl::StatusCode>(status.error_code()),
                      fmt::format("{} failed at simulated {}: {}", who(), when, status.error_message()));
}

absl::Status RemotePlace::stop(std::span<link::LinkCounters> counters, v1::Report& report,
                               std::vector<v1::HostsReport>& hosts, std::chrono::milliseconds patience) {
  if (!std::exchange(configured_, false)) return absl::OkStatus();
  v1::StopRequest request;
  request.set_run_id(run_id_);
  v1::StopResponse response;
  const grpc::Status status = calls_->stop(request, response, patience);
  if (!status.ok()) {
    report_lost(report);
    // What it says itself is the reason: a file that it could not write.
    const bool says_why = status.error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED;
    return protocol::from_grpc(status, says_why ? who() : fmt::format("{}: no final counters", who()));
  }
  stopped_ = true;
  store(response.channels(), counters);
  keep(response.partitions());
  keep(response.metrics());
  for (const v1::PartitionReport& partition : partitions_) *report.add_partitions() = partition;
  observe::MetricReporter reporter(*report.mutable_metrics(), false);
  observe::send_metrics(metrics_, "", reporter);
  if (response.has_hosts() && !hosts.emplace_back().ParseFromString(response.hosts())) {
    hosts.pop_back();
    return absl::DataLossError(
        fmt::format("{}: protocol error: what it says of its hosts is not a HostsReport", who()));
  }
  return absl::OkStatus();
}

void RemotePlace::report_lost(v1::Report& report) const {
  for (const int32_t number : protocol::partitions_at(plan_, index_)) {
    const system::PartitionPlan& partition = plan_.partitions[static_cast<size_t>(number)];
    const auto known = std::ranges::find(partitions_, partition.name, &v1::PartitionReport::name);
    v1::PartitionReport& line = *report.add_partitions();
    if (known != partitions_.end()) line = *known;
    line.set_name(partition.name);
    line.set_kind(v1::Implementation_Name(partition.implementation));
    line.set_place(name());
    line.set_lost(true);
  }
}

void RemotePlace::close_connection() {
  if (stub_ == nullptr) return;
  calls_.reset();
  stub_.reset();
}

void RemotePlace::wait_end() {
  if (process_ != nullptr && !process_->wait_end(kEndPatience)) {
    if (stopped_) spdlog::warn("{} has not ended {} ms after the run, and is terminated", who(), kEndPatience.count());
    process_->terminate();
  }
  if (board_ != nullptr) board_->terminate();
}

void RemotePlace::sample(std::span<link::LinkCounters> counters) {
  v1::MetricsRequest request;
  request.set_run_id(run_id_);
  v1::MetricsResponse response;
  if (!calls_->metrics(request, response, kSamplePatience).ok()) return;
  store(response.channels(), counters);
  keep(response.partitions());
  keep(response.metrics());
}

bool RemotePlace::ask_partitions() {
  v1::MetricsRequest request;
  request.set_run_id(run_id_);
  request.set_partitions_only(true);
  v1::MetricsResponse response;
  if (!calls_->metrics(request, response, kSamplePatience).ok()) return false;
  keep(response.partitions());
  return true;
}

void RemotePlace::keep(const google::protobuf::RepeatedPtrField<v1::PartitionReport>& partitions) {
  partitions_.assign(partitions.begin(), partitions.end());
  // A board does not know what the user calls it.
  for (v1::PartitionReport& partition : partitions_) partition.set_place(name());
}

void RemotePlace::keep(const observe::MetricReports& metrics) {
  metrics_.Clear();
  observe::MetricReporter reporter(metrics_, true);
  observe::send_metrics(metrics, name(), reporter);
}

void RemotePlace::store(const google::protobuf::RepeatedPtrField<v1::ChannelCounters>& from,
                        std::span<link::LinkCounters> to) const {
  for (const v1::ChannelCounters& counted : from) {
    // A place counts only on its own channels.
    if (counted.channel() >= to.size()) continue;
    const int32_t source = plan_.source_partition(static_cast<int32_t>(counted.channel()));
    if (plan_.partitions[source].place != index_) continue;
    to[counted.channel()].words.set(counted.words());
    to[counted.channel()].packets.set(counted.packets());
    to[counted.channel()].credit_stall_cycles.set(counted.credit_stall_cycles());
  }
}

}  // namespace fabrictwin::bridges::caller
