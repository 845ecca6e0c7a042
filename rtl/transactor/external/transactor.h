// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A user's own router as a partition: docs/models/external-router.md.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cosim/base/clock.h"
#include "cosim/engine/partition.h"
#include "cosim/link/channel_receiver.h"
#include "cosim/link/channel_sender.h"
#include "cosim/link/counters.h"
#include "cosim/link/link_type.h"
#include "cosim/link/word_contract.h"
#include "cosim/link/word_serializer.h"
#include "rtl/external/router.h"
#include "rtl/transactor/link_arrivals.h"

namespace fabrictwin::rtl::external {

/// The channels of one port of Setup::ports. What it points to outlives the transactor.
struct Channels {
  link::ChannelSender* sender = nullptr;
  link::ChannelReceiver* receiver = nullptr;
  link::LinkCounters* counters = nullptr;  ///< Of the sending direction; may be null.
};

/// Gives a router its clock, and words and credits of records. Clock edge k is clock.edge(k). A word or credits are
/// sampled at the first edge at or after their arrival, at most one of each at an edge; a word that is offered leaves
/// in the next free slot of the link's word clock, and credits leave one period after the edge that gave them.
class Transactor : public engine::Partition {
 public:
  /// `channels` are those of all ports of `setup`. InvalidArgument if a connected port has none.
  static absl::StatusOr<std::unique_ptr<Transactor>> create(Setup setup, const Clock& clock,
                                                            std::vector<Channels> channels,
                                                            std::unique_ptr<Router> router);

  absl::Status advance(Time until) override;
  Time next_event() const override;
  /// Clock edges evaluated.
  uint64_t events() const override { return edges_.get(); }
  std::vector<std::string> waits() const override;

 private:
  struct Port {
    Port(const Channels& ends, const Clock& clock, const link::LinkType& type, int32_t credits)
        : channels(ends), serializer(clock, ends.sender->spec().word_clock), arrivals(clock), contract(type, credits) {}
    Channels channels;
    link::WordSerializer serializer;
    LinkArrivals arrivals;
    link::WordContract contract;
  };

  Transactor(Setup setup, const Clock& clock, std::vector<Channels> channels, std::unique_ptr<Router> router);

  int64_t next_arrival() const;
  absl::Status step();
  absl::Status sample(size_t port);
  absl::Status take_word(size_t port);
  absl::Status give_credits(size_t port);
  absl::Status broken(size_t port, const std::string& what) const;

  Setup setup_;
  Clock clock_;
  std::unique_ptr<Router> router_;
  std::vector<Port> ports_;        ///< Connected ones.
  std::vector<size_t> connected_;  ///< Their numbers.
  std::vector<Input> in_;
  std::vector<Output> out_;
  int64_t cycle_ = 0;  ///< The next edge.
  bool idle_;
  link::Counter edges_;
};

}  // namespace fabrictwin::rtl::external
