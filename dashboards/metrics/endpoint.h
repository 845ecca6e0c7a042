// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Metrics endpoints and Pushgateways of other processes, over HTTP.
#pragma once

#include <chrono>
#include <stop_token>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace fabrictwin::dashboards::metrics {

/// The URL of a metrics page that is written as "ADDR:PORT" (a name or an address; IPv6 in brackets), which means its
/// page /metrics, or as a URL of http or https, whose path is kept if it has one. InvalidArgument says what to write.
absl::StatusOr<std::string> endpoint_url(std::string_view text);

/// Where a Pushgateway, which is written as a page is, keeps the metrics of job "fabrictwin" and this run.
/// InvalidArgument says what to write.
absl::StatusOr<std::string> gateway_url(std::string_view text, std::string_view run);

/// What a request may take.
struct HttpLimits {
  std::chrono::milliseconds patience{10'000};  ///< For the whole request.
  size_t bytes = size_t{256} << 20;            ///< The largest answer that is taken.
};

/// Gets the body of a page, directly and not through a proxy. Errors name the URL: Unavailable if nobody answers in
/// time, NotFound if the answer is not the page (HTTP status other than 200), ResourceExhausted if it is too long,
/// Cancelled once a stop is requested. Thread-safe.
absl::StatusOr<std::string> fetch_page(const std::string& url, const std::stop_token& stop,
                                       const HttpLimits& limits = {});

/// Replaces all that is kept at the URL by a page. Errors are those of fetch_page(). Thread-safe.
absl::Status put_page(const std::string& url, const std::string& page, const std::stop_token& stop,
                      const HttpLimits& limits = {});

}  // namespace fabrictwin::dashboards::metrics
