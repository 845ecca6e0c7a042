// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/options/wave.h"

#include <fmt/format.h>

#include <filesystem>

#include "cosim/base/text.h"
#include "cosim/experiment/source_text.h"

namespace fabrictwin::cli::options {
namespace {

constexpr std::string_view kExample = "SELECT=FILE.fst[@FROM:TO], as in 'router[1]=r1.fst@10us:20us'";

absl::Status complain(const std::string& argument, size_t offset, std::string_view message) {
  return absl::InvalidArgumentError(
      experiment::format_diagnostic(experiment::SourceText("--wave", argument).location(offset), message));
}

}  // namespace

absl::StatusOr<run::WaveRequest> parse_wave(const std::string& argument) {
  const size_t equals = argument.find('=');
  if (equals == std::string::npos)
    return complain(argument, argument.size(), fmt::format("there is no \"=\"; write {}", kExample));
  run::WaveRequest request;
  request.select = argument.substr(0, equals);
  const size_t at = argument.rfind('@');
  const bool window = at != std::string::npos && at > equals;
  const std::string file = argument.substr(equals + 1, window ? at - equals - 1 : std::string::npos);
  if (!file.ends_with(".fst") || file.size() == 4) {
    return complain(argument, equals + 1, fmt::format("the waveform file must end in .fst; write {}", kExample));
  }
  std::error_code error;
  request.file = std::filesystem::absolute(file, error).string();
  if (error) return complain(argument, equals + 1, fmt::format("cannot name the file: {}", error.message()));
  if (!window) return request;

  const size_t colon = argument.find(':', at);
  if (colon == std::string::npos)
    return complain(argument, at + 1, fmt::format("the window has no \":\"; write {}", kExample));
  const absl::StatusOr<Time> from = parse_time(std::string_view(argument).substr(at + 1, colon - at - 1));
  if (!from.ok()) return complain(argument, at + 1, message_of(from.status()));
  const absl::StatusOr<Time> to = parse_time(std::string_view(argument).substr(colon + 1));
  if (!to.ok()) return complain(argument, colon + 1, message_of(to.status()));
  if (*to <= *from)
    return complain(argument, colon + 1,
                    fmt::format("the window ends at {}, not after its start at {}; write the earlier time first",
                                to_string(*to), to_string(*from)));
  request.from = *from;
  request.to = *to;
  return request;
}

absl::Status check_wave(const std::string& argument, const run::WaveRequest& request, const system::Plan& plan) {
  const absl::StatusOr<std::vector<system::ElementId>> selected = system::select_elements(plan.graph, request.select);
  if (!selected.ok()) return complain(argument, 0, message_of(selected.status()));
  for (const system::ElementId id : *selected) {
    const system::PartitionPlan& partition = plan.partitions[plan.partition_of[id]];
    if (plan.graph.elements[id].kind == system::ElementKind::kNode) {
      return complain(argument, 0,
                      fmt::format("{} has no waveforms: those of whole FPGAs are not written yet; leave --wave out, or "
                                  "look into a router of a torus",
                                  plan.graph.elements[id].name));
    }
    if (partition.implementation == v1::RTL) continue;
    return complain(
        argument, 0,
        fmt::format("{0} is {1} in this run and only RTL has waveforms; select RTL elements or add --use '{0}=RTL'",
                    plan.graph.elements[id].name, v1::Implementation_Name(partition.implementation)));
  }
  return absl::OkStatus();
}

}  // namespace fabrictwin::cli::options
