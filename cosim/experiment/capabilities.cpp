// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/experiment/capabilities.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "cosim/experiment/check/topology_reader.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace fabrictwin::experiment {
namespace {

const RouterCapabilities kExanet{
    .model = v1::EXANET,
    .places = true,
    .nodes = true,
};
const RouterCapabilities kInputQueued{
    .model = v1::INPUT_QUEUED,
    .most_link_cycles = kMaxInputQueuedLinkCycles,
};
const RouterCapabilities kPacket{
    .model = v1::PACKET,
    .any_rate = true,  // Packets have no words.
};
const RouterCapabilities* const kModels[] = {&kExanet, &kInputQueued, &kPacket};

const NicCapabilities kPlain{.nic = v1::Host::PLAIN, .frame_bytes = 32};
const NicCapabilities kTofu{.nic = v1::Host::TOFU,
                            .gets = true,
                            .memory = true,
                            .core_memory = true,
                            .topology = v1::Topology::kTofu,
                            .packet_bytes = 2048};
const NicCapabilities kRdma{.nic = v1::Host::RDMA, .gets = true, .memory = true, .frame_bytes = 42};
const NicCapabilities* const kNics[] = {&kPlain, &kTofu, &kRdma};

std::vector<std::string_view> names_with(bool RouterCapabilities::*capability) {
  std::vector<std::string_view> names;
  for (const RouterCapabilities* model : kModels) {
    if (model->*capability) names.push_back(v1::RouterModel_Name(model->model));
  }
  return names;
}

}  // namespace

const RouterCapabilities& capabilities(v1::RouterModel model) {
  const auto found = std::ranges::find_if(kModels, [&](const auto* one) { return one->model == model; });
  return found == std::end(kModels) ? kExanet : **found;
}

const NicCapabilities& capabilities(v1::Host::Nic nic) {
  const auto found = std::ranges::find_if(kNics, [&](const auto* one) { return one->nic == nic; });
  return found == std::end(kNics) ? kPlain : **found;
}

std::string models_with(bool RouterCapabilities::*capability) {
  return fmt::format("{}", fmt::join(names_with(capability), " or "));
}

std::string first_model_with(bool RouterCapabilities::*capability) {
  return std::string(names_with(capability).front());
}

std::string nics_with(bool NicCapabilities::*capability) {
  std::vector<std::string_view> names;
  for (const NicCapabilities* nic : kNics) {
    if (nic->*capability) names.push_back(v1::Host::Nic_Name(nic->nic));
  }
  return fmt::format("{}", fmt::join(names, " or "));
}

}  // namespace fabrictwin::experiment
