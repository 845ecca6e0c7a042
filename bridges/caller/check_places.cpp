// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/caller/check_places.h"

#include <algorithm>
#include <string>
#include <vector>

#include "bridges/protocol/tls.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace fabrictwin::bridges::caller {
namespace {

/// The message as a diagnostic of the first rule for `place`, if there is one.
std::string at_rule(const experiment::Experiment& experiment, const std::string& place, const std::string& message) {
  const auto use = std::find_if(experiment.uses.begin(), experiment.uses.end(),
                                [&](const experiment::UseSpec& each) { return each.place == place; });
  return use == experiment.uses.end() ? message : experiment::format_diagnostic(use->source, message);
}

absl::Status as_status(const std::vector<std::string>& mistakes) {
  return mistakes.empty() ? absl::OkStatus() : absl::InvalidArgumentError(fmt::format("{}", fmt::join(mistakes, "\n")));
}

}  // namespace

absl::Status check_address(const std::string& address, const ConnectionSecurity& security) {
  if (protocol::is_allowed(address, security)) return absl::OkStatus();
  return absl::InvalidArgumentError(fmt::format(
      "{} is no address of this machine alone, and without TLS whoever is in between can read and change what is sent; "
      "give {}, or --insecure if everybody in the network is trusted",
      address, protocol::kTlsOptions));
}

absl::Status check_places(const experiment::Experiment& experiment, const system::Plan& plan,
                          const ConnectionSecurity& security) {
  std::vector<std::string> mistakes;
  for (const system::Place& place : plan.places) {
    // The run itself starts places without an address, and chooses where they listen.
    if (place.address.empty()) continue;
    const absl::Status allowed = check_address(place.address, security);
    if (allowed.ok()) continue;
    const std::string message(allowed.message());
    mistakes.push_back(at_rule(experiment, place.address, message));
  }
  return as_status(mistakes);
}

absl::Status check_ranks(const experiment::Experiment& experiment, const system::Plan& plan, int ranks) {
  std::vector<std::string> mistakes;
  for (const system::Place& place : plan.places) {
    if (place.kind != system::PlaceKind::kMpiRank || place.rank < ranks) continue;
    const std::string message =
        ranks == 1 ? fmt::format(
                         "{} is a rank of MPI, and this is no run that MPI has started; start it as mpirun -n {} "
                         "fabrictwin run ..., or write another place",
                         place.name, place.rank + 1)
                   : fmt::format(
                         "{} is none of the {} ranks of this run, which are mpi:1 to mpi:{} and the run itself; write "
                         "one of them, or start the run as mpirun -n {}",
                         place.name, ranks, ranks - 1, place.rank + 1);
    mistakes.push_back(at_rule(experiment, place.name, message));
  }
  return as_status(mistakes);
}

}  // namespace fabrictwin::bridges::caller
