// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A worker for routers of one's own, written from docs/bridge-protocol.md and bridge.proto alone: gRPC, records and
// promises. usage: own_router_worker ADDRESS        ADDRESS: unix:PATH or HOST:PORT
#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "fabrictwin/v1/bridge.grpc.pb.h"
#include "model.h"

namespace own {
namespace {

namespace v1 = fabrictwin::v1;

constexpr int64_t kNever = std::numeric_limits<int64_t>::max();
enum Kind : uint8_t { kPromise = 1, kBurst = 2, kCredit = 3, kEnd = 5 };

// The record of section 3.
struct Record {
  std::array<uint64_t, 6> words{};
  uint32_t channel = 0;
  uint8_t kind = 0;
  uint8_t vc = 0;
  uint8_t count = 0;
  uint8_t flags = 0;
  int64_t stamp = 0;
};
static_assert(sizeof(Record) == 64);

// Edge k is at floor(k * n / d).
class Clock {
 public:
  Clock(int64_t n = 1, int64_t d = 1) : n_(n), d_(d) {}
  int64_t edge(int64_t k) const { return static_cast<int64_t>(static_cast<__int128>(k) * n_ / d_); }
  int64_t at_or_after(int64_t time) const {
    auto k = static_cast<int64_t>(static_cast<__int128>(time) * d_ / n_);
    while (k > 0 && edge(k - 1) >= time) --k;
    while (edge(k) < time) ++k;
    return k;
  }

 private:
  int64_t n_, d_;
};

// Something that leaves or arrives: at one time credits go before words.
using Stamped = std::multimap<std::pair<int64_t, int>, Record>;

struct Arrival {
  int64_t cycle = 0;
  Record record;  // One word or credit.
};

struct Port {
  bool connected = false;
  uint32_t in = 0, out = 0;  // Channels.
  int64_t latency = 0;
  Clock words;
  int64_t slot = -1;           // The slot of the last word that left.
  int64_t ready = 0;           // The first cycle at which a word can leave.
  int64_t sampled[2]{-1, -1};  // The last cycles at which a word and credits were sampled.
  std::deque<Arrival> coming[2];
  Stamped leaving;
  int64_t last = 0, promise = 0;  // The last stamp and the promise of the channel that comes in.
  bool ended = false;
  uint64_t consumed = 0, sent = 0, sent_words = 0, sent_packets = 0;
};

struct Router {
  int partition = 0;
  std::string name;
  Model model;
  std::vector<Port> ports;
};

// All routers of this place, in one order of time.
class Machine {
 public:
  grpc::Status configure(const v1::ConfigureRequest& request) {
    routers_.clear();
    ends_.clear();
    cycle_ = 0;
    reached_ = 0;
    for (const v1::PartitionConfig& partition : request.partitions()) {
      for (const v1::ElementConfig& element : partition.elements()) {
        if (grpc::Status status = add(partition, element); !status.ok()) return status;
      }
    }
    return grpc::Status::OK;
  }

  grpc::Status take(const std::string& blob) {
    if (blob.size() % sizeof(Record) != 0) return {grpc::DATA_LOSS, "records are 64 bytes each"};
    for (size_t at = 0; at < blob.size(); at += sizeof(Record)) {
      Record record;
      std::memcpy(&record, &blob[at], sizeof record);
      const auto end = ends_.find(record.channel);
      if (end == ends_.end() || is_inner(*end->second))
        return {grpc::DATA_LOSS, "a record for channel " + std::to_string(record.channel)};
      Port& port = *end->second;
      if (const char* wrong = check(port, record))
        return {grpc::DATA_LOSS,
                "channel " + std::to_string(record.channel) + " at " + std::to_string(record.stamp) + " fs: " + wrong};
      port.last = record.stamp;
      port.ended = record.kind == kEnd;
      port.promise = port.ended ? kNever : std::max(port.promise, record.stamp);
      if (record.kind == kBurst || record.kind == kCredit) arrive(port, record);
    }
    return grpc::Status::OK;
  }

  // Goes as far as the promises allow, and says what came of it.
  void advance(v1::RunResponse& response) {
    int64_t horizon = kNever;
    for (const auto& router : routers_)
      for (const Port& port : router->ports)
        if (port.connected && !is_inner(port)) horizon = std::min(horizon, port.promise);
    if (horizon > reached_) {
      run(horizon);
      reached_ = horizon;
    }
    std::string& blob = *response.mutable_records();
    for (const auto& router : routers_) {
      for (Port& port : router->ports) {
        if (!port.connected || is_inner(port)) continue;
        emit(port, horizon, blob);
        if (horizon != kNever) put({.channel = port.out, .kind = kPromise, .stamp = horizon + port.latency}, blob);
      }
    }
    for (const auto& router : routers_) add_row(*router, *response.add_rows());
  }

