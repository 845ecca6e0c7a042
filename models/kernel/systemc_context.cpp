// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/systemc_context.h"

#include <atomic>
#include <vector>

#include "absl/status/status.h"

// The library refers to sc_main for programs that let it own main(); ours drive the kernel with sc_start().
int sc_main(int, char**) { return 0; }

namespace fabrictwin::kernel {
namespace {

std::atomic<bool> g_in_use{false};  // SystemC's current context is itself global.

// Collects the methods of `objects` in order of creation, each object followed by what it contains.
void collect_methods(const std::vector<sc_core::sc_object*>& objects,
                     std::vector<sc_core::sc_process_handle>& methods) {
  for (sc_core::sc_object* object : objects) {
    const sc_core::sc_process_handle process(object);
    if (process.valid() && process.proc_kind() == sc_core::SC_METHOD_PROC_) methods.push_back(process);
    collect_methods(object->get_child_objects(), methods);
  }
}

}  // namespace

absl::StatusOr<std::unique_ptr<SystemcContext>> SystemcContext::create() {
  if (g_in_use.exchange(true)) {
    return absl::FailedPreconditionError(
        "a process holds one SystemC context at a time; put these models in another worker process");
  }
  return std::unique_ptr<SystemcContext>(new SystemcContext);
}

SystemcContext::SystemcContext()
    : previous_(sc_core::sc_curr_simcontext), context_(std::make_unique<sc_core::sc_simcontext>()) {
  sc_core::sc_curr_simcontext = context_.get();
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  // Problems of a model are errors of the run, not of the process: they are reported as exceptions, without text on the
  // terminal.
  sc_core::sc_report_handler::set_actions(sc_core::SC_ERROR, sc_core::SC_THROW);
  sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW);
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
}

void SystemcContext::end_methods() {
  if (!sc_core::sc_is_running()) return;
  std::vector<sc_core::sc_process_handle> methods;
  collect_methods(sc_core::sc_get_top_level_objects(), methods);
  for (; !methods.empty(); methods.pop_back()) methods.back().kill();
}

SystemcContext::~SystemcContext() {
  context_.reset();
  sc_core::sc_curr_simcontext = previous_;
  g_in_use.store(false);
}

}  // namespace fabrictwin::kernel
