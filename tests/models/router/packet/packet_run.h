// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Whole runs of models only, without what the command line links in.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/base/time.h"
#include "cosim/run/run.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin {

/// Everything of a run but its execution: an experiment given as text, changed by `sets`. Paths in it are relative to
/// the working directory. The models advance by `step` at a time, or as the executor likes; they may use `threads`
/// threads, and record messages in a log. `rtl` makes what is RTL.
absl::StatusOr<std::unique_ptr<run::Run>> prepare_models(const std::string& text,
                                                         const std::vector<std::string>& sets = {},
                                                         Time step = Time::never(), int threads = 1,
                                                         observe::MessageLog* messages = nullptr,
                                                         run::PartitionFactory rtl = nullptr);

/// Prepares and executes it.
absl::StatusOr<v1::Report> run_models(const std::string& text, const std::vector<std::string>& sets = {},
                                      Time step = Time::never(), int threads = 1);

/// The report of a run that has to be successful, with routers of PACKET unless the text is to say of which model.
v1::Report report_of(const std::string& text, std::vector<std::string> sets, bool packet = true);

/// The message of the error with which a run ends.
std::string error_of(const std::string& text, const std::vector<std::string>& sets);

}  // namespace fabrictwin
