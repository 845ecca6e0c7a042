// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Records as people read them, and as the bytes of messages.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "bridges/conformance/channel_map.h"
#include "cosim/link/record.h"
#include "nlohmann/json.hpp"

namespace fabrictwin::bridges::conformance {

/// The whole records of a blob; what is left over at its end is ignored.
std::vector<link::Record> records_of(const std::string& blob);
void append(const link::Record& record, std::string& blob);

/// A record that is counted in rows: a burst, a credit or one of the host's.
bool is_counted(const link::Record& record);

/// Whether times can be calculated with that stamp: no run lasts months. Promises and ends may have any.
bool has_plausible_stamp(const link::Record& record);

link::Record make_promise(uint32_t channel, Time time);
link::Record make_end(uint32_t channel);

/// "burst of 3 words, VC 1, header, at 132.8 ns (132800000 fs)".
std::string describe(const link::Record& record);
/// "channel 5 (from router[1].x+)".
std::string describe(const Channel& channel);
/// A time in both units: what people read, and what the protocol has.
std::string describe(Time time);

/// {"kind":"burst","channel":5,"stamp_fs":132800000,"vc":1,"header":true,"words":["..."]}: words in hexadecimal.
nlohmann::ordered_json record_json(const link::Record& record);
/// InvalidArgument, with what is wrong, if it is no record.
absl::StatusOr<link::Record> parse_record(const nlohmann::ordered_json& json);

}  // namespace fabrictwin::bridges::conformance