  template <class Response>
  void count(Response& response) const {
    for (const auto& router : routers_) {
      for (const Port& port : router->ports) {
        if (!port.connected) continue;
        v1::ChannelCounters& counters = *response.add_channels();
        counters.set_channel(port.out);
        counters.set_words(port.sent_words);
        counters.set_packets(port.sent_packets);
      }
    }
  }

 private:
  grpc::Status add(const v1::PartitionConfig& partition, const v1::ElementConfig& element) {
    const v1::LinkWords& words = element.words();
    if (element.type() != "external_router" || element.dims_size() != 2 || element.vcs() != kVcs ||
        words.word_bits() != 64 || words.credit_words() != 1)
      return {grpc::UNIMPLEMENTED, element.name() + ": only routers of a 2D torus with 4 VCs of 64-bit words are here"};
    std::array<int, kPorts> credits{};
    std::vector<Port> ports(kPorts);
    for (const v1::PortConfig& config : element.ports()) {
      if (config.port() < 0 || config.port() >= kPorts)
        return {grpc::UNIMPLEMENTED, element.name() + ": too many ports"};
      Port& port = ports[static_cast<size_t>(config.port())];
      port.connected = true;
      port.in = config.inbound_channel();
      port.out = config.outbound_channel();
      port.latency = config.latency_fs();
      port.words = Clock(config.word_clock_numerator(), config.word_clock_denominator());
      credits[static_cast<size_t>(config.port())] = config.initial_credits();
    }
    clock_ = Clock(element.clock_numerator(), element.clock_denominator());
    routers_.push_back(std::make_unique<Router>(
        Router{partition.id(), element.name(),
               Model({element.coordinates(0), element.coordinates(1)}, {element.dims(0), element.dims(1)}, credits),
               std::move(ports)}));
    for (Port& port : routers_.back()->ports)
      if (port.connected) ends_[port.in] = &port;
    return grpc::Status::OK;
  }

  // What is wrong with a record, or null.
  static const char* check(const Port& port, const Record& record) {
    if (port.ended) return "a record after the end of the channel";
    if (record.stamp < port.last) return "time goes backwards";
    if (record.kind == kPromise || record.kind == kEnd) return nullptr;
    if (record.stamp < port.promise) return "comes after it was promised that nothing would";
    if (record.kind != kBurst && record.kind != kCredit) return "a kind of record that this link does not carry";
    if (record.vc >= kVcs) return "there is no such VC";
    if (record.count == 0 || (record.kind == kBurst && record.count > 3)) return "a wrong count";
    const int64_t leaves = record.stamp - port.latency;
    if (record.kind == kBurst && (leaves <= 0 || port.words.edge(port.words.at_or_after(leaves)) != leaves))
      return "off the word clock";
    return nullptr;
  }

  // The channel that it sends on ends here, too.
  bool is_inner(const Port& port) const { return ends_.contains(port.out); }

  // The words of a burst arrive one by one; each waits for the first edge at or after its arrival.
  void arrive(Port& port, const Record& record) {
    ++port.consumed;
    const bool words = record.kind == kBurst;
    const int64_t first = words ? port.words.at_or_after(record.stamp - port.latency) : 0;
    for (int i = 0; i < (words ? record.count : 1); ++i) {
      Record one = record;
      if (words) {
        one.words[0] = record.words[2 * static_cast<size_t>(i)];
        one.stamp = port.words.edge(first + i) + port.latency;
        one.flags =
            static_cast<uint8_t>((i == 0 ? record.flags & 1 : 0) | (i + 1 == record.count ? record.flags & 2 : 0));
      }
      int64_t& last = port.sampled[words ? 0 : 1];
      last = std::max(clock_.at_or_after(one.stamp), last + 1);
      port.coming[words ? 0 : 1].push_back({last, one});
    }
  }

  // The next cycle in which something happens.
  int64_t next_cycle(const Router& router) const {
    if (!router.model.idle()) return cycle_;
    int64_t next = kNever;
    for (const Port& port : router.ports)
      for (const auto& queue : port.coming)
        if (!queue.empty()) next = std::min(next, queue.front().cycle);
    return next;
  }

  void run(int64_t until) {
    const int64_t end = until == kNever ? kNever : clock_.at_or_after(until);
    while (cycle_ < end) {
      int64_t next = kNever;
      for (const auto& router : routers_) next = std::min(next, next_cycle(*router));
      if (next >= end) {
        if (end != kNever) cycle_ = end;
        return;
      }
      cycle_ = std::max(cycle_, next);
      for (const auto& router : routers_)
        if (next_cycle(*router) <= cycle_) step(*router);
      ++cycle_;
    }
  }

