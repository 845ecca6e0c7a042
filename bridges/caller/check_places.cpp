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

absl::Status check_places(const experiment::Experiment& experiment, const system::Plan& plan,
                          const ConnectionSecurity& security) {
  std::vector<std::string> mistakes;
  for (const system::Place& place : plan.places) {
    // The run itself starts places without an address, and chooses where they listen.
    if (place.address.empty() || protocol::is_allowed(place.address, security)) continue;
    const std::string message = fmt::format(
        "{} is no address of this machine alone, and without TLS whoever is in between can read and change "
        "what is sent; give {}, or --insecure if everybody in the network is trusted",
        place.address, protocol::kTlsOptions);
    const auto use = std::find_if(experiment.uses.begin(), experiment.uses.end(),
                                  [&](const experiment::UseSpec& each) { return each.place == place.address; });
    mistakes.push_back(use == experiment.uses.end() ? message : experiment::format_diagnostic(use->source, message));
  }
  return mistakes.empty() ? absl::OkStatus() : absl::InvalidArgumentError(fmt::format("{}", fmt::join(mistakes, "\n")));
}

}  // namespace fabrictwin::bridges::caller
