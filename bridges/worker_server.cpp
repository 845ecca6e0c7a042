// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/worker_server.h"

#include "bridges/bridge_server.h"
#include "bridges/worker_service.h"

namespace fabrictwin {

absl::Status serve_worker(const WorkerOptions& options) {
  ServerEnd end;
  WorkerService service(options.registry, options.threads, options.once, end);
  BridgeServerOptions server;
  server.listen = options.listen;
  server.parent_pid = options.parent_pid;
  server.ready_fd = options.ready_fd;
  server.stop = options.stop;
  return serve_bridge(server, service, end);
}

}  // namespace fabrictwin
