// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The network interfaces of the Tofu family: docs/models/tofu-ni.md.
#pragma once

#include <cstdint>

#include "cosim/base/quantity.h"
#include "models/nic/queue_nic.h"

namespace fabrictwin::nic {

/// TNIs (tofu network interfaces), each with a port of the router and 12 control queues, that do Put and Get with
/// packets of up to 1920 bytes of payload. A descriptor is written to the TNI directly if the queue is empty, or
/// fetched from memory. The network neither loses nor reorders packets of a path, so nothing is acknowledged: a Put is
/// complete for its host when it has left. Source: Ajima et al., "The Tofu Interconnect" (HOTI 2011), "Tofu
/// Interconnect 2" (ISC 2014), "The Tofu Interconnect D" (CLUSTER 2018).
class TofuNi final : public QueueNic {
 public:
  /// The largest packet in bytes: Cool Chips XV (2012).
  static constexpr int32_t kMaxPacket = 2048;

  enum class Generation : uint8_t { kTofu, kTofu2, kTofuD };
  struct Options {
    Generation generation = Generation::kTofuD;
    bool direct_descriptor = true;  ///< If false, all descriptors are fetched from memory.
    bool cache_injection = true;    ///< Tofu2 and TofuD: arrivals go to the cache.
    bool far_cmg = false;           ///< TofuD: the core is not in a core memory group next to the TNIs.
    /// Network latency of the packet of an 8-byte Put between neighbours, first byte in to last byte out; the rest of
    /// the published latency belongs to the network interfaces.
    Time network;
  };

  /// One-way latency of an 8-byte Put with these options, as published or derived from published differences.
  static Time put_latency(const Options& options);
  /// Rate of a link, which is also that of a TNI.
  static Bandwidth link_rate(Generation generation);
  static Costs costs(const Options& options);

  using QueueNic::QueueNic;
};

}  // namespace fabrictwin::nic
