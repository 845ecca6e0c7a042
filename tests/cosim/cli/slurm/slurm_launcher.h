// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cosim/base/text.h"
#include "cosim/cli/slurm/launcher.h"
#include "tests/cosim/cli/slurm/fake_slurm.h"
#include "tests/cosim/cli/slurm/studies.h"

namespace fabrictwin {

/// What happens between two looks of the launcher.
using LauncherSteps = std::vector<std::function<void()>>;

class SlurmLauncher : public ::testing::Test {
 protected:
  void open(size_t points, const std::string& name = "study") {
    folder_.reset();
    auto opened = cli::slurm::StudyFolder::open(temporary_.file(name), make_study(points), "/bin/program");
    ASSERT_TRUE(opened.ok()) << opened.status();
    folder_ = *std::move(opened);
  }

  /// Launches the study of the folder; after the last step the user interrupts.
  absl::Status launch(const LauncherSteps& steps, cli::slurm::LauncherOptions options = {}) {
    outcomes_.clear();
    steps_taken_ = 0;
    stop_ = std::stop_source();
    cli::slurm::Launcher launcher(
        *folder_, std::move(options),
        [&](const std::stop_token&) {
          if (steps_taken_ == steps.size()) {
            stop_.request_stop();
          } else {
            steps[steps_taken_++]();
          }
        },
        [&](size_t point, study::point::Outcome outcome) {
          EXPECT_TRUE(outcomes_.emplace(point, std::move(outcome)).second) << point;
        });
    const absl::Status status = launcher.run(stop_.get_token());
    may_have_tasks_ = launcher.may_have_tasks();
    return status;
  }

  /// What squeue says of a task.
  std::string line(size_t point, const std::string& state, int64_t job = 1, const std::string& reason = "None") const {
    return folder_->job_name() + "-" + std::to_string(point / cli::slurm::kBlock) + " " + std::to_string(job) + " " +
           std::to_string(point % cli::slurm::kBlock) + " " + state + " " + reason + "\n";
  }
  void finish(size_t point) const {
    ASSERT_TRUE(cli::slurm::write_result(folder_->path(), folder_->study().identity, point,
                                         make_outcome(static_cast<int64_t>(point)))
                    .ok());
  }
  /// Writes what a task has printed.
  void log(int64_t job, size_t point, std::string_view text) const {
    temporary_.write("study/logs/" + std::to_string(job) + "_" + std::to_string(point % cli::slurm::kBlock) + ".log",
                     text);
  }
  std::string error_of(size_t point) const { return std::string(message_of(outcomes_.at(point).status)); }

  const TestFolder temporary_;
  FakeSlurm slurm_{temporary_};
  std::unique_ptr<cli::slurm::StudyFolder> folder_;
  std::map<size_t, study::point::Outcome> outcomes_;
  std::stop_source stop_;
  bool may_have_tasks_ = false;
  size_t steps_taken_ = 0;
};

}  // namespace fabrictwin
