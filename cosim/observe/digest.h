// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The two digests by which runs are compared: what every endpoint received, with and without times.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cosim/base/time.h"

namespace fabrictwin::observe {

/// The digest of what one endpoint received. There must be one writer at a time.
class EndpointDigest {
 public:
  EndpointDigest() = default;
  /// A digest as it was in another process.
  EndpointDigest(uint64_t timing, uint64_t payload) : timing_(timing), payload_(payload) {}

  /// Adds a packet whose last word arrived at `time`; `hash` covers all its words. The order of packets matters.
  void add_arrival(Time time, uint64_t hash);
  /// Adds a message of the workload that was received completely. The order of messages does not matter, so that
  /// implementations may deliver in different orders.
  void add_message(uint64_t hash);

  uint64_t timing() const { return timing_; }
  uint64_t payload() const { return payload_; }

 private:
  uint64_t timing_ = 0;
  uint64_t payload_ = 0;
};

/// The 64-bit hash of bytes (XXH3).
uint64_t hash_bytes(std::span<const std::byte> bytes, uint64_t seed = 0);
/// The 64-bit hash of a few integers.
uint64_t hash_values(std::span<const uint64_t> values);

/// Combines endpoint digests in endpoint order into 16 hexadecimal digits.
std::string combine_timing(std::span<const EndpointDigest> endpoints);
std::string combine_payload(std::span<const EndpointDigest> endpoints);

}  // namespace fabrictwin::observe
