// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A worker for FabricTwin in one file, to be read from top to bottom beside docs/bridge-protocol.md, whose sections are
// in the comments. It simulates one router of a torus (router.h) and uses gRPC, bridge.proto, and nothing else.
#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "fabrictwin/v1/bridge.grpc.pb.h"
#include "router.h"

namespace own {
namespace {

namespace v1 = fabrictwin::v1;

constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

// ---- Section 3: the record.

enum Kind : uint8_t { kPromise = 1, kBurst = 2, kCredit = 3, kEnd = 5 };
enum Flag : uint8_t { kHeader = 1, kFooter = 2 };

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

void put(const Record& record, std::string& blob) {
  blob.append(reinterpret_cast<const char*>(&record), sizeof record);
}

// ---- Section 1: time. Edge k of a clock is at floor(k * n / d).

class Clock {
 public:
  Clock(int64_t n = 1, int64_t d = 1) : n_(n), d_(d) {}
  int64_t edge(int64_t k) const { return static_cast<int64_t>(static_cast<__int128>(k) * n_ / d_); }
  // The first edge at or after a time: the least k with k * n >= time * d.
  int64_t at_or_after(int64_t time) const {
    return static_cast<int64_t>((static_cast<__int128>(time) * d_ + n_ - 1) / n_);
  }

 private:
  int64_t n_, d_;
};

// ---- A port: what arrives waits for its clock edge, what leaves waits until it can be told.

struct Arrival {
  int64_t cycle = 0;  // The edge at which it is sampled.
  int vc = 0;
  Flit flit;
  int credits = 0;
};

struct Leaving {
  int64_t time = 0;  // When it leaves; it arrives a latency later.
  Record record;
};

struct Port {
  bool connected = false;
  std::string name;
  uint32_t in = 0, out = 0;  // Channels.
  int64_t latency = 0;
  Clock words;
  // What comes in.
  int64_t last = 0, promised = 0;  // The last stamp, and the promise.
  bool ended = false;
  std::deque<Arrival> flits, credits;
  int64_t flit_cycle = -1, credit_cycle = -1;  // The last edges at which something was sampled.
  uint64_t consumed = 0;
  // What goes out.
  int64_t slot = -1, ready = 0;  // The slot of the last word, and the first cycle at which the next can leave.
  std::deque<Leaving> leaving_flits, leaving_credits;
  uint64_t sent = 0, sent_words = 0, sent_packets = 0;
};

// ---- Section 4: the router in time.

class Machine {
 public:
  grpc::Status configure(const v1::ConfigureRequest& request) {
    if (request.partitions_size() != 1 || request.partitions(0).elements_size() != 1)
      return {grpc::UNIMPLEMENTED, "this worker simulates one router"};
    const v1::ElementConfig& element = request.partitions(0).elements(0);
    if (request.partitions(0).implementation() != v1::RTL || element.type() != "exanet_router" ||
        !element.routes().empty())
      return {grpc::UNIMPLEMENTED, element.name() + ": only routers of a torus, type exanet_router, as RTL are here"};
    if (element.clock_numerator() <= 0 || element.clock_denominator() <= 0 || element.dims_size() == 0 ||
        element.dims_size() != element.coordinates_size())
      return {grpc::INVALID_ARGUMENT, element.name() + ": no clock, or no position in a lattice"};
    partition_ = request.partitions(0).id();
    name_ = element.name();
    clock_ = Clock(element.clock_numerator(), element.clock_denominator());
    Router::Config config{{element.dims().begin(), element.dims().end()},
                          {element.coordinates().begin(), element.coordinates().end()},
                          element.buffer_words(),
                          std::vector<int>(static_cast<size_t>(1 + 2 * element.dims_size()))};
    ports_ = std::vector<Port>(config.credits.size());
    for (const v1::PortConfig& from : element.ports()) {
      if (from.port() < 0 || from.port() >= static_cast<int>(ports_.size()) || from.latency_fs() <= 0 ||
          from.word_clock_numerator() <= 0 || from.word_clock_denominator() <= 0)
        return {grpc::INVALID_ARGUMENT, name_ + ": there is no such port, or its link has no latency or clock"};
      Port& port = ports_[static_cast<size_t>(from.port())];
      port.connected = true;
      port.name = name_ + "." + from.name();
      port.in = from.inbound_channel();
      port.out = from.outbound_channel();
      port.latency = from.latency_fs();
      port.words = Clock(from.word_clock_numerator(), from.word_clock_denominator());
      config.credits[static_cast<size_t>(from.port())] = from.initial_credits();
    }
    router_ = std::make_unique<Router>(std::move(config));
    cycle_ = reached_ = 0;
    return grpc::Status::OK;
  }