  void step(Router& router) {
    std::array<In, kPorts> in{};
    for (int p = 0; p < kPorts; ++p) {
      Port& port = router.ports[static_cast<size_t>(p)];
      if (!port.connected) continue;
      sample(port, in[static_cast<size_t>(p)]);
      in[static_cast<size_t>(p)].ready = cycle_ >= port.ready;
      const Out& out = router.model.out(p);
      if (out.valid && in[static_cast<size_t>(p)].ready) send(port, out.flit);
    }
    router.model.edge(in);
    for (int p = 0; p < kPorts; ++p) {
      Port& port = router.ports[static_cast<size_t>(p)];
      const int vc = router.model.out(p).credit_vc;
      if (!port.connected || vc < 0) continue;
      const int64_t leaves = clock_.edge(cycle_ + 1);
      leave(port, leaves,
            {.channel = port.out,
             .kind = kCredit,
             .vc = static_cast<uint8_t>(vc),
             .count = 1,
             .stamp = leaves + port.latency});
    }
  }

  void sample(Port& port, In& in) {
    if (auto& words = port.coming[0]; !words.empty() && words.front().cycle == cycle_) {
      const Record& word = words.front().record;
      in.valid = true;
      in.flit = {(word.flags & 1) != 0, (word.flags & 2) != 0, word.vc, word.words[0]};
      words.pop_front();
    }
    if (auto& credits = port.coming[1]; !credits.empty() && credits.front().cycle == cycle_) {
      in.credits = credits.front().record.count;
      in.credit_vc = credits.front().record.vc;
      credits.pop_front();
    }
  }

  // A word takes the next free slot of the link, and the one after it may leave when that is over before the next edge.
  void send(Port& port, const Flit& flit) {
    port.slot = std::max(port.words.at_or_after(clock_.edge(cycle_)), port.slot + 1);
    const int64_t leaves = port.words.edge(port.slot + 1);
    port.ready = std::max(cycle_ + 1, clock_.at_or_after(leaves + 1) - 1);
    Record record{.channel = port.out,
                  .kind = kBurst,
                  .vc = static_cast<uint8_t>(flit.vc),
                  .count = 1,
                  .flags = static_cast<uint8_t>((flit.first ? 1 : 0) | (flit.last ? 2 : 0)),
                  .stamp = leaves + port.latency};
    record.words[0] = flit.data;
    leave(port, leaves, record);
    ++port.sent_words;
    if (flit.last) ++port.sent_packets;
  }

  // Words of a port leave in the order of their slots and credits in that of cycles, so what stays here need not wait.
  void leave(Port& port, int64_t leaves, const Record& record) {
    if (!is_inner(port)) {
      port.leaving.emplace(std::pair(leaves, record.kind == kBurst ? 1 : 0), record);
      return;
    }
    ++port.sent;
    arrive(*ends_.at(port.out), record);
  }

  static void put(const Record& record, std::string& blob) {
    blob.append(reinterpret_cast<const char*>(&record), sizeof record);
  }

  // What leaves before the horizon is final.
  static void emit(Port& port, int64_t horizon, std::string& blob) {
    while (!port.leaving.empty() && port.leaving.begin()->first.first < horizon) {
      ++port.sent;
      put(port.leaving.begin()->second, blob);
      port.leaving.erase(port.leaving.begin());
    }
  }

  void add_row(const Router& router, v1::SyncRow& row) const {
    row.set_partition(router.partition);
    row.set_now_fs(reached_);
    const int64_t cycle = next_cycle(router);
    int64_t next = cycle == kNever ? kNever : clock_.edge(cycle);
    std::map<uint32_t, uint64_t> consumed, sent;
    for (const Port& port : router.ports) {
      if (!port.connected) continue;
      if (!port.leaving.empty()) next = std::min(next, port.leaving.begin()->first.first);
      for (const auto& queue : port.coming)
        if (!queue.empty()) next = std::min(next, queue.front().record.stamp);
      consumed[port.in] = port.consumed;
      sent[port.out] = port.sent;
    }
    row.set_next_event_fs(next);
    for (const auto& [channel, count] : consumed) row.add_consumed(count);
    for (const auto& [channel, count] : sent) row.add_sent(count);
  }

