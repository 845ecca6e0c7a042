// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The faults of links that carry words, as a place applies them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "cosim/experiment/experiment.h"
#include "cosim/link/word_faults.h"
#include "cosim/metric/sink.h"
#include "cosim/system/plan.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::run {

/// Faults befall what the sender of a channel sends, at its place. A board knows of none, so what it sends meets them
/// where it arrives. Not thread-safe, except measure().
class WordFaultSet {
 public:
  WordFaultSet(const experiment::Experiment& experiment, const system::Plan& plan, int32_t place);

  /// The faults of a channel that are applied at this place, or null.
  link::WordFaults* of(int32_t channel) const;
  /// Whether they befall what arrives, because the sender is a board.
  bool at_receiver(int32_t channel) const;

  /// What each has done so far.
  void measure(metric::Sink& sink) const;

 private:
  const system::Plan& plan_;
  std::map<int32_t, std::unique_ptr<link::WordFaults>> by_channel_;
};

/// Adds all faults of links of words to a report that has what all places have measured.
void report_word_faults(const experiment::Experiment& experiment, const system::Plan& plan, v1::Report& report);

/// Lines for the message of a run that has ended early at `now`: which links have failed and do not return.
std::string failed_links(const experiment::Experiment& experiment, const system::Plan& plan, Time now);

}  // namespace fabrictwin::run
