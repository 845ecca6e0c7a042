// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/board/service.h"

#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <iterator>
#include <thread>
#include <utility>

#include "bridges/protocol/protocol.h"
#include "bridges/protocol/rpc_status.h"
#include "cosim/base/text.h"
#include "cosim/observe/repeats.h"
#include "fmt/format.h"

namespace fabrictwin::bridges::board {
namespace {

// The time in which a board must build its element: Verilated ones take milliseconds, hardware none.
constexpr std::chrono::seconds kBoardPatience{30};
constexpr std::chrono::milliseconds kLook{50};

const metric::Counter kLate{
    {.name = "fabrictwin_board_late_total",
     .help = "Arrivals that a board sampled after their edge, and edges that were due while an earlier "
             "one still was, because its clock does not wait for the run",
     .labels = {"partition"},
     .order = 565}};

/// The bridge's name for an element type.
std::string type_name(uint32_t type) {
  switch (type) {
    case kBoardExanetRouter:
      return "exanet_router";
    case kBoardExanetNode:
      return "exanet_node";
    case kBoardExternalRouter:
      return "external_router";
    default:
      return "any";
  }
}

/// What links of an external router carry.
link::LinkType words_of(const v1::ElementConfig& element) {
  return {
      .vcs = element.vcs(), .word_bits = element.words().word_bits(), .credit_words = element.words().credit_words()};
}

}  // namespace

Service::Service(Window& window, int32_t ports, shell::ClockMode clock, bool once, server::ServerEnd& end)
    : window_(window),
      registers_(window.registers()),
      ports_(ports),
      clock_(clock),
      once_(once),
      end_(end),
      // The run number must be one that the board has not used before, even with an earlier agent.
      run_(std::max(registers_.control.run.load(), registers_.status.run.load())) {}

grpc::Status Service::Hello(grpc::ServerContext*, const v1::HelloRequest* request, v1::HelloResponse* response) {
  const absl::Status versions =
      protocol::check_versions("the caller", request->min_version(), request->max_version(), request->software());
  if (!versions.ok()) return protocol::to_grpc(versions);
  *response = protocol::make_hello_response();
  response->add_implementations(v1::BOARD);
  response->add_transports(v1::BRIDGE_TRANSPORT_STREAM);
  return grpc::Status::OK;
}

grpc::Status Service::Describe(grpc::ServerContext*, const v1::DescribeRequest*, v1::DescribeResponse* response) {
  const std::lock_guard lock(mutex_);
  v1::DescribeResponse::Board& board = *response->mutable_board();
  board.set_element_type(type_name(registers_.identity.element_type));
  for (int32_t port = 0; port < ports_; ++port) board.add_ports(fmt::format("port{}", port));
  board.set_link_kind(std::string(name_of(clock_)));
  if (state_ == State::kRunning) response->set_run_id(run_id_);
  return grpc::Status::OK;
}

grpc::Status Service::Configure(grpc::ServerContext*, const v1::ConfigureRequest* request, v1::ConfigureResponse*) {
  const std::lock_guard lock(mutex_);
  if (state_ == State::kRunning)
    return {grpc::StatusCode::UNAVAILABLE, fmt::format("the board is busy with run {}", run_id_)};
  if (request->run_id().empty() || request->partitions_size() != 1 || request->partitions(0).elements_size() != 1) {
    return {grpc::StatusCode::INVALID_ARGUMENT, "a board is one element of one run"};
  }
  if (absl::Status status = command(0); !status.ok()) return protocol::to_grpc(status);
  if (absl::Status status = write_registers(request->partitions(0).elements(0)); !status.ok())
    return protocol::to_grpc(status);
  absl::StatusOr<std::vector<Channel>> channels = window_.channels();
  if (!channels.ok()) return protocol::to_grpc(channels.status());
  channels_ = *std::move(channels);
  run_id_ = request->run_id();
  partition_ = request->partitions(0).id();
  name_ = request->partitions(0).name();
  state_ = State::kConfigured;
  return grpc::Status::OK;
}

absl::Status Service::write_registers(const v1::ElementConfig& element) {
  const auto refuse = [&](const std::string& what) {
    return absl::UnimplementedError(fmt::format("{}: this board {}", element.name(), what));
  };
  const uint32_t is = registers_.identity.element_type;
  uint32_t wanted = kBoardExanetRouter;
  while (wanted <= kBoardExternalRouter && (wanted == kBoardAny || type_name(wanted) != element.type())) ++wanted;
  const bool external = wanted == kBoardExternalRouter;
  if (is == kBoardAny ? wanted >= kBoardAny : wanted != is)
    return refuse(fmt::format("cannot be a {}", element.type()));
  if (external && !is_possible(words_of(element)))
    return refuse(fmt::format(
        "is told of links with {} VCs, words of {} bits and credits for {} words; there are 1 to {} "
        "VCs, words of 32, 64 and 128 bits, credits for 1 to {} words",
        element.vcs(), element.words().word_bits(), element.words().credit_words(), kMostVcs, kMostCreditWords));
  if (element.dims_size() > kBoardDims || element.coordinates_size() != element.dims_size()) {
    return refuse(fmt::format("has {} dimensions, the lattice {}", kBoardDims, element.dims_size()));
  }
  if (const size_t space = board_routes(window_.ports()); element.routes().size() > space) {
    return refuse(fmt::format("has space for {} routes, and the network needs {}", space, element.routes().size()));
  }
  for (const v1::PortConfig& port : element.ports()) {
    if (port.port() < 0 || port.port() >= ports_) return refuse(fmt::format("has no port {}", port.port()));
  }
  ConfigRegisters& config = registers_.config;
  window_.clear_configuration();
  config.element_type = wanted;
  config.address = external ? static_cast<uint32_t>(element.node()) : element.address();
  if (external) {
    config.word_bits = static_cast<uint8_t>(element.words().word_bits());
    config.vcs = static_cast<uint8_t>(element.vcs());
    config.credit_words = static_cast<uint8_t>(element.words().credit_words());
  }
  config.tile_bits = element.tile_bits();
  config.x_bits = element.x_bits();
  config.y_bits = element.y_bits();
  std::fill(std::begin(config.dims), std::end(config.dims), 1);
  std::copy(element.dims().begin(), element.dims().end(), config.dims);
  std::copy(element.coordinates().begin(), element.coordinates().end(), config.coordinates);
  config.route_destinations = static_cast<uint32_t>(element.route_destinations());
  window_.set_routes({reinterpret_cast<const uint8_t*>(element.routes().data()), element.routes().size()});
  element.name().copy(config.name, sizeof config.name - 1);
  config.clock_numerator = element.clock_numerator();
  config.clock_denominator = element.clock_denominator();
  config.mark_threshold_words = element.marking().threshold_words();
  config.mark_rate = element.marking().marking_rate();
  config.mark_least_words = element.marking().least_words();
  config.mark_hosts = element.marking().hosts() ? 1 : 0;
  for (const v1::PortConfig& from : element.ports()) {
    PortRegisters& port = window_.port(from.port());
    port.enabled = 1;
    port.initial_credits = static_cast<uint32_t>(from.initial_credits());
    port.to_host = from.to_host() ? 1 : 0;
    port.channel_to_board = from.inbound_channel();
    port.channel_from_board = from.outbound_channel();
    port.latency_fs = from.latency_fs();
    port.word_clock_numerator = from.word_clock_numerator();
    port.word_clock_denominator = from.word_clock_denominator();
  }
  return absl::OkStatus();
}

absl::Status Service::command(uint32_t run) {
  Pulse pulse(window_);
  registers_.control.run.store(run, std::memory_order_release);
  registers_.control_bell.ring();
  const auto deadline = std::chrono::steady_clock::now() + kBoardPatience;
  while (std::chrono::steady_clock::now() < deadline) {
    if (absl::Status status = pulse.check(run); !status.ok()) return status;
    const uint32_t ticket = registers_.agent_bell.prepare();
    const bool there = registers_.status.run.load(std::memory_order_acquire) == run;
    if (!there) registers_.agent_bell.sleep(ticket, kLook);
    registers_.agent_bell.done();
    if (there) return absl::OkStatus();
  }
  return absl::DeadlineExceededError("the board does not react");
}

grpc::Status Service::Connect(grpc::ServerContext*, const v1::ConnectRequest* request, v1::ConnectResponse*) {
  const std::lock_guard lock(mutex_);
  if (absl::Status status = check_run(request->run_id()); !status.ok()) return protocol::to_grpc(status);
  if (state_ != State::kConfigured) return {grpc::StatusCode::FAILED_PRECONDITION, "the run is already connected"};
  if (request->transport() != v1::BRIDGE_TRANSPORT_STREAM) {
    return {grpc::StatusCode::UNIMPLEMENTED, "the records of a board travel in the stream"};
  }
  // Run number zero means no run.
  if (++run_ == 0) ++run_;
  if (absl::Status status = command(run_); !status.ok()) return protocol::to_grpc(status);
  state_ = State::kConnected;
  return grpc::Status::OK;
}

grpc::Status Service::Run(grpc::ServerContext* context,
                          grpc::ServerReaderWriter<v1::RunResponse, v1::RunRequest>* stream) {
  v1::RunRequest request;
  if (!stream->Read(&request)) return {grpc::StatusCode::FAILED_PRECONDITION, "the stream has no first message"};
  std::unique_ptr<Stream> board;
  {
    const std::lock_guard lock(mutex_);
    if (absl::Status status = check_run(request.run_id()); !status.ok()) return protocol::to_grpc(status);
    if (state_ != State::kConnected)
      return {grpc::StatusCode::FAILED_PRECONDITION, "the run is not connected, or has been run"};
    state_ = State::kRunning;
    start_ = std::chrono::steady_clock::now();
    ++runs_;
    board = std::make_unique<Stream>(window_, channels_, partition_, run_);
  }
  absl::Status board_status;
  std::jthread writer([&] {
    v1::RunResponse response;
    while (true) {
      const absl::StatusOr<bool> more = board->take(response);
      if (!more.ok()) {
        board_status = absl::Status(more.status().code(), fmt::format("{} at simulated {}", message_of(more.status()),
                                                                      to_string(board->now())));
        break;
      }
      if (!*more || !stream->Write(response)) return;
    }
    // The caller must be told of the failure, since this stream ends only when the caller ends it.
    response.Clear();
    response.set_error_code(static_cast<int32_t>(board_status.code()));
    response.set_error_message(std::string(message_of(board_status)));
    stream->Write(response);
  });
  absl::Status status;
  do {
    status = board->put(request);
  } while (status.ok() && stream->Read(&request));
  board->end();
  writer.join();
  if (status.ok()) status = board_status;
  const std::lock_guard lock(mutex_);
  state_ = State::kEnded;
  remember();
  // A caller that has disappeared will not call Stop.
  if (context->IsCancelled()) {
    registers_.control.run.store(0, std::memory_order_release);
    registers_.control_bell.ring();
    if (once_) end_.request();
  }
  return protocol::to_grpc(status);
}

grpc::Status Service::Metrics(grpc::ServerContext*, const v1::MetricsRequest* request, v1::MetricsResponse* response) {
  const std::lock_guard lock(mutex_);
  if (absl::Status status = check_run(request->run_id()); !status.ok()) return protocol::to_grpc(status);
  if (state_ != State::kRunning) return grpc::Status::OK;
  measure(*response->mutable_partitions());
  if (request->partitions_only()) return grpc::Status::OK;
  measure(*response->mutable_channels());
  measure(*response->mutable_metrics());
  return grpc::Status::OK;
}

grpc::Status Service::Stop(grpc::ServerContext*, const v1::StopRequest* request, v1::StopResponse* response) {
  absl::Status status;
  {
    const std::lock_guard lock(mutex_);
    if (absl::Status run = check_run(request->run_id()); !run.ok()) return protocol::to_grpc(run);
    if (state_ == State::kRunning)
      return {grpc::StatusCode::FAILED_PRECONDITION, "the run is going on; end its stream first"};
    status = command(0);
    if (status.ok()) {
      measure(*response->mutable_channels());
      measure(*response->mutable_partitions());
      measure(*response->mutable_metrics());
    }
    if (state_ == State::kEnded) remember();
    run_id_.clear();
    state_ = State::kFree;
  }
  if (once_) end_.request();
  return protocol::to_grpc(status);
}

void Service::measure(google::protobuf::RepeatedPtrField<v1::ChannelCounters>& channels) const {
  for (const Channel& channel : channels_) {
    if (channel.to_board) continue;
    const link::LinkCounters& counters = window_.counters(channel.port);
    v1::ChannelCounters& out = *channels.Add();
    out.set_channel(channel.spec.id);
    out.set_words(counters.words.get());
    out.set_packets(counters.packets.get());
    out.set_credit_stall_cycles(counters.credit_stall_cycles.get());
  }
}

void Service::measure(google::protobuf::RepeatedPtrField<v1::PartitionReport>& partitions) const {
  const Status& status = registers_.status;
  v1::PartitionReport& partition = *partitions.Add();
  partition.set_name(name_);
  partition.set_kind("BOARD");
  partition.set_events(status.events.get());
  const double busy = static_cast<double>(status.busy_ns.get()) * 1e-9;
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start_;
  partition.set_busy_seconds(busy);
  partition.set_wait_seconds(std::max(0.0, wall.count() - busy));
  partition.set_records_in(status.records_in.get());
  partition.set_records_out(status.records_out.get());
}

void Service::measure(observe::MetricReports& metrics) const {
  observe::MetricReporter reporter(metrics, true);
  const Status& status = registers_.status;
  if (status.counts_repeats.load(std::memory_order_acquire) != 0) {
    observe::measure({.messages = status.repeated_messages.get(), .blocks = status.repeated_blocks.get()}, reporter);
  }
  if (clock_ == shell::ClockMode::kGated) return;
  reporter.add(kLate, static_cast<double>(status.late.get()), {name_});
}

void Service::remember() {
  last_.Clear();
  measure(last_);
}

server::ServiceState Service::state() {
  const std::lock_guard lock(mutex_);
  if (state_ == State::kRunning) remember();
  return {state_ == State::kRunning ? run_id_ : "", runs_, last_};
}

absl::Status Service::check_run(const std::string& run_id) const {
  if (!run_id.empty() && run_id == run_id_) return absl::OkStatus();
  return absl::FailedPreconditionError(fmt::format("this board is not configured for run {}", run_id));
}

}  // namespace fabrictwin::bridges::board
