// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What the rows of a comparison are: a scheme that controls rates, a scheme of queues, one of each, or none.
#pragma once

#include <google/protobuf/descriptor.h>

#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cosim/experiment/experiment.h"
#include "cosim/experiment/tenants.h"
#include "fabrictwin/v1/congestion.pb.h"

namespace fabrictwin::study::comparison {

/// The schemes of one row.
struct ComparedSchemes {
  std::string name;  ///< As the user writes it: "none", "dcqcn", "voqnet", "dcqcn+voqnet".
  /// The field of v1::Congestion; null: rates are not controlled.
  const google::protobuf::FieldDescriptor* rates = nullptr;
  /// Unspecified: routers have the queues that they have without `queues`.
  v1::Queues::Scheme queues = v1::Queues::SCHEME_UNSPECIFIED;

  bool same_as(const ComparedSchemes& other) const { return rates == other.rates && queues == other.queues; }
};

/// The schemes that arguments of --schemes name; several names in one are separated by commas. InvalidArgument for a
/// name that there is not and for schemes that are there twice, located in the argument.
absl::StatusOr<std::vector<ComparedSchemes>> parse_schemes(const std::vector<std::string>& arguments);

/// InvalidArgument for arguments of --set that would do nothing, since --schemes gives the field its value or no
/// compared scheme has the parameter.
absl::Status check_parameters(const std::vector<std::string>& sets, std::span<const ComparedSchemes> compared);

/// The arguments of --set that are parameters of no scheme.
std::vector<std::string> common_sets(const std::vector<std::string>& sets);

/// The experiment with other schemes; one that it has itself keeps its parameters. `experiment` has the arguments of
/// common_sets(); those of `sets` that are parameters of `schemes` are applied. Errors are InvalidArgument: of an
/// experiment that cannot have the schemes, or of an argument.
absl::StatusOr<experiment::Experiment> with_schemes(const experiment::Experiment& experiment,
                                                    const ComparedSchemes& schemes,
                                                    const std::vector<std::string>& sets,
                                                    const experiment::Tenants& tenants);

}  // namespace fabrictwin::study::comparison