  // Takes over the records of a request.
  grpc::Status take(const std::string& blob) {
    if (blob.size() % sizeof(Record) != 0) return {grpc::DATA_LOSS, "records are 64 bytes each"};
    for (size_t at = 0; at < blob.size(); at += sizeof(Record)) {
      Record record;
      std::memcpy(&record, &blob[at], sizeof record);
      const auto port = std::find_if(ports_.begin(), ports_.end(),
                                     [&](const Port& each) { return each.connected && each.in == record.channel; });
      if (port == ports_.end())
        return {grpc::DATA_LOSS, "a record on channel " + std::to_string(record.channel) + ", which does not end here"};
      if (const char* wrong = check(*port, record)) {
        return {grpc::DATA_LOSS, port->name + " at " + std::to_string(record.stamp) + " fs: " + wrong};
      }
      port->last = record.stamp;
      port->promised = std::max(port->promised, record.stamp);
      if (record.kind == kEnd) {
        port->ended = true;
        port->promised = kNever;
      }
      if (record.kind == kBurst || record.kind == kCredit) arrive(*port, record);
    }
    return grpc::Status::OK;
  }

  // Goes as far as the promises allow, and says what came of it.
  grpc::Status advance(v1::RunResponse& response) {
    int64_t until = kNever;
    for (const Port& port : ports_)
      if (port.connected) until = std::min(until, port.promised);
    run(until);
    if (!router_->failure().empty())
      return {grpc::INTERNAL, name_ + " at " + std::to_string(clock_.edge(cycle_)) + " fs: " + router_->failure()};
    reached_ = std::max(reached_, until);
    for (Port& port : ports_) {
      if (!port.connected) continue;
      tell(port, until, *response.mutable_records());
      if (until < kNever - port.latency)
        put({.channel = port.out, .kind = kPromise, .stamp = until + port.latency}, *response.mutable_records());
    }
    add_row(*response.add_rows());
    return grpc::Status::OK;
  }

  template <class Response>
  void count(Response& response) const {
    for (const Port& port : ports_) {
      if (!port.connected) continue;
      v1::ChannelCounters& counters = *response.add_channels();
      counters.set_channel(port.out);
      counters.set_words(port.sent_words);
      counters.set_packets(port.sent_packets);
    }
    v1::PartitionReport& partition = *response.add_partitions();
    partition.set_name(name_);
    partition.set_kind("RTL");
  }

 private:
  // What is wrong with a record, or null.
  static const char* check(const Port& port, const Record& record) {
    if (port.ended) return "a record after the end of the channel";
    if (record.stamp < 0) return "bit 63 of a stamp is zero in a stream";
    if (record.stamp < port.last) return "time goes backwards";
    if (record.kind == kPromise || record.kind == kEnd) return nullptr;
    if (record.stamp < port.promised) return "comes after it was promised that nothing would";
    if (record.kind != kBurst && record.kind != kCredit) return "a kind of record that this link does not carry";
    if (record.vc >= kVcs) return "there is no such VC";
    if (record.count == 0 || (record.kind == kBurst && record.count > 3)) return "a wrong count";
    const int64_t leaves = record.stamp - port.latency;
    if (record.kind == kBurst && (leaves <= 0 || port.words.edge(port.words.at_or_after(leaves)) != leaves))
      return "off the word clock";
    return nullptr;
  }

  // The words of a burst arrive one by one; each waits for the first edge at or after its arrival, one at an edge.
  void arrive(Port& port, const Record& record) {
    ++port.consumed;
    if (record.kind == kCredit) {
      port.credit_cycle = std::max(clock_.at_or_after(record.stamp), port.credit_cycle + 1);
      port.credits.push_back({port.credit_cycle, record.vc, {}, record.count});
      return;
    }
    const int64_t first = port.words.at_or_after(record.stamp - port.latency);
    for (int w = 0; w < record.count; ++w) {
      const int64_t arrives = port.words.edge(first + w) + port.latency;
      port.flit_cycle = std::max(clock_.at_or_after(arrives), port.flit_cycle + 1);
      const size_t at = 2 * static_cast<size_t>(w);
      const Flit flit{{record.words[at], record.words[at + 1]},
                      w == 0 && (record.flags & kHeader) != 0,
                      w + 1 == record.count && (record.flags & kFooter) != 0};
      port.flits.push_back({port.flit_cycle, record.vc, flit, 0});
    }
  }

  // The next edge at which something happens.
  int64_t next_cycle() const {
    if (!router_->idle()) return cycle_;
    int64_t next = kNever;
    for (const Port& port : ports_) {
      if (!port.flits.empty()) next = std::min(next, port.flits.front().cycle);
      if (!port.credits.empty()) next = std::min(next, port.credits.front().cycle);
    }
    return next;
  }

  // Simulates all edges before a time.
  void run(int64_t until) {
    const int64_t end = until == kNever ? kNever : clock_.at_or_after(until);
    while (cycle_ < end && router_->failure().empty()) {
      const int64_t next = next_cycle();
      if (next >= end) {
        if (end != kNever) cycle_ = end;
        return;
      }
      cycle_ = std::max(cycle_, next);
      step();
      ++cycle_;
    }
  }

