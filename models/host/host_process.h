// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What runs on one host, independent of what drives it.
#pragma once

#include <cstdint>
#include <string>

#include "cosim/base/time.h"
#include "models/nic/message.h"

namespace fabrictwin::host {

/// A workload's process on one host as a plain state machine. Its owner keeps the time: at each time, all
/// deliver_message(), deliver_sent() and deliver_acknowledged() come first, then run() once if there were any or
/// wake_at() requested it. The process sends in begin() and run() only. The same object runs as a SystemC endpoint
/// (ProcessEndpoint) or directly on the events of a packet-level network. Not thread-safe.
class HostProcess {
 public:
  /// The owner, as its processes see it.
  class Owner {
   public:
    virtual ~Owner() = default;
    /// Queues a message of a node; messages leave in the order of the calls.
    virtual void send_message(int32_t node, const nic::OutgoingMessage& message) = 0;
    /// Requests run() at `time`, not in the past. Only the earliest of several pending requests counts.
    virtual void wake_process(int32_t node, Time time) = 0;
  };

  explicit HostProcess(int32_t node) : node_(node) {}
  virtual ~HostProcess() = default;
  HostProcess(const HostProcess&) = delete;
  HostProcess& operator=(const HostProcess&) = delete;

  int32_t node() const { return node_; }
  /// Call it before start(); the owner outlives the process.
  void bind_owner(Owner* owner) { owner_ = owner; }

  /// Call it once, at time zero.
  void start() { begin(); }
  /// A message has arrived.
  void deliver_message(const nic::IncomingMessage& message) { on_message(message); }
  /// The last word of the message with this cookie has left.
  void deliver_sent(uint64_t cookie) { on_sent(cookie); }
  /// All of the flow with this cookie (OutgoingMessage::flow) has arrived, as its network interface has learned;
  /// `alone` is how long that would take in an empty network. Only where hosts have a transport.
  void deliver_acknowledged(uint64_t cookie, Time alone) { on_acknowledged(cookie, alone); }
  /// Lets the process act at `now`, which never decreases.
  void run(Time now) {
    now_ = now;
    decide();
  }

  /// True once the workload of this host has ended.
  virtual bool finished() const = 0;
  /// When the workload ended; meaningful once finished.
  virtual Time finish_time() const = 0;
  /// What this host waits for, to explain a run that hangs; empty if it does not wait.
  virtual std::string waits_for() const = 0;
  /// An error that must end the run; empty if there is none.
  virtual std::string failure() const { return {}; }

 protected:
  /// Makes the first decisions.
  virtual void begin() = 0;
  virtual void on_message(const nic::IncomingMessage& message) = 0;
  virtual void on_sent(uint64_t cookie) = 0;
  virtual void on_acknowledged(uint64_t /*cookie*/, Time /*alone*/) {}
  virtual void decide() = 0;

  void wake_at(Time time) { owner_->wake_process(node_, time); }
  void send(const nic::OutgoingMessage& message) { owner_->send_message(node_, message); }
  Time now() const { return now_; }

 private:
  int32_t node_;
  Owner* owner_ = nullptr;
  Time now_;
};

}  // namespace fabrictwin::host
