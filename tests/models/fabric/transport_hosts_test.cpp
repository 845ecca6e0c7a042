// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/fabric/transport_hosts.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "cosim/observe/digest.h"

namespace fabrictwin::fabric {
namespace {

using nic::NicPacket;
using Offer = Client::Offer;

constexpr int64_t kNanosecond = 1'000'000;
constexpr int64_t kPacketTime = 8 * 1048 * 10'000;  ///< Of 1048 bytes at 100 Gbit/s, in femtoseconds.

/// A network that notes what hosts ask of it.
class NotedEdge final : public TransportEdge {
 public:
  void wake(int32_t host, int32_t /*port*/, int64_t at) override { woken[host] = at; }
  void schedule(int32_t /*host*/, int64_t at, uint32_t id) override { events.emplace_back(at, id); }
  int64_t duration(int32_t, int32_t, int32_t bytes) const override { return int64_t{80'000} * bytes; }
  Path path(int32_t, int32_t, int32_t, const Train& train) const override {
    return {2'000 * kNanosecond + train.packets * duration(0, 0, train.bytes) + 2 * duration(0, 0, train.last), 1};
  }
  Soonest soonest(int32_t source, int32_t port, int32_t destination, uint32_t, const Train& train) const override {
    return {path(source, port, destination, Train::of_one(train.bytes)).time,
            path(source, port, destination, train).time, one_path};
  }
  int64_t link_rate(int32_t, int32_t) const override { return 100'000'000'000; }
  uint32_t make_path_record() override { return 1; }
  congestion::PathRecord& path_record(uint32_t) override { return record; }
  void drop_path_record(uint32_t) override { ++dropped; }
  void send_aside(const NicPacket& packet, int64_t at) override { asides.emplace_back(at, packet); }

  std::map<int32_t, int64_t> woken;
  std::vector<std::pair<int64_t, uint32_t>> events;
  std::vector<std::pair<int64_t, NicPacket>> asides;
  congestion::PathRecord record;
  int dropped = 0;
  bool one_path = true;
};

/// Flows with a rate and a window that a test sets.
struct SetFlow final : congestion::FlowControl {
  SetFlow(const Path& path, double rate, int64_t window) : FlowControl(path) {
    rate_ = rate;
    window_ = window;
  }
};

class SetScheme final : public congestion::Scheme {
 public:
  SetScheme(double rate, int64_t window) : rate_(rate), window_(window) {}
  std::string_view name() const override { return "set"; }
  std::unique_ptr<congestion::FlowControl> make_flow(const congestion::FlowControl::Path& path) const override {
    round_trip = path.round_trip;
    return std::make_unique<SetFlow>(path, rate_, window_);
  }
  bool notifies(congestion::ReceiverState&, bool marked, int64_t) const override { return marked; }

  mutable int64_t round_trip = 0;

 private:
  double rate_;
  int64_t window_;
};

/// Flows whose first packet has a record, and which say goodbye with another one. They make up for delays.
struct AskingFlow final : congestion::FlowControl {
  explicit AskingFlow(const Path& path) : FlowControl(path) {
    rate_ = 25e9;
    catches_up_ = 8 * kPacketTime;
  }
  void begin(congestion::PathRecord& record) override {
    record.allotments.leaving = leaving;
    records_ = false;
  }
  bool leaves() override { return leaving = true; }
  bool leaving = false;
};

class AskingScheme final : public congestion::Scheme {
 public:
  std::string_view name() const override { return "asking"; }
  std::unique_ptr<congestion::FlowControl> make_flow(const congestion::FlowControl::Path& path) const override {
    switches = path.switches;
    payload = path.payload;
    return std::make_unique<AskingFlow>(path);
  }
  bool telemetry() const override { return true; }
  int32_t extra_bytes() const override { return 8; }

  mutable int32_t switches = 0;
  mutable int32_t payload = 0;
};

/// A process that notes which of its flows are acknowledged.
class Noted final : public host::HostProcess {
 public:
  using HostProcess::HostProcess;
  bool finished() const override { return false; }
  Time finish_time() const override { return {}; }
  std::string waits_for() const override { return {}; }
  std::vector<uint64_t> acknowledged;

 protected:
  void begin() override {}
  void on_message(const nic::IncomingMessage&) override {}
  void on_sent(uint64_t) override {}
  void on_acknowledged(uint64_t cookie, Time) override { acknowledged.push_back(cookie); }
  void decide() override {}
};

class TransportHostsTest : public ::testing::Test {
 protected:
  /// Three hosts of one port.
  TransportHosts& make(const congestion::Scheme* scheme, v1::Transport::Arbitration arbitration,
                       int64_t acknowledgement = 64, int64_t delay = 0) {
    TransportHosts::Config config;
    config.transport = {.header = 48, .acknowledgement = acknowledgement, .arbitration = arbitration};
    config.transport.acknowledgement_delay = Time::from_fs(delay);
    config.payload = 1000;
    config.scheme = scheme;
    config.flow_bytes = bytes_;
    hosts_ = std::make_unique<TransportHosts>(std::vector<int32_t>{1, 1, 1}, config, digests_,
                                              std::move(Hosts::Messages::create(1)[0]));
    hosts_->bind_edge(&edge_);
    hosts_->bind_transport(&edge_);
    for (int32_t node = 0; node < 3; ++node) {
      auto process = std::make_unique<Noted>(node);
      processes_.push_back(process.get());
      hosts_->add_process(std::move(process));
    }
    return *hosts_;
  }

  void send_flow(int32_t destination, uint64_t bytes, uint64_t number, Time stop = Time::never(),
                 bool repeats = false) {
    nic::OutgoingMessage message;
    message.destination = destination;
    message.envelope.bytes = bytes - sizeof(nic::Envelope);
    message.envelope.user[1] = number;
    message.cookie = number + 1;
    message.flow = true;
    message.stop = stop;
    message.repeats = repeats;
    hosts_->send_message(0, message);
  }

  NicPacket take(int64_t now, int32_t host = 0) {
    NicPacket packet;
    const Offer offer = hosts_->next_packet(host, 0, now, 1 << 20, packet);
    EXPECT_TRUE(offer == Offer::kTaken || offer == Offer::kLast);
    return packet;
  }
  bool nothing(int64_t now) {
    NicPacket packet;
    return hosts_->next_packet(0, 0, now, 1 << 20, packet) == Offer::kNothing;
  }

  NotedEdge edge_;
  std::vector<observe::EndpointDigest> digests_ = std::vector<observe::EndpointDigest>(3);
  std::vector<uint64_t> bytes_ = std::vector<uint64_t>(4);
  std::vector<Noted*> processes_;
  std::unique_ptr<TransportHosts> hosts_;
};

TEST_F(TransportHostsTest, AnswersToQueuePairsThatDoNotExistAreNotKnown) {
  TransportHosts& hosts = make(nullptr, v1::Transport::ROUND_ROBIN);
  hosts.be_apart({true, false, false}, false);
  NicPacket answer{.source = 1, .destination = 0, .message = 0, .kind = NicPacket::Kind::kAck};
  EXPECT_FALSE(hosts.knows(answer)) << "host 0 has not sent";
  send_flow(1, 2000, 0);
  EXPECT_TRUE(hosts.knows(answer));
  answer.kind = NicPacket::Kind::kNotice;
  answer.message = 1;
  EXPECT_FALSE(hosts.knows(answer));
  answer.destination = 2;
  EXPECT_TRUE(hosts.knows(answer)) << "its own partition knows what it has sent";
  answer.kind = NicPacket::Kind::kReadRequest;
  EXPECT_FALSE(hosts.knows(answer)) << "nothing is read";
  answer.kind = NicPacket::Kind::kData;
  EXPECT_TRUE(hosts.knows(answer));
  answer.destination_port = 1;
  EXPECT_FALSE(hosts.knows(answer));
}

TEST_F(TransportHostsTest, QueuePairsTakeTurnsOrTheOldestGoesFirst) {
  for (const bool turns : {true, false}) {
    make(nullptr, turns ? v1::Transport::ROUND_ROBIN : v1::Transport::OLDEST_FIRST);
    send_flow(1, 2000, 0);
    send_flow(2, 2000, 1);
    std::vector<int32_t> order;
    for (int i = 0; i < 4; ++i) order.push_back(take(i * kPacketTime).destination);
    EXPECT_EQ(order, turns ? (std::vector<int32_t>{1, 2, 1, 2}) : (std::vector<int32_t>{1, 1, 2, 2}));
    EXPECT_TRUE(nothing(4 * kPacketTime));
  }
}

TEST_F(TransportHostsTest, PacketsAreAcknowledgedAndFlowsEndWithTheLastOne) {
  TransportHosts& hosts = make(nullptr, v1::Transport::ROUND_ROBIN);
  send_flow(1, 1500, 3);
  const NicPacket first = take(0);
  const NicPacket last = take(kPacketTime);
  EXPECT_EQ(first.wire_bytes, 1048);
  EXPECT_EQ(last.wire_bytes, 548);
  EXPECT_TRUE(nothing(2 * kPacketTime));
  hosts.packet_arrived(5 * kPacketTime, first);
  EXPECT_EQ(bytes_[3], 1000);
  hosts.packet_arrived(6 * kPacketTime, last);
  EXPECT_EQ(bytes_[3], 1500);
  EXPECT_EQ(edge_.woken[1], 6 * kPacketTime);
  for (const NicPacket& of : {first, last}) {
    const NicPacket acknowledgement = take(7 * kPacketTime, 1);
    EXPECT_EQ(acknowledgement.kind, NicPacket::Kind::kAck);
    EXPECT_EQ(acknowledgement.destination, 0);
    EXPECT_EQ(acknowledgement.wire_bytes, 64);
    EXPECT_EQ(acknowledgement.user, of.user) << "it returns when the packet left";
    EXPECT_TRUE(processes_[0]->acknowledged.empty());
    hosts.packet_arrived(9 * kPacketTime, acknowledgement);
    hosts.settle(9 * kPacketTime);
  }
  EXPECT_EQ(processes_[0]->acknowledged, std::vector<uint64_t>{4});
  EXPECT_EQ(hosts.control().acknowledgements, 2);
  EXPECT_EQ(hosts.control().bytes, 128);
}

TEST_F(TransportHostsTest, RatesSpacePackets) {
  const SetScheme scheme(25e9, congestion::FlowControl::kUnlimited);
  make(&scheme, v1::Transport::ROUND_ROBIN);
  send_flow(1, 3000, 0);
  EXPECT_EQ(scheme.round_trip, 2 * 2'000 * kNanosecond + 2 * 80'000 * (1048 + 64));
  take(0);
  EXPECT_TRUE(nothing(kPacketTime));
  // At a quarter of the rate of the link.
  EXPECT_NEAR(static_cast<double>(edge_.woken[0]), 4.0 * kPacketTime, 2);
  EXPECT_TRUE(nothing(4 * kPacketTime - 1000));
  take(4 * kPacketTime + 10);
}

TEST_F(TransportHostsTest, WindowsHoldPacketsBackUntilAcknowledgements) {
  const SetScheme scheme(100e9, 2500);
  TransportHosts& hosts = make(&scheme, v1::Transport::ROUND_ROBIN);
  send_flow(1, 5000, 0);
  const NicPacket first = take(0);
  take(kPacketTime);
  EXPECT_TRUE(nothing(2 * kPacketTime)) << "3000 bytes would be in flight";
  hosts.packet_arrived(5 * kPacketTime, first);
  hosts.packet_arrived(9 * kPacketTime, take(6 * kPacketTime, 1));
  take(9 * kPacketTime);
  EXPECT_TRUE(nothing(10 * kPacketTime));
}

TEST_F(TransportHostsTest, AWindowOfLessThanAPacketAllowsOne) {
  const SetScheme scheme(100e9, 10);
  make(&scheme, v1::Transport::ROUND_ROBIN);
  send_flow(1, 5000, 0);
  take(0);
  EXPECT_TRUE(nothing(kPacketTime));
}

TEST_F(TransportHostsTest, PausedPortsSendControlPacketsOnly) {
  const SetScheme scheme(100e9, congestion::FlowControl::kUnlimited);
  TransportHosts& hosts = make(&scheme, v1::Transport::ROUND_ROBIN);
  send_flow(1, 2000, 0);
  NicPacket data = take(0);
  data.flags |= NicPacket::kMarked;
  NicPacket reversed = data;
  std::swap(reversed.source, reversed.destination);
  // Host 0 receives a packet itself, as if host 1 had sent it.
  hosts.packet_arrived(kPacketTime, reversed);
  NicPacket packet;
  EXPECT_NE(hosts.next_packet(0, 0, 2 * kPacketTime, -1, packet), Offer::kTooLarge);
  EXPECT_EQ(packet.kind, NicPacket::Kind::kAck);
  EXPECT_NE(packet.flags & NicPacket::kMarked, 0);
  EXPECT_NE(hosts.next_packet(0, 0, 3 * kPacketTime, -1, packet), Offer::kTooLarge);
  EXPECT_EQ(packet.kind, NicPacket::Kind::kNotice) << "the packet had a mark";
  EXPECT_EQ(hosts.next_packet(0, 0, 4 * kPacketTime, -1, packet), Offer::kTooLarge);
  EXPECT_EQ(hosts.control().marks, 1);
  EXPECT_EQ(hosts.control().notices, 1);
}

TEST_F(TransportHostsTest, AcknowledgementsWithoutBytesGoAside) {
  TransportHosts& hosts = make(nullptr, v1::Transport::ROUND_ROBIN, 0);
  send_flow(1, 1000, 0);
  hosts.packet_arrived(100 * kNanosecond, take(0));
  ASSERT_EQ(edge_.asides.size(), 1u);
  EXPECT_EQ(edge_.asides[0].first, 100 * kNanosecond + edge_.path(1, 0, 0, TransportEdge::Train::of_one(16)).time);
  EXPECT_EQ(hosts.control().bytes, 0);
}

// A side band with a latency, which is in what schemes and slowdowns take for the time of an empty network.
TEST_F(TransportHostsTest, AcknowledgementsWithoutBytesMayTakeLonger) {
  TransportHosts& hosts = make(nullptr, v1::Transport::ROUND_ROBIN, 0, 700 * kNanosecond);
  send_flow(1, 1000, 0);
  const NicPacket data = take(0);
  hosts.packet_arrived(100 * kNanosecond, data);
  ASSERT_EQ(edge_.asides.size(), 1u);
  EXPECT_EQ(edge_.asides[0].first, 800 * kNanosecond + edge_.path(1, 0, 0, TransportEdge::Train::of_one(16)).time);
}

// What packets carry for a scheme counts where they carry it.
TEST_F(TransportHostsTest, SchemesSayWhichPacketsHaveRecords) {
  const AskingScheme scheme;
  TransportHosts& hosts = make(&scheme, v1::Transport::ROUND_ROBIN);
  send_flow(1, 2000, 0);
  EXPECT_EQ(scheme.switches, 1);
  EXPECT_EQ(scheme.payload, 1000);
  const NicPacket asks = take(0);
  EXPECT_EQ(asks.wire_bytes, 1056);
  EXPECT_NE(asks.flags & NicPacket::kTelemetry, 0);
  EXPECT_FALSE(edge_.record.allotments.leaving);
  const NicPacket other = take(5 * kPacketTime);
  EXPECT_EQ(other.wire_bytes, 1048);
  EXPECT_EQ(other.flags & NicPacket::kTelemetry, 0);
  for (const NicPacket& packet : {asks, other}) {
    hosts.packet_arrived(8 * kPacketTime, packet);
    const NicPacket acknowledgement = take(8 * kPacketTime, 1);
    EXPECT_EQ(acknowledgement.wire_bytes, packet.wire_bytes == 1056 ? 72 : 64);
    EXPECT_TRUE(nothing(8 * kPacketTime));
    hosts.packet_arrived(9 * kPacketTime, acknowledgement);
    EXPECT_EQ(edge_.dropped, 1) << "only one had a record";
  }
  const NicPacket goodbye = take(9 * kPacketTime);
  EXPECT_EQ(goodbye.kind, NicPacket::Kind::kNotice);
  EXPECT_EQ(goodbye.destination, 1);
  EXPECT_EQ(goodbye.wire_bytes, 57);
  EXPECT_TRUE(edge_.record.allotments.leaving);
  hosts.packet_arrived(10 * kPacketTime, goodbye);
  EXPECT_EQ(edge_.dropped, 2);
  EXPECT_EQ(hosts.control().notices, 1);
}

TEST_F(TransportHostsTest, SchemesMakeUpForDelaysInTheHost) {
  const AskingScheme scheme;
  make(&scheme, v1::Transport::ROUND_ROBIN);
  send_flow(1, 9000, 0);
  take(0);
  const int64_t gap = 4 * kPacketTime;
  const int64_t first = gap * 1056 / 1048;
  EXPECT_TRUE(nothing(first - 1000));
  // The port has sent something else for the time of three packets.
  take(first + 3 * kPacketTime);
  EXPECT_TRUE(nothing(first + gap - 1000));
  take(first + gap + 1000);
  // Of twenty packets, eight are made up for: two gaps.
  const int64_t late = first + 2 * gap + 20 * kPacketTime;
  for (int i = 0; i < 3; ++i) take(late + i * 100);
  EXPECT_TRUE(nothing(late + gap - 1000));
  take(late + gap + 1000);
}

// A flow that waited for its turn when its stop came once sent from an empty queue.
TEST_F(TransportHostsTest, FlowsThatAreStoppedWhileTheyWaitSendNothing) {
  TransportHosts& hosts = make(nullptr, v1::Transport::ROUND_ROBIN);
  const Time stop = Time::from_fs(10 * kPacketTime);
  send_flow(1, nic::OutgoingMessage::kEndless + sizeof(nic::Envelope), 0, stop);
  ASSERT_EQ(edge_.events.size(), 1u);
  EXPECT_EQ(edge_.events[0].first, stop.fs());
  hosts.event(stop.fs(), edge_.events[0].second);
  hosts.settle(stop.fs());
  EXPECT_EQ(processes_[0]->acknowledged, std::vector<uint64_t>{1}) << "nothing of it is on its way";
  EXPECT_TRUE(nothing(stop.fs()));
}

TEST_F(TransportHostsTest, AStoppedFlowEndsWhenAllThatItSentHasArrived) {
  TransportHosts& hosts = make(nullptr, v1::Transport::ROUND_ROBIN);
  const Time stop = Time::from_fs(kPacketTime);
  send_flow(1, nic::OutgoingMessage::kEndless + sizeof(nic::Envelope), 0, stop);
  const NicPacket sent = take(0);
  hosts.event(stop.fs(), edge_.events[0].second);
  hosts.settle(stop.fs());
  EXPECT_TRUE(processes_[0]->acknowledged.empty());
  EXPECT_TRUE(nothing(stop.fs()));
  hosts.packet_arrived(2 * kPacketTime, sent);
  hosts.packet_arrived(3 * kPacketTime, take(2 * kPacketTime, 1));
  hosts.settle(3 * kPacketTime);
  EXPECT_EQ(processes_[0]->acknowledged, std::vector<uint64_t>{1});
}

// So rates go on where they were, and memory does not grow.
TEST_F(TransportHostsTest, FlowsThatRepeatKeepTheirQueuePair) {
  TransportHosts& hosts = make(nullptr, v1::Transport::ROUND_ROBIN);
  const auto round = [&](int64_t at) {
    send_flow(1, 500, 0, Time::never(), true);
    const NicPacket sent = take(at);
    hosts.packet_arrived(at + kPacketTime, sent);
    hosts.packet_arrived(at + 2 * kPacketTime, take(at + kPacketTime, 1));
    hosts.settle(at + 2 * kPacketTime);
    return sent.message_bytes;
  };
  const uint32_t pair = round(0);
  EXPECT_EQ(round(4 * kPacketTime), pair);
  EXPECT_EQ(processes_[0]->acknowledged, (std::vector<uint64_t>{1, 1}));
  EXPECT_EQ(bytes_[0], 1000u);
  // After one that is stopped, the next one ends with its own last byte.
  const Time stop = Time::from_fs(9 * kPacketTime);
  send_flow(1, nic::OutgoingMessage::kEndless + sizeof(nic::Envelope), 0, stop, true);
  hosts.event(stop.fs(), edge_.events.back().second);
  hosts.settle(stop.fs());
  EXPECT_EQ(processes_[0]->acknowledged.size(), 3u);
  EXPECT_TRUE(nothing(stop.fs()));
  EXPECT_EQ(round(20 * kPacketTime), pair);
  EXPECT_EQ(processes_[0]->acknowledged.size(), 4u);
  // Another flow has another one.
  send_flow(1, 500, 1, Time::never(), true);
  EXPECT_NE(take(30 * kPacketTime).message_bytes, pair);
}

}  // namespace
}  // namespace fabrictwin::fabric
