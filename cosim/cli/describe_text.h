// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A planned experiment in words, as JSON and as a graph.
#pragma once

#include <string>
#include <vector>

#include "cosim/experiment/experiment.h"
#include "cosim/run/estimate.h"
#include "cosim/system/plan.h"

namespace fabrictwin::cli {

/// Topology, workload, partitions and links as plain text. Of many cut links only the first are listed, and their
/// number is given. Of a plan that --split has cut, `busy` are the hosts with a part in the workload, by their numbers;
/// of others it is empty.
std::string describe_text(const experiment::Experiment& experiment, const system::Plan& plan,
                          const std::vector<bool>& busy = {});

/// The plan as one JSON object on one line, with every element and link.
std::string describe_json(const experiment::Experiment& experiment, const system::Plan& plan,
                          const std::vector<bool>& busy = {});

/// The elements and links as a Graphviz graph: one box for each partition, cut links drawn bold.
std::string describe_dot(const system::Plan& plan);

/// What a run takes, as plain text and as one JSON object on one line.
std::string estimate_text(const run::Estimate& estimate);
std::string estimate_json(const experiment::Experiment& experiment, const run::Estimate& estimate);

}  // namespace fabrictwin::cli
