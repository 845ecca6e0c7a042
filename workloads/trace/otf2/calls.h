// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What is known of a call of MPI by the name of its region in an OTF2 archive.
#pragma once

#include <string>
#include <string_view>

#include "workloads/trace/trace_event.h"

namespace fabrictwin {

/// Why nobody can tell from an archive what this call does, of any producer or of EZTrace; empty if its records do.
std::string why_unsupported(std::string_view call, bool by_eztrace);

/// Why the records of what this call of EZTrace's completes cannot be believed; empty if they can.
std::string why_completion_is_wrong(std::string_view call);

/// Whether the call sends and receives.
bool is_exchange(std::string_view call);

/// What a record MpiSend in this call is: SEND, SSEND or BSEND.
v1::TraceAction sending_action(std::string_view call);

/// What a record MpiIsend in this call is: ISEND, ISSEND or IBSEND.
v1::TraceAction starting_action(std::string_view call);

}  // namespace fabrictwin
