// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Two QFDBs of two FPGAs each as transactors, joined by real rings, with a processor at each. No executor: run()
// advances all of them in lockstep.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "cosim/link/channel_receiver.h"
#include "cosim/link/channel_sender.h"
#include "cosim/link/counters.h"
#include "models/kernel/cut_link.h"
#include "models/kernel/systemc_context.h"
#include "models/nic/exanet/driver/register_ni.h"
#include "rtl/transactor/node/transactor.h"
#include "tests/cosim/link/ring_memory.h"
#include "tests/rtl/transactor/node_client.h"

namespace fabrictwin::test {

struct BenchOptions {
  uint64_t seed = 1;
  int messages = 20;  ///< Of each processor.
  int transfers = 4;
  bool idle_skip = true;
  bool always_settle = false;
  bool six_links = false;  ///< Network FPGAs have the logic of all links, not only of the two that they use.
  Time pause;              ///< Longest wait of a processor before each message and transfer.
};

/// Node 2 q + f is F(f+1) of QFDB q; the QFDBs are neighbours in x, by two links.
class NodeBench {
 public:
  static constexpr int kNodes = 4;
  explicit NodeBench(const BenchOptions& options);

  /// Advances everything until all processors (unless `even_if_finished`) have finished or `until`, in steps of
  /// `quantum()` each, which are at most the least latency (62.5 ns).
  absl::Status run(const std::function<Time()>& quantum, Time until, bool even_if_finished = false);

  Society& society() { return society_; }
  bool finished() const;
  Time now() const { return now_; }
  uint64_t edges() const;
  uint64_t accesses() const;
  rtl::node::Transactor& node(int index) { return *nodes_[static_cast<size_t>(index)]; }
  /// The end of a port towards its neighbour, for tests that put something on the link by themselves.
  link::ChannelSender& towards(int node, int port) {
    return *inbound_[static_cast<size_t>(node * rtl::node::kNodePorts + port)];
  }
  const link::LinkCounters& counters(int node, int port) const {
    return counters_[static_cast<size_t>(node * rtl::node::kNodePorts + port)];
  }

 private:
  struct Direction {
    explicit Direction(const link::ChannelSpec& spec)
        : ring(4096), sender(spec, ring.get()), receiver(spec, ring.get()) {}
    TestRing ring;
    link::ChannelSender sender;
    link::ChannelReceiver receiver;
  };
  Direction* add_direction(const std::string& name, Clock word_clock, Time latency);
  void connect(std::vector<rtl::node::Config>& configs, int a, int port_a, int b, int port_b, Bandwidth rate,
               int credits);
  absl::Status advance_kernel(Time until);

  std::unique_ptr<kernel::SystemcContext> systemc_;
  Society society_;
  std::vector<link::LinkCounters> counters_;
  std::vector<link::ChannelSender*> inbound_;
  std::vector<std::unique_ptr<Direction>> directions_;
  std::vector<std::unique_ptr<rtl::node::Transactor>> nodes_;
  std::vector<std::unique_ptr<NodeClient>> clients_;
  std::vector<std::unique_ptr<nic::exanet::driver::RegisterNi>> interfaces_;
  std::vector<std::unique_ptr<kernel::CutLink>> cuts_;
  Time now_, stood_;
  bool started_ = false;
};

}  // namespace fabrictwin::test
