// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Two network interfaces and a network between them that may lose, delay, duplicate, spoil and reorder packets. It
// keeps the order of the messages of a channel, as the torus does, and of nothing else.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "tests/rtl/ni/ni_device.h"

namespace fabrictwin::test {

/// How often each interface is free, in percent.
struct NiStalls {
  int tx = 100;
  int rx = 100;
  int credit = 100;
  int axi = 100;
  int rdma = 100;
};

/// What the network does to a packet.
struct NiFate {
  bool drop = false;
  bool corrupt = false;
  int copies = 1;
  int delay = 0;
  int vc = -1;  ///< -1: as it was sent.
};

class NiNetwork {
 public:
  NiNetwork(uint64_t seed, const NiStalls& stalls, int credits = kNiBufferWords);

  NiDevice& device(int d) { return *devices_[static_cast<size_t>(d)]; }
  static uint32_t node(int d) { return d == 0 ? 1 : 6; }

  /// Decides on each packet; may be replaced.
  std::function<NiFate(int from, const NiPacket&)> fate = [](int, const NiPacket&) { return NiFate{}; };
  /// Called with each packet that a device has sent, and each good one whose last word a device has been given.
  std::function<void(int from, const NiPacket&)> on_sent = [](int, const NiPacket&) {};
  std::function<void(int to, const NiPacket&)> on_delivered = [](int, const NiPacket&) {};
  std::function<void(int to, const std::vector<NiWord>&)> on_rdma = [](int, const std::vector<NiWord>&) {};
  std::function<void(int to, int interface_number)> on_event = [](int, int) {};

  /// Gives a device words of any kind, in order per VC, behind what it gets already.
  void inject(int to, const std::vector<NiLinkWord>& words, int delay = 0);
  /// Queues a packet of the RDMA units of a device.
  void send_rdma(int from, const NiPacket& packet);
  /// The network returns credits (true, the default) or keeps them.
  void set_credits_flow(bool flow) { credits_flow_ = flow; }
  void set_stalls(const NiStalls& stalls);

  void cycle();
  void run(int cycles) {
    for (int k = 0; k < cycles; ++k) cycle();
  }
  /// Until the hosts have no more accesses and nothing is in the network. False if that takes too long.
  bool drain(int limit = 200'000);
  /// Until a device's accesses are done.
  void finish_host(int d, int limit = 400'000);
  uint64_t read(int d, uint32_t address);
  /// True if there was an error response.
  bool write(int d, uint32_t address, uint64_t data, int strobe = 0xff);
  uint64_t counter(int d, int number) { return read(d, kNiCounterAddress + 8 * static_cast<uint32_t>(number)); }
  int64_t now() const { return now_; }
  /// The interrupt of a device was asserted in the last cycle.
  bool interrupt(int d) const { return sides_[static_cast<size_t>(d)].interrupt; }
  /// Credits that are not used by words on their way, of a VC of a device's receive side.
  int room(int d, int vc) const { return sides_[static_cast<size_t>(d)].room[static_cast<size_t>(vc)]; }
  int64_t stall_cycles(int d) const { return sides_[static_cast<size_t>(d)].stall_cycles; }
  int64_t busy_rx_cycles() const { return mixed_; }

 private:
  struct Flight {
    std::vector<NiLinkWord> words;
    std::optional<NiPacket> packet;  ///< Unless it is not good.
  };
  struct Side {
    std::array<std::multimap<int64_t, Flight>, 2> arriving;
    std::array<size_t, 2> next{};
    std::array<std::optional<Flight>, 2> current;
    std::array<int, 2> room{kNiBufferWords, kNiBufferWords};
    std::array<std::vector<NiWord>, 2> leaving;
    std::array<int, 2> held{};  ///< Words in the network's buffers, credits not returned.
    std::map<int, int64_t> last_release;
    std::array<std::deque<NiLinkWord>, 2> rdma;  ///< By VC.
    std::vector<NiWord> rdma_packet;
    int64_t stall_cycles = 0;
    bool interrupt = false;
  };
  bool chance(int percent) { return static_cast<int>(random_() % 100) < percent; }
  NiInputs inputs(Side& side);
  std::optional<NiLinkWord> next_word(int d);
  void outputs(int d, const NiOutputs& out);
  void forward(int from, const std::vector<NiWord>& words, int vc);

  std::mt19937_64 random_;
  int sent_ = 0;  ///< Short packets.
  NiStalls stalls_;
  bool credits_flow_ = true;
  int64_t now_ = 0;
  int64_t mixed_ = 0;
  std::array<std::unique_ptr<NiDevice>, 2> devices_;
  std::array<Side, 2> sides_;
};

}  // namespace fabrictwin::test
