// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Threads on cores of their own.
#pragma once

namespace fabrictwin::engine {

/// Pins the calling thread to one of the cores that it may use, by `index` modulo their number. This is best effort: a
/// failure does not change any result.
void pin_thread(int index);

}  // namespace fabrictwin::engine
