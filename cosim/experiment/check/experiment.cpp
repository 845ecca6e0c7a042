// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/experiment/check/experiment.h"

#include <fmt/format.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "cosim/base/address.h"
#include "cosim/base/suggest.h"
#include "cosim/base/text.h"
#include "cosim/experiment/check/calibration.h"
#include "cosim/experiment/check/congestion.h"
#include "cosim/experiment/check/faults.h"
#include "cosim/experiment/check/field_checker.h"
#include "cosim/experiment/check/file.h"
#include "cosim/experiment/check/host.h"
#include "cosim/experiment/check/queues.h"
#include "cosim/experiment/check/router.h"
#include "cosim/experiment/check/routing.h"
#include "cosim/experiment/check/statistics.h"
#include "cosim/experiment/check/topology.h"

namespace fabrictwin::experiment {
namespace {

constexpr int kMaxUses = 4096;
/// Messages whose fields are compared with the network, which is not known yet.
constexpr std::string_view kOfNetwork[] = {"congestion", "pfc", "queues", "router", "statistics.tree_at", "transport"};

/// One pass over the message of an experiment.
class Checker {
 public:
  Checker(Experiment& experiment, const Tenants& tenants, const LocationMap& locations, bool check_files,
          DiagnosticList& diagnostics)
      : experiment_(experiment),
        tenants_(tenants),
        locations_(locations),
        check_files_(check_files),
        fields_(locations, diagnostics),
        files_(experiment.file, check_files, fields_) {}

  void check() {
    v1::Experiment& message = experiment_.message;
    check_strings(message, "");
    experiment_.seed = message.seed();
    experiment_.topology_location = locations_.find("topology");
    experiment_.workload_location = locations_.find("workload");
    experiment_.router_location = locations_.find("router");
    experiment_.packet_trace_location = locations_.find("statistics.packet_trace");
    // The router is checked first, because rates are compared with its clock.
    check_router(experiment_, tenants_, files_, fields_);
    check_topology(experiment_, tenants_, fields_);
    check_calibration(experiment_, check_files_, fields_);
    check_uses(message);
    check_workload(message);
    check_routing(experiment_, tenants_, check_files_, fields_);
    complete_router(experiment_, tenants_, fields_);
    check_stop(message);
    experiment_.statistics = check_statistics(experiment_, fields_);
    check_host(experiment_, tenants_, fields_);
    check_congestion(experiment_, tenants_, fields_);
    check_queues(experiment_, fields_);
    check_faults(experiment_, fields_);
    for (const std::string_view message : kOfNetwork) locations_.copy(message, experiment_.locations);
  }

 private:
  void complain(std::string_view path, std::string_view message) { fields_.complain(path, message); }

  /// Checks that strings are UTF-8; others could not be sent to a worker.
  void check_strings(const google::protobuf::Message& message, const std::string& prefix) {
    using google::protobuf::FieldDescriptor;
    const auto* reflection = message.GetReflection();
    std::vector<const FieldDescriptor*> fields;
    reflection->ListFields(message, &fields);
    for (const FieldDescriptor* field : fields) {
      const bool repeated = field->is_repeated();
      const int count = repeated ? reflection->FieldSize(message, field) : 1;
      for (int i = 0; i < count; ++i) {
        const std::string path = prefix + field->name() + (repeated ? fmt::format("[{}]", i) : "");
        if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
          check_strings(
              repeated ? reflection->GetRepeatedMessage(message, field, i) : reflection->GetMessage(message, field),
              path + ".");
        } else if (field->cpp_type() == FieldDescriptor::CPPTYPE_STRING && !repeated &&
                   !is_utf8(reflection->GetString(message, field))) {
          complain(path, fmt::format("{} is not UTF-8 text; write it without bytes of other encodings", field->name()));
        }
      }
    }
  }

  void check_uses(const v1::Experiment& message) {
    if (message.use_size() > kMaxUses) {
      complain(fmt::format("use[{}]", kMaxUses),
               fmt::format("{} use rules are more than the {} that are allowed; select several elements in one rule, "
                           "as in \"router[0..3],host[1]\"",
                           message.use_size(), kMaxUses));
      return;
    }
    for (int i = 0; i < message.use_size(); ++i) check_use(fmt::format("use[{}]", i), message.use(i));
  }

