// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/experiment/capabilities.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "cosim/base/text.h"
#include "fmt/format.h"
#include "tests/experiments.h"

namespace fabrictwin {
namespace {

using experiment::NicCapabilities;
using experiment::RouterCapabilities;
using ::testing::HasSubstr;

const experiment::Capabilities& parts() {
  static const experiment::Capabilities all = workloads::tenants().capabilities;
  return all;
}

TEST(CapabilitiesTest, EveryModelAndNetworkInterfaceHasADeclaration) {
  for (const v1::RouterModel model : {v1::EXANET, v1::INPUT_QUEUED, v1::PACKET, v1::EXTERNAL})
    EXPECT_EQ(parts().of(model).model, model);
  for (const v1::Host::Nic nic : {v1::Host::PLAIN, v1::Host::TOFU, v1::Host::RDMA}) EXPECT_EQ(parts().of(nic).nic, nic);
  EXPECT_EQ(parts().of(v1::ROUTER_MODEL_UNSPECIFIED).model, v1::EXANET);
  EXPECT_EQ(parts().of(v1::Host::NIC_UNSPECIFIED).nic, v1::Host::PLAIN);
}

TEST(CapabilitiesTest, AreNamedInTheOrderOfTheirValues) {
  EXPECT_EQ(parts().models_with(&RouterCapabilities::nodes), "EXANET");
  EXPECT_EQ(parts().models_with(&RouterCapabilities::any_rate), "PACKET or EXTERNAL");
  EXPECT_EQ(parts().nics_with(&NicCapabilities::gets), "TOFU or RDMA");
}

TEST(CapabilitiesTest, TrafficOfBarePacketsNeedsRoutersAndNetworkInterfacesThatAllowIt) {
  for (const v1::RouterModel model : {v1::EXANET, v1::INPUT_QUEUED, v1::PACKET}) {
    for (const std::string host : {"", "host { nic: PLAIN }", "host { nic: RDMA }"}) {
      const std::string text = fmt::format("router {{ model: {} }} {} ", v1::RouterModel_Name(model), host);
      const absl::StatusOr<experiment::Experiment> traffic = test::parse_experiment(
          "topology { torus { dims: [4, 4] } } workload { traffic { load: 0.1 } } " + text, "e.textproto");
      ASSERT_TRUE(traffic.ok()) << text << '\n' << traffic.status();
      EXPECT_EQ(traffic->sends_bare_packets(), model == v1::INPUT_QUEUED && host != "host { nic: RDMA }") << text;
      const absl::StatusOr<experiment::Experiment> messages = test::parse_experiment(
          "topology { torus { dims: [4, 4] } } workload { exchange { } } " + text, "e.textproto");
      ASSERT_TRUE(messages.ok()) << text << '\n' << messages.status();
      EXPECT_FALSE(messages->sends_bare_packets()) << text;
    }
  }
}

// An experiment is refused exactly if its router model lacks what it needs, and the message names that model.
TEST(CapabilitiesTest, WhatIsMissingIsRefused) {
  struct Need {
    bool RouterCapabilities::*capability;
    std::string topology;
    std::string workload;
    std::string rest;
  };
  const std::string traffic = "traffic { load: 0.1 }";
  for (const Need& need :
       {Need{&RouterCapabilities::nodes, "exanest { }", traffic, ""},
        Need{&RouterCapabilities::any_rate, "torus { dims: [4, 4] link_rate: \"400Gbps\" }", traffic, ""}}) {
    for (const v1::RouterModel model : {v1::EXANET, v1::INPUT_QUEUED, v1::PACKET}) {
      const std::string name = v1::RouterModel_Name(model);
      const std::string text = fmt::format("topology {{ {} }} router {{ model: {} }} workload {{ {} }} {}",
                                           need.topology, name, need.workload, need.rest);
      const absl::StatusOr<experiment::Experiment> experiment = test::parse_experiment(text, "e.textproto");
      EXPECT_EQ(experiment.ok(), parts().of(model).*need.capability) << text << '\n' << experiment.status();
      if (!experiment.ok()) EXPECT_THAT(std::string(message_of(experiment.status())), HasSubstr(name));
    }
  }
}

}  // namespace
}  // namespace fabrictwin