  Clock clock_;
  std::vector<std::unique_ptr<Router>> routers_;
  std::map<uint32_t, Port*> ends_;  // By channel, where it comes in.
  int64_t cycle_ = 0;               // The next edge.
  int64_t reached_ = 0;
};

class Worker final : public v1::Bridge::Service {
  grpc::Status Hello(grpc::ServerContext*, const v1::HelloRequest* request, v1::HelloResponse* response) override {
    if (request->min_version() > 1 || request->max_version() < 1)
      return {grpc::FAILED_PRECONDITION, "speaks version 1, the caller " + std::to_string(request->min_version()) +
                                             " to " + std::to_string(request->max_version())};
    response->set_min_version(1);
    response->set_max_version(1);
    response->set_software("own_router_worker");
    response->add_implementations(v1::RTL);
    response->add_transports(v1::BRIDGE_TRANSPORT_STREAM);
    return grpc::Status::OK;
  }
  grpc::Status Describe(grpc::ServerContext*, const v1::DescribeRequest*, v1::DescribeResponse* response) override {
    const std::lock_guard lock(mutex_);
    response->mutable_worker()->set_threads(1);
    if (state_ == State::kRunning) response->set_run_id(run_);
    return grpc::Status::OK;
  }
  grpc::Status Configure(grpc::ServerContext*, const v1::ConfigureRequest* request, v1::ConfigureResponse*) override {
    const std::lock_guard lock(mutex_);
    if (state_ == State::kRunning) return {grpc::UNAVAILABLE, "busy with run " + run_};
    state_ = State::kFree;
    run_.clear();
    if (grpc::Status status = machine_.configure(*request); !status.ok()) return status;
    run_ = request->run_id();
    state_ = State::kConfigured;
    return grpc::Status::OK;
  }
  grpc::Status Connect(grpc::ServerContext*, const v1::ConnectRequest* request, v1::ConnectResponse*) override {
    const std::lock_guard lock(mutex_);
    if (grpc::Status status = check(request->run_id(), state_ == State::kConfigured); !status.ok()) return status;
    state_ = State::kConnected;
    return grpc::Status::OK;
  }
  grpc::Status Run(grpc::ServerContext*, grpc::ServerReaderWriter<v1::RunResponse, v1::RunRequest>* stream) override {
    v1::RunRequest request;
    if (!stream->Read(&request)) return {grpc::FAILED_PRECONDITION, "the stream has no first message"};
    {
      const std::lock_guard lock(mutex_);
      if (grpc::Status status = check(request.run_id(), state_ == State::kConnected); !status.ok()) return status;
      state_ = State::kRunning;
    }
    grpc::Status status;
    do {
      v1::RunResponse response;
      {
        const std::lock_guard lock(mutex_);
        status = machine_.take(request.records());
        if (status.ok()) machine_.advance(response);
      }
      response.set_consumed(request.number());
      if (!status.ok() || !stream->Write(response)) break;
    } while (stream->Read(&request));
    const std::lock_guard lock(mutex_);
    state_ = State::kEnded;
    return status;
  }
  grpc::Status Metrics(grpc::ServerContext*, const v1::MetricsRequest* request,
                       v1::MetricsResponse* response) override {
    const std::lock_guard lock(mutex_);
    if (grpc::Status status = check(request->run_id(), true); !status.ok()) return status;
    machine_.count(*response);
    return grpc::Status::OK;
  }
  grpc::Status Stop(grpc::ServerContext*, const v1::StopRequest* request, v1::StopResponse* response) override {
    const std::lock_guard lock(mutex_);
    if (grpc::Status status = check(request->run_id(), state_ != State::kRunning); !status.ok()) return status;
    machine_.count(*response);
    run_.clear();
    state_ = State::kFree;
    return grpc::Status::OK;
  }

  // Whether this call is for the run that is here, and in turn.
  grpc::Status check(const std::string& run, bool in_turn) const {
    if (run_.empty() || run != run_) return {grpc::FAILED_PRECONDITION, "this worker is not configured for run " + run};
    return in_turn ? grpc::Status::OK : grpc::Status(grpc::FAILED_PRECONDITION, "the call is not in turn");
  }

  enum class State { kFree, kConfigured, kConnected, kRunning, kEnded };

  std::mutex mutex_;  // Metrics come from other threads.
  State state_ = State::kFree;
  std::string run_;
  Machine machine_;
};

}  // namespace
}  // namespace own

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: own_router_worker ADDRESS, as unix:PATH or HOST:PORT\n");
    return 2;
  }
  own::Worker worker;
  grpc::ServerBuilder builder;
  builder.AddListeningPort(argv[1], grpc::InsecureServerCredentials());
  builder.SetMaxReceiveMessageSize(-1);
  builder.AddChannelArgument("grpc.http2.bdp_probe", 0);
  builder.RegisterService(&worker);
  const std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (server == nullptr) {
    std::fprintf(stderr, "own_router_worker: cannot listen at %s\n", argv[1]);
    return 1;
  }
  std::printf("own_router_worker: listens at %s\n", argv[1]);
  std::fflush(stdout);
  server->Wait();
}