  void check_use(const std::string& path, const v1::Use& use) {
    UseSpec spec;
    spec.select = use.select();
    spec.implementation = use.implementation();
    spec.depth = use.depth();
    spec.source = locations_.find(path + ".select");
    if (use.select().empty()) {
      complain(path + ".select", "the rule selects nothing; write select: \"router[1]\", \"router[*]\" or \"*\"");
    }
    check_depth(path + ".depth", use);
    switch (use.implementation()) {
      case v1::MODEL:
      case v1::RTL:
        spec.place = use.place().empty() ? "inproc" : use.place();
        check_place(path + ".place", spec.place);
        if (!use.board().empty()) {
          complain(path + ".board", fmt::format("\"board\" is for implementation: BOARD, and this rule says {}; write "
                                                "place instead of board, or BOARD",
                                                v1::Implementation_Name(use.implementation())));
        }
        break;
      case v1::BOARD:
        spec.place = use.board();
        if (!use.place().empty()) {
          complain(path + ".place",
                   "a board has no place; write board: \"soft\", \"shell\" or the address of its agent instead");
        } else if (use.board().empty()) {
          complain(path,
                   "the rule does not say which board; write board: \"soft\", \"shell\" or the address of its "
                   "agent, \"HOST:PORT\" or \"unix:PATH\"");
        } else if (!is_started_board(use.board()) && !is_address(use.board())) {
          static constexpr std::string_view kBoards[] = {kSoftBoard, kShellBoard};
          complain(path + ".board",
                   fmt::format(
                       "unknown board \"{}\"{}; write \"soft\", \"shell\" or the address of an agent, \"HOST:PORT\" or "
                       "\"unix:PATH\"",
                       use.board(), did_you_mean(use.board(), kBoards)));
        }
        break;
      case v1::IMPLEMENTATION_UNSPECIFIED:
        complain(path, "the rule does not say which implementation; write implementation: MODEL, RTL or BOARD");
        break;
      default:
        complain(path + ".implementation", "unknown implementation; write MODEL, RTL or BOARD");
    }
    experiment_.uses.push_back(std::move(spec));
  }

  void check_depth(const std::string& path, const v1::Use& use) {
    if (use.depth() == v1::ROUTER_MODEL_UNSPECIFIED || use.implementation() == v1::IMPLEMENTATION_UNSPECIFIED) return;
    if (!v1::RouterModel_IsValid(use.depth())) {
      complain(path, "unknown depth; write EXANET, INPUT_QUEUED or PACKET");
    } else if (use.implementation() != v1::MODEL) {
      complain(path, fmt::format("depth is for models, and {} has that of its logic, which is words; leave it out, or "
                                 "write implementation: MODEL",
                                 v1::Implementation_Name(use.implementation())));
    }
  }

  void check_place(const std::string& path, const std::string& place) {
    static constexpr std::string_view kPlaces[] = {"inproc", "worker:shm", "worker:unix", "worker:tcp"};
    for (const std::string_view known : kPlaces) {
      if (place == known) return;
    }
    if (mpi_rank(place).has_value()) return;
    if (is_mpi(place)) {
      complain(path,
               fmt::format("\"{}\" is no rank of MPI that a rule can have; write mpi:1 or a higher number (rank 0 "
                           "is the process of the run, \"inproc\")",
                           place));
      return;
    }
    if (is_address(place)) return;
    if (is_started_board(place)) {
      complain(path, fmt::format("\"{0}\" is a board; write implementation: BOARD board: \"{0}\" (--use "
                                 "'SELECT=BOARD@{0}')",
                                 place));
      return;
    }
    complain(path, fmt::format("unknown place \"{}\"{}; write inproc, worker:shm, worker:unix, worker:tcp, mpi:RANK, "
                               "or the address of a worker, \"HOST:PORT\" or \"unix:PATH\"",
                               place, did_you_mean(place, kPlaces)));
  }

  void check_workload(v1::Experiment& message) {
    if (!message.has_workload()) {
      complain("",
               "no workload: nothing would run on the network; write workload { mpi_trace { path: \"hpcg-8.fttrace\" } "
               "} or workload { traffic { load: 0.3 } }");
      return;
    }
    experiment_.workload = message.workload().kind_case();
    if (experiment_.workload == v1::Workload::KIND_NOT_SET) {
      complain("workload",
               "the workload is empty; write mpi_trace { path: \"hpcg-8.fttrace\" } or traffic { load: 0.3 } in it");
    } else if (const WorkloadCheck* tenant = tenants_.workload(experiment_.workload); tenant != nullptr) {
      tenant->check(experiment_, files_, fields_);
    } else {
      complain("workload", fmt::format("this program has no workload {}; write another one",
                                       v1::Workload::descriptor()->FindFieldByNumber(experiment_.workload)->name()));
    }
    if (message.workload().has_placement() && !experiment_.workload_traits.ranks) {
      complain("workload.placement", "placement is for MPI jobs: traffic and exchange run on all hosts; leave it out");
    }
  }

  void check_stop(const v1::Experiment& message) {
    if (!message.has_stop()) return;
    const v1::Stop& stop = message.stop();
    experiment_.stop_at_workload_end = stop.at_workload_end();
    if (fields_.written("stop.after_simulated", stop.after_simulated())) {
      const auto after = fields_.quantity<Time>("stop.after_simulated", stop.after_simulated(), "", parse_time);
      if (!after.has_value()) return;
      experiment_.stop_after = *after;
      if (*after == Time::zero())
        complain("stop.after_simulated", "after_simulated 0: nothing would be simulated; write a time such as \"2s\"");
    } else if (!stop.at_workload_end()) {
      complain("stop",
               "the run would never end; write at_workload_end: true, after_simulated: \"2s\", or both in stop (or "
               "leave it out: a run ends with its workload)");
    }
  }

  Experiment& experiment_;
  const Tenants& tenants_;
  const LocationMap& locations_;
  const bool check_files_;
  FieldChecker fields_;
  FileChecker files_;
};

}  // namespace

void check_experiment(Experiment& experiment, const Tenants& tenants, const LocationMap& locations, bool check_files,
                      DiagnosticList& diagnostics) {
  Checker(experiment, tenants, locations, check_files, diagnostics).check();
}

}  // namespace fabrictwin::experiment