  void step() {
    std::vector<bool> ready;
    for (const Port& port : ports_) ready.push_back(cycle_ >= port.ready);
    router_->edge(ready);
    for (int p = 0; p < router_->ports(); ++p) {
      Port& port = ports_[static_cast<size_t>(p)];
      const Router::Out& out = router_->out(p);
      if (out.sends) send(port, out);
      if (out.credits > 0) {
        const int64_t leaves = clock_.edge(cycle_ + 1);
        port.leaving_credits.push_back({leaves,
                                        {.channel = port.out,
                                         .kind = kCredit,
                                         .vc = static_cast<uint8_t>(out.credit_vc),
                                         .count = static_cast<uint8_t>(out.credits),
                                         .stamp = leaves + port.latency}});
      }
      // What is sampled at this edge is in the router from the next one on.
      for (; !port.credits.empty() && port.credits.front().cycle == cycle_; port.credits.pop_front())
        router_->credit(p, port.credits.front().vc, port.credits.front().credits);
      for (; !port.flits.empty() && port.flits.front().cycle == cycle_; port.flits.pop_front())
        router_->receive(p, port.flits.front().vc, port.flits.front().flit);
    }
  }

  // A word takes the next free slot of its link. The link takes the next word when the slot after that begins before
  // the next edge.
  void send(Port& port, const Router::Out& out) {
    port.slot = std::max(port.words.at_or_after(clock_.edge(cycle_)), port.slot + 1);
    const int64_t leaves = port.words.edge(port.slot + 1);
    port.ready = std::max(cycle_ + 1, clock_.at_or_after(leaves + 1) - 1);
    Record record{.channel = port.out,
                  .kind = kBurst,
                  .vc = static_cast<uint8_t>(out.vc),
                  .count = 1,
                  .flags = static_cast<uint8_t>((out.flit.header ? kHeader : 0) | (out.flit.footer ? kFooter : 0)),
                  .stamp = leaves + port.latency};
    record.words[0] = out.flit.word[0];
    record.words[1] = out.flit.word[1];
    port.leaving_flits.push_back({leaves, record});
  }

  // What leaves before T is told, in the order of stamps; the rest may have to stand behind what is not known yet.
  static void tell(Port& port, int64_t until, std::string& blob) {
    while (true) {
      auto& flits = port.leaving_flits;
      auto& credits = port.leaving_credits;
      const bool flit = !flits.empty() && (credits.empty() || flits.front().time < credits.front().time);
      std::deque<Leaving>& queue = flit ? flits : credits;
      if (queue.empty() || queue.front().time >= until) return;
      const Record& record = queue.front().record;
      put(record, blob);
      ++port.sent;
      if (flit) ++port.sent_words;
      if (flit && (record.flags & kFooter) != 0) ++port.sent_packets;
      queue.pop_front();
    }
  }

  // Counts are in the order of channel numbers.
  void add_row(v1::SyncRow& row) const {
    const int64_t cycle = next_cycle();
    int64_t next = cycle == kNever ? kNever : clock_.edge(cycle);
    std::map<uint32_t, uint64_t> consumed, sent;
    for (const Port& port : ports_) {
      if (!port.connected) continue;
      if (!port.leaving_flits.empty()) next = std::min(next, port.leaving_flits.front().time);
      if (!port.leaving_credits.empty()) next = std::min(next, port.leaving_credits.front().time);
      consumed[port.in] = port.consumed;
      sent[port.out] = port.sent;
    }
    row.set_partition(partition_);
    row.set_now_fs(reached_);
    row.set_next_event_fs(next);
    for (const auto& [channel, number] : consumed) row.add_consumed(number);
    for (const auto& [channel, number] : sent) row.add_sent(number);
  }

  int32_t partition_ = 0;
  std::string name_;
  Clock clock_;
  std::unique_ptr<Router> router_;
  std::vector<Port> ports_;
  int64_t cycle_ = 0;    // The next edge.
  int64_t reached_ = 0;  // T.
};

// ---- Section 2: the calls. Each comes on a thread of its own.

class Worker final : public v1::Bridge::Service {
  grpc::Status Hello(grpc::ServerContext*, const v1::HelloRequest* request, v1::HelloResponse* response) override {
    if (request->min_version() > 1 || request->max_version() < 1)
      return {grpc::FAILED_PRECONDITION, "the caller speaks versions " + std::to_string(request->min_version()) +
                                             " to " + std::to_string(request->max_version()) + ", this worker 1 to 1"};
    response->set_min_version(1);
    response->set_max_version(1);
    response->set_software("own_worker");
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
    if (request->transport() != v1::BRIDGE_TRANSPORT_STREAM) return {grpc::UNIMPLEMENTED, "only the stream is here"};
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
        if (status.ok()) status = machine_.advance(response);
      }
      response.set_consumed(request.number());
      if (!status.ok() || !stream->Write(response)) break;
    } while (stream->Read(&request));  // False when the caller half-closes the stream, or has gone.
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

  std::mutex mutex_;  // Guards all of this.
  State state_ = State::kFree;
  std::string run_;
  Machine machine_;
};

}  // namespace
}  // namespace own

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: own_worker ADDRESS, as unix:PATH or HOST:PORT\n");
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
    std::fprintf(stderr, "own_worker: cannot listen at %s\n", argv[1]);
    return 1;
  }
  std::printf("own_worker: listens at %s\n", argv[1]);
  std::fflush(stdout);
  server->Wait();
}
