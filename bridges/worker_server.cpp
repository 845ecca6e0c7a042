// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/worker_server.h"

#include "bridges/bridge_server.h"
#include "bridges/worker_service.h"

namespace fabrictwin {

absl::Status serve_worker(const WorkerOptions& options) {
  ServerEnd end;
  WorkerService service(options.registry, options.threads, options.once, end);
  return serve_bridge(options, service, end);
}

}  // namespace fabrictwin
