// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A host's process on the SystemC kernel.
#pragma once

#include <memory>
#include <string>

#include "models/host/endpoint.h"
#include "models/host/host_process.h"

namespace fabrictwin::host {

/// The endpoint of a HostProcess: forwards SystemC's calls to the process and its requests to SystemC.
class ProcessEndpoint final : public Endpoint, public HostProcess::Owner {
 public:
  ProcessEndpoint(const sc_core::sc_module_name& name, std::unique_ptr<HostProcess> process);

  bool finished() const override { return process_->finished(); }
  Time finish_time() const override { return process_->finish_time(); }
  std::string waits_for() const override { return process_->waits_for(); }
  std::string failure() const override { return process_->failure(); }

  void send_message(int32_t, const nic::OutgoingMessage& message) override { send(message); }
  void wake_process(int32_t, Time time) override { wake_at(time); }

 protected:
  void begin() override { process_->start(); }
  void on_message(const nic::IncomingMessage& message) override { process_->deliver_message(message); }
  void on_sent(uint64_t cookie) override { process_->deliver_sent(cookie); }
  void decide() override { process_->run(now()); }

 private:
  std::unique_ptr<HostProcess> process_;
};

}  // namespace fabrictwin::host
