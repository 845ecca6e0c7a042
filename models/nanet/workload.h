// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Datagrams to a card as a workload: what senders and the computer measure, and how it is reported.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "models/host/workload.h"
#include "models/nanet/results.h"
#include "models/nanet/spec.h"

namespace fabrictwin::nanet {

/// Has no processes: the parts of nanet::Partition do what is to be done.
class Workload : public host::Workload {
 public:
  Workload(DatagramsSpec spec, int32_t ports);

  const DatagramsSpec& spec() const { return spec_; }
  Results& results() { return results_; }

  absl::StatusOr<std::unique_ptr<host::HostProcess>> make_process(int32_t /*node*/,
                                                                  observe::EndpointDigest* /*digest*/) override {
    return nullptr;
  }
  std::string_view shared_among_hosts() const override { return "what they measure of datagrams"; }
  void measure(metric::Sink& sink) const override;
  void report(v1::Report& report) const override;
  double done() const override;

 private:
  /// Warns about what is sent before the card is set up.
  void warn(v1::Report& report) const;

  DatagramsSpec spec_;
  Results results_;
};

}  // namespace fabrictwin::nanet
