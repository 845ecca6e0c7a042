// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Real runs of a subject: with elements at the place that is checked, and with the same elements in a worker of ours.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "bridges/conformance/conformance.h"
#include "fabrictwin/v1/experiment.pb.h"

namespace fabrictwin::bridges::conformance {

/// What a run came to.
struct RealRun {
  absl::Status status;
  std::string timing_digest;
  Conversation conversation;
  /// True if the place has taken Configure and Connect.
  bool began() const { return !conversation.messages.empty(); }
};

/// Runs the subject with the rule `SELECT=IMPLEMENTATION@PLACE`. `findings`, if not null, gets what StreamRules find.
/// InvalidArgument if that is no experiment.
absl::StatusOr<RealRun> run_at(const Options& options, const Subject& subject, const std::string& implementation,
                               const std::string& place, Findings* findings);

/// The configuration that a place would get in this run, without any run.
absl::StatusOr<v1::ConfigureRequest> configure_for(const Options& options, const Subject& subject,
                                                   const std::string& implementation, const std::string& place);

}  // namespace fabrictwin::bridges::conformance
