// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The routers of an experiment: from the message to checked values.
#pragma once

#include <cstdint>

#include "cosim/run/experiment.h"
#include "cosim/run/field_checker.h"

namespace fabrictwin {

/// The most that router.buffer_words may say.
inline constexpr int32_t kMaxBufferWords = 4096;

/// Fills experiment.router from the message.
void check_router(Experiment& experiment, FieldChecker& fields);

/// What routers of the models INPUT_QUEUED and PACKET ask of the rest of the experiment, once that has been checked.
void check_router_model(Experiment& experiment, FieldChecker& fields);

}  // namespace fabrictwin
