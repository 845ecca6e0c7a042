// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// One SystemC kernel for each model partition, one after another in a process.
#pragma once

#include <memory>
#include <systemc>

#include "absl/status/statusor.h"

namespace fabrictwin {

/// Makes a fresh SystemC simulation context with a resolution of one femtosecond the current one, for as long as it
/// lives. Only one may exist in a process at a time.
class SystemcContext {
 public:
  /// FailedPrecondition if another one exists.
  static absl::StatusOr<std::unique_ptr<SystemcContext>> create();
  ~SystemcContext();
  SystemcContext(const SystemcContext&) = delete;
  SystemcContext& operator=(const SystemcContext&) = delete;

  /// Ends all methods of the current context, the newest first, before their modules go; none of them runs again.
  /// SystemC looks for each in a list from the newest on and would end the oldest first: that takes minutes for ten
  /// thousand hosts. Without effect before the simulation has begun.
  static void end_methods();

 private:
  SystemcContext();
  sc_core::sc_simcontext* previous_;
  std::unique_ptr<sc_core::sc_simcontext> context_;
};

}  // namespace fabrictwin
