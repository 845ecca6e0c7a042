// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/conformance/findings.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>

namespace fabrictwin {
namespace {

using bridges::conformance::all_checks;
using bridges::conformance::Check;
using bridges::conformance::CheckKind;
using bridges::conformance::Findings;
using bridges::conformance::Verdict;

TEST(FindingsTest, ChecksHaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (const CheckKind& kind : all_checks()) {
    EXPECT_TRUE(names.insert(kind.name).second) << kind.name;
    EXPECT_FALSE(kind.section.empty()) << kind.name;
    EXPECT_FALSE(kind.about.ends_with('.')) << kind.name;
  }
}

TEST(FindingsTest, ACheckThatFailedOnceHasFailed) {
  Findings findings;
  findings.ok("run");
  findings.fail("run", "first");
  findings.fail("run", "second");
  findings.ok("run");
  findings.skip("run", "why");
  ASSERT_EQ(findings.checks().size(), 1u);
  const Check check = findings.checks()[0];
  EXPECT_EQ(check.verdict, Verdict::kFailed);
  EXPECT_EQ(check.text, "first");
  EXPECT_EQ(check.looked, 4u);
  EXPECT_EQ(check.failed, 2u);
  EXPECT_TRUE(findings.any_failed());
}

TEST(FindingsTest, SkippedIsWhatNobodyCouldLookAt) {
  Findings findings;
  findings.skip("run", "why");
  EXPECT_EQ(findings.checks()[0].verdict, Verdict::kSkipped);
  findings.ok("run");
  EXPECT_EQ(findings.checks()[0].verdict, Verdict::kOk);
  EXPECT_FALSE(findings.any_failed());
}

TEST(FindingsTest, ChecksCanBeAskedForByNameAndByGroup) {
  Findings findings({"rows", "refuse.slot", "hello"});
  for (const char* name : {"rows.now", "rows.rest", "refuse.slot", "hello", "hello.version"})
    EXPECT_TRUE(findings.wanted(name)) << name;
  for (const char* name : {"refuse.size", "run", "run_id", "replay.end"}) EXPECT_FALSE(findings.wanted(name)) << name;
  EXPECT_TRUE(findings.wanted_group("refuse"));
  EXPECT_FALSE(findings.wanted_group("stream"));
  findings.fail("run", "not asked for");
  EXPECT_TRUE(findings.checks().empty());
}

}  // namespace
}  // namespace fabrictwin
