// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Routers of the model EXANET in an experiment: docs/models/exanet-router.md.
#include <cstdint>
#include <string_view>
#include <vector>

#include "cosim/experiment/tenants.h"
#include "cosim/link/record.h"
#include "fmt/format.h"
#include "models/fabric/router_fields.h"

namespace fabrictwin::router::exanet {
namespace {

constexpr int32_t kMinBufferWords = 18;

class Exanet final : public experiment::RouterCheck {
 public:
  const experiment::RouterCapabilities& capabilities() const override {
    static const experiment::RouterCapabilities declared{
        .model = v1::EXANET,
        .hardware = true,
        .host_links = true,
        .nodes = true,
        .series = true,
        .queue_meters = true,
        .faults = true,
        .only_marks = true,
    };
    return declared;
  }
  std::vector<std::string_view> fields(const experiment::NicCapabilities& nic) const override {
    std::vector<std::string_view> fields{"buffer_words"};
    if (nic.mtu) fields.push_back("packet_payload");
    return fields;
  }
  void check(experiment::Experiment& experiment, const experiment::MessageReader& reader) const override {
    const experiment::NicCapabilities& nic = experiment.capabilities.of(experiment.message.host().nic());
    experiment::RouterSpec& router = experiment.router;
    if (nic.mtu) router.packet_payload = fabric::check_packet_payload(experiment, reader);
    router.vcs = link::kVcs;
    router.buffer_words = experiment.message.router().buffer_words();
    if (router.buffer_words == 0 && !reader.has("buffer_words")) {
      router.buffer_words = reader.default_number("buffer_words");
    } else if (router.buffer_words < kMinBufferWords || router.buffer_words > fabric::kMaxBufferWords) {
      reader.complain("buffer_words",
                      fmt::format("buffer_words {}: virtual cut-through needs space for a whole packet; write {} to {}",
                                  router.buffer_words, kMinBufferWords, fabric::kMaxBufferWords));
    }
  }
};

}  // namespace

const experiment::RouterCheck& kind() {
  static const Exanet kind;
  return kind;
}

}  // namespace fabrictwin::router::exanet
