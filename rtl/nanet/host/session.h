// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A host with a NaNet-10 that receives frames, takes what its buffers hold, and may send it on.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "rtl/nanet/device/device.h"
#include "rtl/nanet/device/driver.h"

namespace fabrictwin::rtl::nanet::host {

struct ReplyTo {
  uint32_t ip = 0;
  uint16_t port = 0;
};

struct SessionOptions {
  uint64_t mac = 0;                 ///< Port 0 has it. Each port has the fifth byte one higher than the one before,
  uint32_t ip = 0;                  ///< and of its IP address the third one.
  std::vector<int> ports = {0};     ///< That are used.
  std::vector<uint16_t> udp_ports;  ///< 1 to 4, one for each stream of a port.
  uint32_t buffer_bytes = 4096;     ///< A power of two, 512 to 2^20.
  uint32_t timeout_cycles = 2000;
  bool gpu = false;
  std::optional<ReplyTo> reply_to{};
};

struct SessionReport {
  double simulated_ns = 0;
  int64_t frames_in = 0, frames_out = 0;
  int64_t buffers = 0, bytes = 0;
  uint32_t tlb_misses = 0;
  /// What one port has counted, by name, and what all have.
  using Counters = std::vector<std::pair<std::string, uint32_t>>;
  struct Port {
    int port = 0;
    int64_t frames_in = 0, frames_out = 0;
    Counters counters;
  };
  std::vector<Port> ports;
  Counters counters;
};

/// Used by one thread.
class Session {
 public:
  struct Sent {
    double time_ns = 0;
    Bytes bytes;
    int port = 0;
  };
  explicit Session(const SessionOptions& options);

  /// A frame comes at a port that is used, at a time after the begin or as soon as the line is free. The host works
  /// meanwhile. False if a stop was requested before, and the frame has not come.
  bool receive(const Bytes& frame, double time_ns, int port = 0, const std::stop_token& stop = {});
  /// A while goes by.
  void advance();
  /// Something may happen without another frame.
  bool busy() const { return device_.now_ns() < busy_until_ns_; }
  /// Until that is over. False if a stop was requested before.
  bool finish(const std::stop_token& stop = {});
  /// Frames that the device has sent since the last call.
  std::vector<Sent> take_sent() { return std::exchange(sent_, {}); }
  /// What the buffers held.
  const std::string& data() const { return data_; }
  SessionReport report();

 private:
  void set_up(int port);
  SessionReport::Port& report_of(int port);
  void serve();
  void reply(const Event& event);
  void still_busy();

  SessionOptions options_;
  Device device_;
  Driver driver_;
  std::vector<Sent> sent_;
  std::string data_;
  SessionReport report_;
  double begin_ns_ = 0, busy_until_ns_ = 0;
};

}  // namespace fabrictwin::rtl::nanet::host
