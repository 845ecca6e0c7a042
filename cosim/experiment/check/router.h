// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The routers of an experiment: from the message to checked values.
#pragma once

#include <cstdint>

#include "cosim/experiment/check/field_checker.h"
#include "cosim/experiment/experiment.h"
#include "cosim/experiment/tenants.h"

namespace fabrictwin::experiment {

/// The largest allowed value of router.buffer_words.
inline constexpr int32_t kMaxBufferWords = 4096;

/// Fills experiment.router from the message.
void check_router(Experiment& experiment, const Tenants& tenants, FieldChecker& fields);

/// Checks what routers of the models INPUT_QUEUED and PACKET require of the rest of the experiment, which must have
/// been checked before.
void check_router_model(Experiment& experiment, FieldChecker& fields);

}  // namespace fabrictwin::experiment
