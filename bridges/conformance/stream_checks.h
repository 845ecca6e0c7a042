// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks of runs that play a conversation again in other ways, or break its rules.
#pragma once

#include <map>

#include "bridges/conformance/conversation.h"
#include "bridges/conformance/findings.h"
#include "bridges/conformance/place.h"

namespace fabrictwin::bridges::conformance {

/// What a place was asked, and what it must answer.
struct Expectation {
  Conversation conversation;
  ChannelMap map;
  std::map<uint32_t, ChannelLog> answers;
};

/// replay.one_by_one, replay.at_once, replay.creep, replay.end, hold_back, credits.all, rows.rest, metrics, half_close,
/// stop, and everything that StreamRules check on the way.
void check_replays(Place& place, const Expectation& expected, Findings& findings);

/// refuse.*: a run for each record that the place must not take.
void check_refusals(Place& place, const Expectation& expected, Findings& findings);

/// speed: round trips and records a second.
void measure_speed(Place& place, const Expectation& expected, Findings& findings);

/// replay.file, and everything that StreamRules check on the way: the requests of the conversation as they are.
void check_file(Place& place, const Expectation& expected, Findings& findings);

}  // namespace fabrictwin::bridges::conformance
