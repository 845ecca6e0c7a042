// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Other ways to send what a caller has sent. By docs/bridge-protocol.md none of them shows in the records that come
// back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bridges/conformance/channel_map.h"
#include "bridges/conformance/conversation.h"
#include "cosim/base/time.h"
#include "cosim/link/record.h"
#include "fabrictwin/v1/bridge.pb.h"

namespace fabrictwin::bridges::conformance {

/// What a caller has sent in a run, without promises. Immutable.
class Inputs {
 public:
  Inputs(const ChannelMap& map, const std::vector<v1::RunRequest>& requests);

  /// In the order of their stamps.
  const std::vector<link::Record>& records() const { return records_; }
  /// The channels that end at the place.
  const std::vector<uint32_t>& channels() const { return channels_; }
  /// A time by which everything that the place has to do is done, if it is not stuck.
  Time rest() const { return rest_; }

  /// Each record in a request of its own, with promises up to the next one; after `most` of them the rest at once.
  std::vector<v1::RunRequest> one_by_one(size_t most) const;
  /// All in one request, with promises up to rest().
  std::vector<v1::RunRequest> at_once() const;
  /// Makes these requests with an end instead of the promise on all channels but the last: once all have ended, the
  /// run is over.
  std::vector<v1::RunRequest> with_ends() const;
  /// Promises in steps of so much, with the records up to each; after `most` of them the rest at once.
  std::vector<v1::RunRequest> creeping(Time step, size_t most) const;

 private:
  void promise(Time time, v1::RunRequest& request) const;
  void finish(size_t from, std::vector<v1::RunRequest>& requests) const;

  std::vector<link::Record> records_;
  std::vector<uint32_t> channels_;
  Time rest_;
};

}  // namespace fabrictwin::bridges::conformance
