// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What workers and boards count of themselves, as metrics.
#pragma once

#include <google/protobuf/repeated_field.h>

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <utility>

#include "cosim/metric/sink.h"
#include "fabrictwin/v1/report.pb.h"

namespace fabrictwin::bridges::server {

/// What a service does at one moment.
struct ServiceState {
  using Partitions = google::protobuf::RepeatedPtrField<v1::PartitionReport>;

  std::string run;        ///< The run that it takes part in; empty if there is none.
  uint64_t runs = 0;      ///< Runs that have begun.
  Partitions partitions;  ///< Its partitions of that run, or of the last one.
};

/// The metrics of a service, which come and go with it. Thread-safe.
class ServiceMetrics {
 public:
  using Source = std::function<ServiceState()>;

  /// `service` is what users know it by: "worker".
  explicit ServiceMetrics(std::string service) : service_(std::move(service)) {}

  void measure(metric::Sink& sink);

 private:
  friend class MeasuredService;

  const std::string service_;
  std::mutex mutex_;  ///< Guards the members below.
  Source source_;     ///< Empty while there is no service.
  ServiceState last_;
};

/// Connects a service with its metrics while this exists; its last state stays. `metrics` may be null. Other threads
/// call `source` at any time until then.
class MeasuredService {
 public:
  MeasuredService(ServiceMetrics* metrics, ServiceMetrics::Source source);
  ~MeasuredService();
  MeasuredService(const MeasuredService&) = delete;
  MeasuredService& operator=(const MeasuredService&) = delete;

 private:
  ServiceMetrics* metrics_;
};

}  // namespace fabrictwin::bridges::server
