// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/ip/program.h"

#include <algorithm>

#include "fmt/format.h"

namespace fabrictwin::ip {
namespace {

using host::ip::Datagram;
using host::ip::Kind;
using host::ip::SocketOptions;
using host::ip::Stack;

/// With a window of a single segment, each is acknowledged: otherwise nobody would go on.
SocketOptions options_of(const StreamSpec& spec) {
  SocketOptions options{.window = spec.window};
  if (spec.window < int64_t{options.segments_for_acknowledgement} * spec.datagram)
    options.segments_for_acknowledgement = 1;
  return options;
}

/// Sends all datagrams of a stream, one after the other.
class StreamSource final : public Program {
 public:
  StreamSource(uint32_t flow, const StreamSpec& spec, StreamResult& result, Stack& stack)
      : flow_(flow), spec_(spec), result_(result), stack_(stack) {}

  void begin() override {
    stack_.open(flow_, options_of(spec_));
    stack_.sleep(flow_, spec_.start);
  }
  void slept(Time /*now*/) override { send(); }
  void sent() override {
    ++result_.sent;
    if (result_.sent < spec_.datagrams()) send();
  }
  bool done() const override {
    return result_.sent == spec_.datagrams() && (spec_.window == 0 || stack_.acknowledged(flow_) == spec_.bytes);
  }
  std::string waits_for() const override {
    return fmt::format("to send {} of {} datagrams to host {}", spec_.datagrams() - result_.sent, spec_.datagrams(),
                       spec_.destination);
  }

 private:
  void send() {
    stack_.send({.kind = spec_.window > 0 ? Kind::kSegment : Kind::kUdp,
                 .last = result_.sent + 1 == spec_.datagrams(),
                 .flow = flow_,
                 .number = result_.sent,
                 .bytes = spec_.bytes_of(result_.sent),
                 .source = spec_.source,
                 .destination = spec_.destination});
  }

  uint32_t flow_;
  const StreamSpec& spec_;
  StreamResult& result_;
  Stack& stack_;
};

/// Reads what comes of a stream.
class StreamSink final : public Program {
 public:
  StreamSink(uint32_t flow, const StreamSpec& spec, State& state, Stack& stack)
      : flow_(flow), spec_(spec), state_(state), result_(state.streams[flow]), stack_(stack) {}

  void begin() override {
    stack_.open(flow_, options_of(spec_));
    stack_.receive(flow_);
  }
  void received(const Datagram& datagram, Time now) override {
    ++result_.received;
    result_.bytes += static_cast<uint64_t>(datagram.bytes);
    result_.last = now;
    state_.ended.fetch_add(1, std::memory_order_relaxed);
    if (!done()) stack_.receive(flow_);
  }
  void dropped() override {
    ++result_.dropped;
    state_.ended.fetch_add(1, std::memory_order_relaxed);
  }
  bool done() const override { return result_.received + result_.dropped == spec_.datagrams(); }
  std::string waits_for() const override {
    return fmt::format("for {} of {} datagrams from host {}", spec_.datagrams() - result_.received - result_.dropped,
                       spec_.datagrams(), spec_.source);
  }

 private:
  uint32_t flow_;
  const StreamSpec& spec_;
  State& state_;
  StreamResult& result_;
  Stack& stack_;
};

/// Sends echo requests and waits for each reply.
class PingSource final : public Program {
 public:
  PingSource(uint32_t flow, const PingSpec& spec, State& state, PingResult& result, Stack& stack)
      : flow_(flow), spec_(spec), state_(state), result_(result), stack_(stack) {}

  void begin() override {
    stack_.open(flow_, {});
    stack_.sleep(flow_, spec_.start);
  }
  void slept(Time now) override {
    began_ = now;
    stack_.send({.kind = Kind::kEchoRequest,
                 .flow = flow_,
                 .number = result_.sent,
                 .bytes = spec_.bytes,
                 .source = spec_.source,
                 .destination = spec_.destination});
    ++result_.sent;
  }
  void sent() override { stack_.receive(flow_); }
  void received(const Datagram& /*datagram*/, Time now) override {
    result_.round_trips.add((now - began_).fs());
    state_.ended.fetch_add(1, std::memory_order_relaxed);
    if (!done()) stack_.sleep(flow_, std::max(now, began_ + spec_.interval));
  }
  bool done() const override { return result_.round_trips.count() == static_cast<uint64_t>(spec_.count); }
  std::string waits_for() const override {
    return fmt::format("for {} of {} replies from host {}",
                       static_cast<uint64_t>(spec_.count) - result_.round_trips.count(), spec_.count,
                       spec_.destination);
  }

 private:
  uint32_t flow_;
  const PingSpec& spec_;
  State& state_;
  PingResult& result_;
  Stack& stack_;
  Time began_;
};

/// The kernel of a host replies by itself; this only counts.
class PingTarget final : public Program {
 public:
  explicit PingTarget(const PingSpec& spec) : spec_(spec) {}

  void begin() override {}
  void replied() override { ++replies_; }
  bool done() const override { return replies_ == spec_.count; }
  std::string waits_for() const override {
    return fmt::format("for {} of {} requests from host {}", spec_.count - replies_, spec_.count, spec_.source);
  }

 private:
  const PingSpec& spec_;
  int32_t replies_ = 0;
};

}  // namespace

std::vector<std::unique_ptr<Program>> programs_of(int32_t host, State& state, Stack& stack) {
  std::vector<std::unique_ptr<Program>> programs(state.spec.streams.size() + state.spec.pings.size());
  for (uint32_t flow = 0; flow < state.spec.streams.size(); ++flow) {
    const StreamSpec& spec = state.spec.streams[flow];
    if (spec.source == host) programs[flow] = std::make_unique<StreamSource>(flow, spec, state.streams[flow], stack);
    if (spec.destination == host) programs[flow] = std::make_unique<StreamSink>(flow, spec, state, stack);
  }
  for (size_t i = 0; i < state.spec.pings.size(); ++i) {
    const PingSpec& spec = state.spec.pings[i];
    const uint32_t flow = state.flow_of_ping(i);
    if (spec.source == host) programs[flow] = std::make_unique<PingSource>(flow, spec, state, state.pings[i], stack);
    if (spec.destination == host) programs[flow] = std::make_unique<PingTarget>(spec);
  }
  return programs;
}

}  // namespace fabrictwin::ip
