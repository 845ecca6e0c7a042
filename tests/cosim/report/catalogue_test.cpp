// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/report/catalogue.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cosim/base/text.h"
#include "cosim/experiment/experiment.h"
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/network/topology.h"
#include "tests/experiments.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

std::vector<std::string> names_of(const report::Catalogue& catalogue) {
  std::vector<std::string> names;
  for (const report::CatalogueEntry& entry : catalogue.entries) names.push_back(entry.name);
  return names;
}

TEST(CatalogueTest, HasAllTopologiesAndPatterns) {
  EXPECT_THAT(names_of(report::make_catalogue("topologies")),
              IsSupersetOf({"torus", "exanest", "spine_leaf", "tofu", "blue_gene_q", "dragonfly", "fat_tree",
                            "sun_fire_x4600", "graph"}));
  EXPECT_THAT(names_of(report::make_catalogue("traffic")),
              IsSupersetOf({"uniform", "tornado", "transpose", "bitcomp", "bitrev", "shuffle", "neighbor", "hotspot"}));
}

TEST(CatalogueTest, RoutingSaysWhichVcsItNeeds) {
  const report::Catalogue routing = report::make_catalogue("routing");
  EXPECT_THAT(names_of(routing), IsSupersetOf({"dimension_order", "minimal_adaptive", "valiant", "ugal_l", "ugal_g",
                                               "up_down", "d_mod_k", "table"}));
  for (const report::CatalogueEntry& entry : routing.entries) EXPECT_NE(entry.vc_classes, "") << entry.name;
  const auto json = nlohmann::json::parse(report::catalogue_json(routing));
  EXPECT_EQ(json.at("routing").at(0).at("name"), "default");
  EXPECT_EQ(json.at("routing").at(1).at("vc_classes"), "2 with rings, else 1");
}

TEST(CatalogueTest, EveryEntrySaysWhatItIs) {
  for (const std::string& kind : report::catalogue_kinds()) {
    for (const report::CatalogueEntry& entry : report::make_catalogue(kind).entries)
      EXPECT_NE(entry.about, "") << entry.name;
  }
}

TEST(CatalogueTest, JsonHasFieldsWithDefaultsAndUnits) {
  const auto json = nlohmann::json::parse(report::catalogue_json(report::make_catalogue("topologies")));
  const auto& list = json.at("topologies");
  const auto tree = std::find_if(list.begin(), list.end(), [](const auto& one) { return one["name"] == "fat_tree"; });
  ASSERT_NE(tree, list.end());
  EXPECT_EQ(
      tree->at("parameters").at(0),
      nlohmann::json::parse(R"({"name":"down","type":"number","repeated":true,"default":"4 4","unit":"children"})"));
  const auto graph = std::find_if(list.begin(), list.end(), [](const auto& one) { return one["name"] == "graph"; });
  EXPECT_EQ(graph->at("parameters").at(0).at("name"), "router.name");
  const auto traffic = nlohmann::json::parse(report::catalogue_json(report::make_catalogue("traffic")));
  EXPECT_EQ(traffic.at("traffic").at(0).at("name"), "uniform");
  EXPECT_EQ(traffic.at("parameters").at(1).at("default"), "256B");
}

TEST(CatalogueTest, DefaultsWithExanetStandBesideTheOthers) {
  const report::Catalogue schemes = report::make_catalogue("congestion");
  const auto json = nlohmann::json::parse(report::catalogue_json(schemes));
  const auto& list = json.at("congestion");
  const auto cca = std::find_if(list.begin(), list.end(), [](const auto& one) { return one["name"] == "ib_cca"; });
  ASSERT_NE(cca, list.end());
  const auto& fields = cca->at("parameters");
  EXPECT_FALSE(fields.at(0).contains("exanet_default"));
  EXPECT_EQ(fields.at(3).at("name"), "packet_size");
  EXPECT_EQ(fields.at(3).at("default"), "8");
  EXPECT_EQ(fields.at(3).at("exanet_default"), "4");
  EXPECT_THAT(report::catalogue_text(schemes), HasSubstr("    packet_size   8; EXANET: 4  "));
}

