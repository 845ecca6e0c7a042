// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Any bytes are an experiment or are refused with a line; what is accepted makes a text that is accepted again. The
// first line of an input may be
// "--set ARGUMENT" or "--use ARGUMENT", so that the command line is fuzzed too.
#include <google/protobuf/text_format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "cosim/experiment/experiment.h"
#include "tests/experiments.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using fabrictwin::experiment::Experiment;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  fabrictwin::experiment::Overrides overrides;
  overrides.check_files = false;
  while (text.starts_with("--set ") || text.starts_with("--use ")) {
    const size_t end = std::min(text.find('\n'), text.size());
    auto& arguments = text[2] == 's' ? overrides.sets : overrides.uses;
    arguments.emplace_back(text.substr(6, end - 6));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  const absl::StatusOr<fabrictwin::experiment::Experiment> experiment =
      fabrictwin::test::parse_experiment(text, "/fuzz/experiment.textproto", overrides);
  if (!experiment.ok()) {
    if (experiment.status().message().empty()) std::abort();
    return 0;
  }
  std::string again;
  overrides = fabrictwin::experiment::Overrides();
  overrides.check_files = false;
  if (!google::protobuf::TextFormat::PrintToString(experiment->message, &again)) std::abort();
  // A line of its text form can be too long where the file's were not; that is refused, not wrong.
  if (again.size() > 8192) return 0;
  const absl::StatusOr<fabrictwin::experiment::Experiment> second =
      fabrictwin::test::parse_experiment(again, "/other/experiment.textproto", overrides);
  if (!second.ok() || second->message.SerializeAsString() != experiment->message.SerializeAsString()) std::abort();
  return 0;
}
