// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// An APErouter of any shape, driven pin by pin.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fabrictwin::test {

inline constexpr int kApeMaxPorts = 10;

/// The parameters of a router that was verilated.
struct ApeShape {
  int intra = 3;
  int inter = 2;
  int word_bits = 128;
  int max_payload = 512;
  int header_depth = 128;
  int intra_words = 4096;
  int inter_words = 1024;
  bool tile_to_tile = true;  ///< The routing relation has ways from tile ports to tile ports.

  int ports() const { return intra + inter; }
  int dims() const { return inter / 2; }
  int word_bytes() const { return word_bits / 8; }
  int payload_words(int bytes) const { return (bytes + word_bytes() - 1) / word_bytes(); }
  int max_words() const { return max_payload / word_bytes(); }
  int buffer_words(int port) const { return port < intra ? intra_words : inter_words; }
};

/// A word on a link with its side signals; of narrow words only the first elements of the data are used.
struct ApeWord {
  std::array<uint64_t, 8> data{};
  int vc = 0;
  bool sop = false;
  bool eop = false;
  bool operator==(const ApeWord&) const = default;
};

struct ApeCredit {
  int vc = 0;
  int words = 0;
  int packets = 0;
};

/// Room for one packet of the largest size.
inline ApeShape ape_ring_shape() { return {1, 2, 128, 256, 2, 16, 16, true}; }

/// The configuration inputs.
struct ApeConfig {
  std::array<int, 3> here{};
  std::array<int, 3> dims{1, 1, 1};
  std::array<int, kApeMaxPorts> initial_words{};
  std::array<int, kApeMaxPorts> initial_packets{};
  uint32_t port_enable = 0x3ff;
  std::array<int, 3> order{2, 1, 0};  ///< Dimension to consume first, second, third; 3 is none.
  bool vc_by_direction = false;
  bool fixed_priority = false;
  std::array<int, kApeMaxPorts> priority{};
  /// Marks: words that must be exceeded (0: none), packets between two marks, words of the smallest packet, tile ports
  /// always.
  int mark_threshold = 0;
  int mark_rate = 0;
  int mark_least = 0;
  bool mark_hosts = true;
};

/// The counters of one port.
struct ApeCounters {
  int dropped_route = 0;
  int dropped_disabled = 0;
  int malformed = 0;
  int sent = 0;
  int discarded = 0;
  int marked = 0;
};

/// Cycle by cycle: set what happens at the next edge (rx, credit, ready), then edge(). What is not set is not valid.
class ApeModel {
 public:
  virtual ~ApeModel() = default;
  virtual const ApeShape& shape() const = 0;
  virtual void reset(const ApeConfig& config) = 0;
  /// Changes what may change while the router runs.
  virtual void configure(const ApeConfig& config) = 0;
  virtual void rx(int port, const ApeWord& word) = 0;
  virtual void credit(int port, const ApeCredit& credit) = 0;
  virtual void ready(int port) = 0;
  virtual void edge() = 0;
  virtual bool tx_valid(int port) const = 0;
  virtual ApeWord tx(int port) const = 0;
  virtual bool credit_valid(int port) const = 0;
  virtual ApeCredit credit(int port) const = 0;
  virtual bool idle() const = 0;
  virtual uint32_t stalled() const = 0;
  virtual uint32_t errors() const = 0;
  virtual ApeCounters counters(int port) const = 0;
};

/// The verilated parameter sets.
enum class ApeVariant { k3x2, k1x6, k2x4Wide, k1x2Widest, k4x6Pruned, kRing };
std::string name_of(ApeVariant variant);
/// Those that this program has.
std::vector<ApeVariant> ape_variants();
/// One of these, with its assertions: one that fails ends the program.
std::unique_ptr<ApeModel> make_ape_model(ApeVariant variant);
/// All ports of a router in the middle of a lattice, with neighbours like itself.
ApeConfig ape_config(const ApeShape& shape, std::array<int, 3> dims, std::array<int, 3> here);

}  // namespace fabrictwin::test