TEST(CatalogueTest, SchemesOfRatesNameThoseOfQueues) {
  EXPECT_THAT(report::catalogue_text(report::make_catalogue("congestion")),
              testing::EndsWith("\nqueues (--list queues), in compare --schemes also with one of these\n"
                                "  one, voqsw, voqnet, dbbm, obqa, fbicm\n"));
  EXPECT_THAT(report::catalogue_text(report::make_catalogue("queues")), testing::Not(HasSubstr("compare")));
}

TEST(CatalogueTest, ChoicesHaveTheirValues) {
  const auto field_of = [](const nlohmann::json& parameters, const std::string& name) {
    const auto found =
        std::find_if(parameters.begin(), parameters.end(), [&](const auto& field) { return field["name"] == name; });
    return found == parameters.end() ? nlohmann::json::object() : *found;
  };
  const auto traffic = nlohmann::json::parse(report::catalogue_json(report::make_catalogue("traffic")));
  EXPECT_EQ(field_of(traffic.at("parameters"), "process").at("values"),
            nlohmann::json::parse(R"(["bernoulli", "bursty", "closed_loop"])"));
  EXPECT_FALSE(field_of(traffic.at("parameters"), "payload").contains("values"));
  const auto topologies = nlohmann::json::parse(report::catalogue_json(report::make_catalogue("topologies")));
  for (const auto& topology : topologies.at("topologies")) {
    if (topology.at("name") == "tofu") {
      EXPECT_EQ(field_of(topology.at("parameters"), "generation").at("values"),
                nlohmann::json::parse(R"(["tofu", "tofu2", "tofud"])"));
    }
  }
  EXPECT_THAT(report::catalogue_text(report::make_catalogue("traffic")),
              HasSubstr("one of bernoulli, bursty, closed_loop"));
}

TEST(CatalogueTest, TextIsATableForEachTopology) {
  const std::string text = report::catalogue_text(report::make_catalogue("topologies"));
  EXPECT_THAT(text, HasSubstr("  dragonfly       Groups with all-to-all rows and columns"));
  EXPECT_THAT(text, HasSubstr("global_ports"));
  for (const std::string_view line : split(text, "\n")) EXPECT_LE(line.size(), 80u) << line;
  EXPECT_THAT(text, HasSubstr("37.6Gbps"));
}

/// All links of the topology that an experiment builds, with all that it says about them.
std::vector<std::string> links_of(const experiment::Experiment& experiment) {
  const absl::StatusOr<system::SystemGraph> graph = network::build_topology(experiment);
  if (!graph.ok()) return {graph.status().ToString()};
  std::vector<std::string> links;
  for (int32_t channel = 0; channel < graph->channel_count(); ++channel) {
    const system::Link& link = graph->channel_link(channel);
    links.push_back(fmt::format("{} {} {} {}", graph->channel_name(channel), link.rate.bits_per_second,
                                link.latency.fs(), link.buffer_words));
  }
  return links;
}

// What the list calls a default is what an experiment gets that leaves the field out.
TEST(CatalogueTest, DefaultsAreWhatCounts) {
  const auto checked = [](const std::string& name, const std::string& fields) {
    // The clock is that of the topology in both.
    return test::parse_experiment(
        fmt::format("topology {{ {} {{ {} }} }}\nworkload {{ traffic {{ load: 0.1 }} }}\n", name, fields),
        "e.textproto");
  };
  for (const report::CatalogueEntry& entry : report::make_catalogue("topologies").entries) {
    if (entry.name == "graph") continue;
    const std::string needed = entry.name == "torus" ? "dims: [4, 4] " : "";
    std::string all = needed;
    for (const report::CatalogueField& field : entry.fields) {
      // Those that depend on others are words, not values.
      const bool value =
          field.default_value.find_first_of("(*") == std::string::npos && field.default_value != "as down";
      if (field.default_value.empty() || !value) continue;
      for (const std::string_view one : split(field.default_value, " "))
        all += fmt::format(fmt::runtime(field.type == "quantity" ? "{}: \"{}\" " : "{}: {} "), field.name, one);
    }
    const auto left_out = checked(entry.name, needed);
    const auto written = checked(entry.name, all);
    ASSERT_TRUE(left_out.ok()) << left_out.status();
    ASSERT_TRUE(written.ok()) << written.status();
    EXPECT_EQ(left_out->router.clock, written->router.clock) << entry.name;
    EXPECT_EQ(links_of(*left_out), links_of(*written)) << entry.name;
  }
}

}  // namespace
}  // namespace fabrictwin
