// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The interface through which the parts of a driver access the registers of a node's logic.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "cosim/base/time.h"
#include "cosim/link/host_record.h"
#include "cosim/link/record.h"

namespace fabrictwin::nic::exanet::driver {

/// Asynchronous register accesses that complete in the order in which they were begun, and timers. Used from the
/// SystemC kernel.
class RegisterPort {
 public:
  virtual ~RegisterPort() = default;

  /// `response` is that of AXI; 0 is OKAY.
  using Written = std::function<void(uint32_t response)>;
  using Read = std::function<void(uint32_t response, const link::Word& value)>;

  /// `bytes` is 4, 8 or 16.
  virtual void write(link::HostRegion region, uint32_t address, uint32_t bytes, const link::Word& value,
                     Written written) = 0;
  virtual void read(link::HostRegion region, uint32_t address, uint32_t bytes, Read read) = 0;
  /// Calls `action` after `delay`, which is positive. Actions of one time run in the order of the calls.
  virtual void after(Time delay, std::function<void()> action) = 0;
  virtual Time now() const = 0;
  /// Ends the run.
  virtual void fail(const std::string& what) = 0;
};

/// "OKAY", "SLVERR", ...
const char* axi_response_name(uint32_t response);

}  // namespace fabrictwin::nic::exanet::driver
