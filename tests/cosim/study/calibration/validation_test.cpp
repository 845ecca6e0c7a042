// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/study/calibration/validation.h"

#include <gtest/gtest.h>

#include "tests/test_folder.h"
#include "workloads/tenants.h"

namespace fabrictwin {
namespace {

/// Validates with runs of which the `interrupted`th, from 0 on, is interrupted.
absl::StatusOr<study::calibration::Validation> validate_until(int interrupted) {
  const TestFolder folder;
  experiment::Input input;
  input.file =
      folder.write("small.textproto", "topology { torus { dims: 2 } }\nworkload { traffic { load: 0.3 } }\nseed: 3\n");
  study::Runner runner;
  runner.parts.tenants = workloads::tenants();
  int run = 0;
  runner.run_to_end = [&](const experiment::Experiment&, const run::Registry&, const study::RunToEndOptions&,
                          observe::MessageLog*) -> absl::StatusOr<v1::Report> {
    if (run++ == interrupted) return absl::CancelledError("interrupted");
    v1::Report report;
    report.set_complete(true);
    return report;
  };
  return study::calibration::validate(input, runner, {}, 3, 100, 10);
}

TEST(Validation, AnInterruptKeepsThePairsBefore) {
  for (const int in_pair : {0, 1}) {
    EXPECT_TRUE(absl::IsCancelled(validate_until(in_pair).status())) << "before the first pair has ended";
    const absl::StatusOr<study::calibration::Validation> partial = validate_until(2 + in_pair);
    ASSERT_TRUE(partial.ok()) << partial.status();
    EXPECT_TRUE(partial->interrupted);
    EXPECT_TRUE(partial->complete) << "those that are there";
    ASSERT_EQ(partial->report.runs_size(), 1);
    EXPECT_EQ(partial->report.runs(0).seed(), 3u);
  }
  const absl::StatusOr<study::calibration::Validation> whole = validate_until(-1);
  ASSERT_TRUE(whole.ok()) << whole.status();
  EXPECT_FALSE(whole->interrupted);
  EXPECT_EQ(whole->report.runs_size(), 3);
}

}  // namespace
}  // namespace fabrictwin
