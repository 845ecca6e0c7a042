// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Facts about MPI calls by the names of their regions in an OTF2 archive.
#pragma once

#include <string>
#include <string_view>

#include "workloads/trace/format/event.h"

namespace fabrictwin::trace::otf2 {

/// Why an archive, of any producer or of EZTrace, does not say what this call does; empty if its records do.
std::string why_unsupported(std::string_view call, bool by_eztrace);

/// Why the completion records of this call are unreliable if EZTrace wrote them; empty if they are reliable.
std::string why_completion_is_wrong(std::string_view call);

/// Whether the call both sends and receives.
bool is_exchange(std::string_view call);

/// The action of an MpiSend record in this call: SEND, SSEND or BSEND.
v1::TraceAction sending_action(std::string_view call);

/// The action of an MpiIsend record in this call: ISEND, ISSEND or IBSEND.
v1::TraceAction starting_action(std::string_view call);

}  // namespace fabrictwin::trace::otf2
