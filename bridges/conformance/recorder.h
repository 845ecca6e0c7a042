// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Records what the caller of a run and its one other place say.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "bridges/caller/place_tap.h"
#include "bridges/conformance/conversation.h"
#include "bridges/conformance/stream_rules.h"

namespace fabrictwin::bridges::conformance {

/// A tap for a run with one place outside its process, whose records travel in the stream: shared memory, which the
/// place may offer, is kept from the caller. Outlives the run. Used by one thread.
class Recorder final : public caller::PlaceTap {
 public:
  /// `findings`, if not null, gets what StreamRules find. `timeout`: no call waits longer.
  Recorder(Findings* findings, std::chrono::milliseconds timeout) : findings_(findings), timeout_(timeout) {}

  std::unique_ptr<caller::BridgeCalls> tap(std::unique_ptr<caller::BridgeCalls> calls) override;
  std::unique_ptr<caller::RunStream> tap(std::unique_ptr<caller::RunStream> stream) override;

  const Conversation& conversation() const { return conversation_; }

 private:
  class Calls;
  class Stream;

  void on_configure(const v1::ConfigureRequest& configure);
  void on_request(const v1::RunRequest& request);
  void on_response(const v1::RunResponse& response);

  Findings* const findings_;
  const std::chrono::milliseconds timeout_;
  Conversation conversation_;
  std::optional<ChannelMap> map_;
  std::optional<StreamRules> rules_;
};

}  // namespace fabrictwin::bridges::conformance
