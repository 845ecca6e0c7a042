// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/node_timing.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "cosim/base/suggest.h"
#include "fmt/format.h"

namespace fabrictwin {
namespace {

constexpr int32_t kMost = 1000;

#define NI_FIELD(name) [](NodeTiming& timing) -> int32_t& { return timing.ni.name; }

constexpr NodeTimingParameter kParameters[] = {
    {"register_write", 0, kMost, 4, NI_FIELD(register_write)},
    {"register_read", 0, kMost, 4, NI_FIELD(register_read)},
    {"descriptor_write", 0, kMost, 4, NI_FIELD(descriptor_write)},
    {"board_link", 0, kMost, 0, [](NodeTiming& timing) -> int32_t& { return timing.board_link; }},
    {"network_link", 0, kMost, 0, [](NodeTiming& timing) -> int32_t& { return timing.network_link; }},
    {"doorbell", 0, kMost, 4, NI_FIELD(doorbell)},
    {"mailbox", 0, kMost, 2, NI_FIELD(mailbox)},
    {"answer", 0, kMost, 3, NI_FIELD(answer)},
    {"answered", 0, kMost, 1, NI_FIELD(answered)},
    {"transfer_start", 0, kMost, 2, NI_FIELD(transfer_start)},
    {"cell_interval", 1, kMost, 3, NI_FIELD(cell_interval)},
    {"cell_send", 0, kMost, 1, NI_FIELD(cell_send)},
    {"notify_send", 0, kMost, 3, NI_FIELD(notify_send)},
    {"forward", 0, kMost, 1, NI_FIELD(forward)},
    {"cell_receive", 0, kMost, 2, NI_FIELD(cell_receive)},
    {"notify", 0, kMost, 5, NI_FIELD(notify)},
    {"block_answer", 0, kMost, 4, NI_FIELD(block_answer)},
    {"block_answered", 0, kMost, 6, NI_FIELD(block_answered)},
};

#undef NI_FIELD

absl::Status wrong(const Experiment& experiment, std::string_view what) {
  return absl::InvalidArgumentError(format_diagnostic(
      experiment.calibration_place, fmt::format("{}; make the file anew with `fabrictwin validate --calibrate`", what)));
}

}  // namespace

std::span<const NodeTimingParameter> node_timing_parameters() { return kParameters; }

absl::StatusOr<NodeTiming> node_timing(const Experiment& experiment) {
  NodeTiming timing;
  if (!experiment.calibration.has_value()) return timing;
  for (const v1::CalibratedParameter& parameter : experiment.calibration->parameter()) {
    const auto* known = std::find_if(std::begin(kParameters), std::end(kParameters),
                                     [&](const NodeTimingParameter& p) { return p.name == parameter.name(); });
    if (known == std::end(kParameters)) {
      std::vector<std::string_view> names;
      for (const NodeTimingParameter& p : kParameters) names.emplace_back(p.name);
      return wrong(experiment, fmt::format("{} sets \"{}\", which no model has{}", experiment.message.calibration(),
                                           parameter.name(), did_you_mean(parameter.name(), names)));
    }
    if (parameter.value() < known->least || parameter.value() > known->most) {
      return wrong(experiment, fmt::format("{} sets {} to {}, which must be from {} to {}",
                                           experiment.message.calibration(), parameter.name(), parameter.value(),
                                           known->least, known->most));
    }
    known->field(timing) = static_cast<int32_t>(parameter.value());
  }
  const NiTiming& ni = timing.ni;
  const bool whole = ni.register_write > 0 && ni.register_read > 0 && ni.descriptor_write > 0;
  if (!whole && (ni.register_write > 0 || ni.register_read > 0 || ni.descriptor_write > 0)) {
    return wrong(experiment, fmt::format("{} sets some of register_write, register_read and descriptor_write to zero and "
                                         "others not; the processor's accesses take time or they do not",
                                         experiment.message.calibration()));
  }
  return timing;
}

}  // namespace fabrictwin
