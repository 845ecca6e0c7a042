// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// One SystemC kernel for each model partition, one after another in a process.
#pragma once

#include <memory>
#include <systemc>

#include "absl/status/statusor.h"

namespace fabrictwin::kernel {

/// A fresh SystemC simulation context with a resolution of one femtosecond, which is the current one as long as this
/// lives. Only one may exist in a process at a time.
class SystemcContext {
 public:
  /// FailedPrecondition if another context exists.
  static absl::StatusOr<std::unique_ptr<SystemcContext>> create();
  ~SystemcContext();
  SystemcContext(const SystemcContext&) = delete;
  SystemcContext& operator=(const SystemcContext&) = delete;

  /// Ends all methods of the current context, the newest first, before their modules are destroyed; none of them runs
  /// again. SystemC would end the oldest first, searching each in a list from the newest on, which takes minutes for
  /// ten thousand hosts. Has no effect before the simulation has begun.
  static void end_methods();

 private:
  SystemcContext();
  sc_core::sc_simcontext* previous_;
  std::unique_ptr<sc_core::sc_simcontext> context_;
};

}  // namespace fabrictwin::kernel
