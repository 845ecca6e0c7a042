// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks somebody else's worker or board agent against docs/bridge-protocol.md: `fabrictwin conformance`.
#pragma once

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bridges/conformance/conversation.h"
#include "bridges/conformance/findings.h"
#include "cosim/base/connection_security.h"
#include "cosim/run/registry.h"
#include "fabrictwin/v1/bridge.pb.h"

namespace fabrictwin::bridges::conformance {

/// A system with elements that the place is asked to simulate.
struct Subject {
  std::string name;  ///< What the findings call it: "router of ExaNet".
  std::string text;  ///< The experiment.
  std::string file;  ///< Its name, for messages and relative paths.
  std::vector<std::string> sets;
  std::string select;    ///< The elements at the place.
  bool several = false;  ///< They are several, which no board is.
  bool asked = false;    ///< The user has named it, so that a place that cannot build it fails.
};

/// What every place is asked for: a router of ExaNet, two that are linked with each other, and routers with words of
/// their own. Places that cannot build one of them say so.
std::vector<Subject> usual_subjects();

struct Options {
  std::string address;  ///< Has been checked: protocol::is_allowed().
  ConnectionSecurity security;
  std::chrono::milliseconds timeout{10'000};  ///< For each answer.
  std::vector<std::string> only;              ///< Names of checks, or of groups of them.
  std::string executable;                     ///< The fabrictwin binary, for the worker that is the reference.
  run::Registry registry;
  std::stop_token stop;
};

struct SubjectFindings {
  std::string subject;  ///< Empty for the calls that concern none.
  std::vector<Check> checks;
};

struct Report {
  std::string address;
  v1::HelloResponse hello;
  v1::DescribeResponse describe;
  std::vector<SubjectFindings> findings;
  std::optional<Conversation> recorded;  ///< The first run that came to its end.
  bool failed() const;
};

/// Checks the place with these subjects. InvalidArgument if one of them is no experiment, Cancelled if a stop was
/// requested. What is wrong with the place is in the report.
absl::StatusOr<Report> check_place(const Options& options, const std::vector<Subject>& subjects);

/// Plays the caller's side of a recorded conversation, and compares the answers.
absl::StatusOr<Report> replay(const Options& options, const Conversation& conversation);

/// The report as a text of a line for each check, with what is wrong below it.
std::string report_text(const Report& report);
/// The report as a JSON object.
std::string report_json(const Report& report);

}  // namespace fabrictwin::bridges::conformance
