// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The catalogue of the program is complete, follows the rules of Prometheus, and is what its page says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include "cosim/base/text.h"
#include "tests/dashboards/metrics/program_catalogue.h"

namespace fabrictwin {
namespace {

using ::testing::AnyOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(MetricCatalogue, NamesFollowTheRules) {
  std::set<std::string> names;
  for (const auto& metric : program_catalogue()) {
    const std::string name = metric.at("name");
    const std::string type = metric.at("type");
    const std::string unit = metric.at("unit");
    EXPECT_TRUE(names.insert(name).second) << name << " is there twice";
    EXPECT_THAT(name, MatchesRegex("fabrictwin_[a-z_]+"));
    EXPECT_THAT(metric.at("about").get<std::string>(), MatchesRegex("[A-Z].*[a-z]")) << name;
    EXPECT_THAT(type, AnyOf("counter", "gauge", "summary")) << name;
    if (type == "counter") {
      EXPECT_THAT(name, EndsWith("_total"));
    } else {
      EXPECT_THAT(name, Not(EndsWith("_total")));
    }
    // A summary has series with these endings.
    EXPECT_THAT(name, Not(AnyOf(EndsWith("_count"), EndsWith("_sum"), EndsWith("_bucket"))));
    // Base units and quotients of them only, and named in the name.
    EXPECT_THAT(unit, MatchesRegex("1|bytes|seconds|bytes_per_second")) << name;
    if (unit != "1") {
      EXPECT_THAT(name, HasSubstr("_" + unit));
    }
    std::set<std::string> labels;
    for (const std::string label : metric.at("labels")) {
      EXPECT_TRUE(labels.insert(label).second) << name << " " << label;
      EXPECT_THAT(label, MatchesRegex("[a-z_]+")) << name;
      // Prometheus's own.
      EXPECT_THAT(label, Not(AnyOf("quantile", "le", "job", "instance"))) << name;
    }
  }
  EXPECT_GE(names.size(), 20u);
}

// A declaration is in the program only if its file is linked.
TEST(MetricCatalogue, HasEveryMetricThatASourceDeclares) {
  std::set<std::string> listed;
  for (const auto& metric : program_catalogue()) listed.insert(metric.at("name"));
  static const std::regex kDeclaration(R"rx(\.name\s*=\s*"(fabrictwin_[a-z_]+)")rx");
  std::set<std::string> declared;
  for (const char* folder : {"bridges", "cosim", "dashboards", "models", "rtl", "workloads"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (entry.path().extension() != ".cpp") continue;
      const std::string text = text_of(entry.path());
      for (std::sregex_iterator i(text.begin(), text.end(), kDeclaration), end; i != end; ++i)
        EXPECT_TRUE(declared.insert((*i)[1]).second) << entry.path() << " declares " << (*i)[1] << " again";
    }
  }
  EXPECT_EQ(declared, listed);
}

TEST(MetricCatalogue, DocumentationHoldsExactlyTheCatalogue) {
  const std::string text = text_of("docs/metrics.md");
  const std::string begin = "<!-- metric catalogue: begin -->\n";
  const std::string end = "<!-- metric catalogue: end -->";
  const size_t from = text.find(begin);
  const size_t to = text.find(end);
  ASSERT_NE(from, std::string::npos);
  ASSERT_NE(to, std::string::npos);
  EXPECT_EQ(text.substr(from + begin.size(), to - from - begin.size()),
            run_cli({"describe", "--list", "metrics", "--markdown"}).out)
      << "scripts/metrics-page " << cli_binary() << " writes the page";
}

TEST(MetricCatalogue, IsListedForPeople) {
  const CliResult list = run_cli({"describe", "--list", "metrics"});
  EXPECT_EQ(list.exit_code, 0);
  EXPECT_THAT(list.out, HasSubstr("  fabrictwin_wall_seconds_total\n"));
  for (const std::string_view line : split(list.out, "\n")) EXPECT_LE(line.size(), 80u) << line;
  EXPECT_THAT(list.out, HasSubstr("Wall-clock time since the simulation began\n"));
  EXPECT_THAT(list.out, HasSubstr(" (labels: partition, kind, place)\n"));
}

TEST(MetricCatalogue, MarkdownIsOfMetricsOnly) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"describe", "--markdown"}, {"describe", "--list", "routing", "--markdown"}}) {
    const CliResult result = run_cli(arguments);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr("write --list metrics with it"));
  }
  EXPECT_EQ(run_cli({"describe", "--list", "metrics", "--markdown", "--json"}).exit_code, 2);
}

}  // namespace
}  // namespace fabrictwin
