// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/worker/server.h"

#include "bridges/server/server.h"
#include "bridges/server/service_metrics.h"
#include "bridges/worker/service.h"

namespace fabrictwin::bridges::worker {

absl::Status serve_worker(const Options& options) {
  server::ServerEnd end;
  Service service(options.registry, options.threads, options.once, end);
  const server::MeasuredService measured(options.metrics, [&service] { return service.state(); });
  return server::serve_bridge(options, service, end);
}

}  // namespace fabrictwin::bridges::worker
