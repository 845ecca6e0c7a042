// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// How the parts of a driver reach the registers of a node's logic.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "cosim/base/time.h"
#include "cosim/link/host_record.h"
#include "cosim/link/record.h"

namespace fabrictwin {

/// Register accesses that end later, in the order in which they were begun; and timers. Used from the SystemC kernel.
class RegisterPort {
 public:
  virtual ~RegisterPort() = default;

  /// `response` is that of AXI; 0 is OKAY.
  using Written = std::function<void(uint32_t response)>;
  using Read = std::function<void(uint32_t response, const Word& value)>;

  /// `bytes` is 4, 8 or 16.
  virtual void write(HostRegion region, uint32_t address, uint32_t bytes, const Word& value, Written written) = 0;
  virtual void read(HostRegion region, uint32_t address, uint32_t bytes, Read read) = 0;
  /// Calls `action` after `delay`, which is positive. Actions of one time come in the order in which they were asked
  /// for.
  virtual void after(Time delay, std::function<void()> action) = 0;
  virtual Time now() const = 0;
  /// Ends the run.
  virtual void fail(const std::string& what) = 0;
};

/// "OKAY", "SLVERR", ...
const char* axi_response_name(uint32_t response);

}  // namespace fabrictwin
