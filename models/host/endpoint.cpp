// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/host/endpoint.h"

#include "models/host/message_latencies.h"
#include "models/kernel/link_transaction.h"

namespace fabrictwin::host {

Endpoint::Endpoint(const sc_core::sc_module_name& name, int32_t node) : sc_module(name), node_(node) {
  SC_METHOD(initialize);
  SC_METHOD(wake);
  sensitive << wake_event_;
  dont_initialize();
  SC_METHOD(run_decide);
  sensitive << decide_event_;
  dont_initialize();
}

// Timed notifications (arrivals, wake-ups) all fall in the first delta cycle of a time; decisions follow in the next
// one.
void Endpoint::deliver_message(const nic::IncomingMessage& message) {
  if (latencies_ != nullptr) latencies_->received(message.envelope, now());
  if (log_ != nullptr) log_->arrived(message.source, node_, now());
  on_message(message);
  decide_event_.notify(sc_core::SC_ZERO_TIME);
}

void Endpoint::deliver_sent(uint64_t cookie) {
  on_sent(cookie);
  decide_event_.notify(sc_core::SC_ZERO_TIME);
}

void Endpoint::send(const nic::OutgoingMessage& message) {
  // What prepares hardware is no message.
  if (message.reduction.configure) return nic->send(message);
  if (latencies_ != nullptr) latencies_->sent(message.envelope, now());
  if (log_ != nullptr) log_->sent(node_, message.destination, message.envelope.bytes, now());
  nic->send(message);
}

void Endpoint::initialize() {
  begin();
  if (failure_ != nullptr && failure_->empty()) *failure_ = failure();
}

void Endpoint::wake() {
  wake_time_ = Time::never();
  decide_event_.notify(sc_core::SC_ZERO_TIME);
}

void Endpoint::run_decide() {
  decide();
  if (failure_ != nullptr && failure_->empty()) *failure_ = failure();
}

void Endpoint::wake_at(Time time) {
  if (time >= wake_time_) return;
  wake_time_ = time;
  // A pending notification is later than this one and is replaced by it. A wake-up for the current time still waits for
  // the deliveries of this time.
  wake_event_.notify(kernel::to_sc_time(time - now()));
}

Time Endpoint::now() const { return kernel::from_sc_time(sc_core::sc_time_stamp()); }

}  // namespace fabrictwin::host
