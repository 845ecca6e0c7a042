// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The host side of a network interface: what a workload sees of the network.
#pragma once

#include <cstdint>
#include <string>
#include <systemc>
#include <vector>

#include "cosim/base/time.h"
#include "cosim/observe/message_log.h"
#include "models/nic/message.h"

namespace fabrictwin::host {

class MessageLatencies;

/// The network interface as its host sees it.
class HostPort : public virtual sc_core::sc_interface {
 public:
  /// Queues a message of any size; messages leave in the order of the calls. Nothing is copied.
  virtual void send(const nic::OutgoingMessage& message) = 0;
};

/// A workload's process on one host: an sc_module bound to the host port of its network interface. All calls come from
/// the SystemC kernel. Two phases keep ties deterministic: at each time all on_message() and on_sent() calls come
/// first, then decide() once.
class Endpoint : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Endpoint);
  Endpoint(const sc_core::sc_module_name& name, int32_t node);

  sc_core::sc_port<HostPort> nic{"nic"};
  int32_t node() const { return node_; }

  /// Where a failure is reported as soon as it occurs; set by the owner, which ends the run.
  void bind_failure(std::string* failure) { failure_ = failure; }

  /// Where messages sent and received are timed; null: nowhere.
  void bind_latencies(MessageLatencies* latencies) { latencies_ = latencies; }

  /// Where messages are recorded; nullptr (nowhere) unless set. The log outlives the endpoint.
  void bind_log(observe::MessageLog* log) { log_ = log; }

  /// Called by the network interface.
  void deliver_message(const nic::IncomingMessage& message);
  void deliver_sent(uint64_t cookie);

  /// True once the workload of this host has ended.
  virtual bool finished() const = 0;
  /// When the workload ended; meaningful once finished.
  virtual Time finish_time() const = 0;
  /// What this host waits for, to explain a run that hangs ("recv from rank 2, tag 99, event 17"); empty if it does not
  /// wait.
  virtual std::string waits_for() const = 0;
  /// An error that must end the run ("rank 3, event 17: message from 2 has a wrong byte"); empty if there is none.
  virtual std::string failure() const { return {}; }

 protected:
  /// Runs at time zero, after elaboration; usually starts the workload.
  virtual void begin() = 0;
  virtual void on_message(const nic::IncomingMessage& message) = 0;
  /// The last word of the message with this cookie has left the network interface: its buffer may be used again.
  virtual void on_sent(uint64_t cookie) = 0;
  /// Runs once after all deliveries of a time, and at each time that wake_at() requested.
  virtual void decide() = 0;

  /// Requests decide() at `time` (not in the past). One wake-up is pending at a time, the earliest: a later call
  /// replaces it only if its time is earlier.
  void wake_at(Time time);
  Time now() const;
  void send(const nic::OutgoingMessage& message);

 private:
  void initialize();
  void wake();
  void run_decide();

  int32_t node_;
  std::string* failure_ = nullptr;
  MessageLatencies* latencies_ = nullptr;
  observe::MessageLog* log_ = nullptr;
  Time wake_time_ = Time::never();
  sc_core::sc_event wake_event_;
  sc_core::sc_event decide_event_;
};

}  // namespace fabrictwin::host
