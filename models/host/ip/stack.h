// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The network stack of one host, with the program that carries packets between its TUN device and its network
// interface.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <queue>
#include <vector>

#include "cosim/base/time.h"
#include "models/host/ip/costs.h"
#include "models/host/ip/packet.h"
#include "models/host/ip/reassembly.h"
#include "models/host/ip/socket.h"

namespace fabrictwin::host::ip {

/// A state machine of threads that each have a processor of their own: the programs, each with one socket; the reader,
/// which takes packets from the TUN device and hands them to the network interface; and the writer, which takes
/// packets that have arrived and writes them to the TUN device, so that the kernel handles them. A thread without work
/// sleeps. docs/models/ip-over-exanet.md has the equations. Whoever owns it keeps the time: set_time() and whatever has
/// come by then, then run(). Not thread-safe.
class Stack {
 public:
  /// Whom it tells, from within run(). What it asks for in these calls begins at once.
  class Owner {
   public:
    virtual ~Owner() = default;
    /// A packet goes to the network interface. Its end is told by transferred().
    virtual void transmit(const Packet& packet) = 0;
    /// The call that sends has returned.
    virtual void sent(uint32_t flow) = 0;
    /// The call that receives has returned.
    virtual void received(const Datagram& datagram) = 0;
    /// A datagram found its socket full, or there is no such socket.
    virtual void dropped(const Datagram& datagram) = 0;
    /// An echo request has been replied to.
    virtual void replied(const Datagram& request) = 0;
    /// The time of sleep() has come.
    virtual void slept(uint32_t flow) = 0;
  };

  /// `owner` outlives it.
  Stack(const Costs& costs, Owner& owner) : costs_(costs), owner_(owner) {}

  /// Opens a socket for one end of a flow; each flow has one here.
  void open(uint32_t flow, const SocketOptions& options) { sockets_[flow].options = options; }
  /// The program sends: the call takes a passage, once there is space in its socket.
  void send(const Datagram& datagram);
  /// The program receives: the call takes a passage, once there is a datagram.
  void receive(uint32_t flow);
  /// The program sleeps until `time`, not in the past.
  void sleep(uint32_t flow, Time time) { schedule(time, Event::Kind::kSlept, flow); }

  /// Never decreases; what was due before it has been run.
  void set_time(Time now) { now_ = now; }
  /// A packet has arrived.
  void arrived(const Packet& packet);
  /// A packet that went to the network interface has left.
  void transferred();
  /// Does all that is due.
  void run();
  /// When run() has something to do next; never() if nothing.
  Time next() const { return events_.empty() ? Time::never() : events_.top().at; }

  /// The user's bytes of segments of a flow that have been acknowledged.
  int64_t acknowledged(uint32_t flow) const;

  /// Nothing is in the TUN device or on its way to the network interface, and nothing that has arrived is unread by the
  /// writer.
  bool idle() const { return leaving_.empty() && under_way_ == 0 && arrivals_.empty(); }
  const Costs& costs() const { return costs_; }

 private:
  enum class Thread : uint8_t { kSleeps, kWakes, kWorks, kWaits };
  struct Event {
    enum class Kind : uint8_t {
      kReaderAwake,
      kReaderDone,
      kWriterAwake,
      kWriterDone,
      kSenderAwake,
      kSendDone,
      kReceiverAwake,
      kReceiveDone,
      kSlept
    };
    Time at;
    uint64_t order = 0;
    Kind kind = Kind::kSlept;
    uint32_t flow = 0;
    bool operator>(const Event& other) const { return at != other.at ? at > other.at : order > other.order; }
  };

  void schedule(Time at, Event::Kind kind, uint32_t flow = 0) { events_.push({at, order_++, kind, flow}); }
  void handle(const Event& event);
  void begin_send(uint32_t flow);
  void end_send(uint32_t flow);
  void begin_receive(uint32_t flow);
  void end_receive(uint32_t flow);
  void acknowledge(const Datagram& segment, Socket& socket);
  void let_send(uint32_t flow);
  void enqueue(const Datagram& datagram);
  void read_next();
  void end_read();
  void write_next();
  void end_write();
  void take(const Datagram& datagram);
  void put_into_socket(const Datagram& datagram);

  Costs costs_;
  Owner& owner_;
  Time now_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  uint64_t order_ = 0;
  std::map<uint32_t, Socket> sockets_;
  std::deque<Packet> leaving_;  ///< In the TUN device.
  Thread reader_ = Thread::kSleeps;
  int32_t under_way_ = 0;  ///< Packets that the network interface has.
  std::deque<Packet> arrivals_;
  Thread writer_ = Thread::kSleeps;
  Reassembly reassembly_;
};

}  // namespace fabrictwin::host::ip
