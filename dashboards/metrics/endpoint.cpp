// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/metrics/endpoint.h"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <memory>

namespace fabrictwin::dashboards::metrics {
namespace {

constexpr long kSuccess = 200;
constexpr long kRedirection = 300;

/// What is on the other side: its name, and how to write where it is.
struct Other {
  const char* name;
  const char* advice;
};
constexpr Other kPage{"metrics address", "write ADDR:PORT or http://ADDR:PORT/metrics, for example 127.0.0.1:9464"};
constexpr Other kGateway{"address of a Pushgateway", "write ADDR:PORT or http://ADDR:PORT, for example 127.0.0.1:9091"};

absl::Status refuse_url(const Other& other, std::string_view text, std::string_view reason) {
  return absl::InvalidArgumentError(fmt::format("{} \"{}\": {}; {}", other.name, text, reason, other.advice));
}

using Url = std::unique_ptr<CURLU, decltype(&curl_url_cleanup)>;
using Transfer = std::unique_ptr<CURL, decltype(&curl_easy_cleanup)>;

/// A part of a URL; empty if it has none.
std::string part_of(const Url& url, CURLUPart part) {
  char* text = nullptr;
  if (curl_url_get(url.get(), part, &text, 0) != CURLUE_OK) return {};
  std::string copy(text);
  curl_free(text);
  return copy;
}

/// What the functions that libcurl calls need.
struct Request {
  const std::stop_token& stop;
  size_t limit;
  std::string body;
};

size_t take_body(char* data, size_t /*one*/, size_t size, void* user) {
  auto& request = *static_cast<Request*>(user);
  if (request.body.size() + size > request.limit) return 0;
  request.body.append(data, size);
  return size;
}

/// Not zero to end the transfer.
int wanted_no_more(void* user, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return static_cast<const Request*>(user)->stop.stop_requested() ? 1 : 0;
}

void prepare(CURL* curl, const std::string& url, const HttpLimits& limits, Request& request) {
  curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  // A proxy of the environment is for the world outside, and would hide the addresses of this machine.
  curl_easy_setopt(curl, CURLOPT_NOPROXY, "*");
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, static_cast<long>(limits.patience.count()));
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_body);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &request);
  curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, wanted_no_more);
  curl_easy_setopt(curl, CURLOPT_XFERINFODATA, &request);
}

absl::Status failure(CURLcode code, const std::string& url, const Request& request) {
  switch (code) {
    case CURLE_OK:
      return absl::OkStatus();
    case CURLE_ABORTED_BY_CALLBACK:
      return absl::CancelledError("interrupted");
    case CURLE_WRITE_ERROR:
      return absl::ResourceExhaustedError(
          fmt::format("{} answers with more than {} MiB; it is no page of metrics", url, request.limit >> 20));
    default:
      return absl::UnavailableError(fmt::format("nobody answers at {}: {}", url, curl_easy_strerror(code)));
  }
}

/// Makes the request and returns the body of the answer.
absl::StatusOr<std::string> perform(CURL* curl, const std::string& url, const std::stop_token& stop,
                                    const HttpLimits& limits) {
  Request request{stop, limits.bytes, {}};
  prepare(curl, url, limits, request);
  if (absl::Status status = failure(curl_easy_perform(curl), url, request); !status.ok()) return status;
  long answer = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &answer);
  if (answer >= kSuccess && answer < kRedirection) return std::move(request.body);
  return absl::NotFoundError(fmt::format("{} answers with HTTP status {}", url, answer));
}

/// Parses what a user has written.
absl::StatusOr<Url> parse_url(std::string_view text, const Other& other) {
  const bool whole = text.find("://") != std::string_view::npos;
  if (std::any_of(text.begin(), text.end(), [](unsigned char c) { return c <= 0x20 || c >= 0x7f; }))
    return refuse_url(other, text, "it has blanks, control characters or bytes beyond ASCII");
  if (!whole && text.find_first_of("/?#@") != std::string_view::npos)
    return refuse_url(other, text, "there is more than an address and a port, and no http:// before it");
  Url url(curl_url(), curl_url_cleanup);
  const std::string written = whole ? std::string(text) : fmt::format("http://{}", text);
  if (curl_url_set(url.get(), CURLUPART_URL, written.c_str(), 0) != CURLUE_OK)
    return refuse_url(other, text, "it is neither an address with a port from 1 to 65535 nor a URL of http or https");
  const std::string scheme = part_of(url, CURLUPART_SCHEME);
  if (scheme != "http" && scheme != "https")
    return refuse_url(other, text, fmt::format("metrics travel by http, not by {}", scheme));
  if (!whole && part_of(url, CURLUPART_PORT).empty()) return refuse_url(other, text, "there is no port");
  if (part_of(url, CURLUPART_PORT) == "0") return refuse_url(other, text, "nobody listens at port 0");
  // A password would be in logs and in the provenance of results.
  if (!part_of(url, CURLUPART_USER).empty()) return refuse_url(other, text, "there must be no user in it");
  return url;
}

}  // namespace

absl::StatusOr<std::string> endpoint_url(std::string_view text) {
  const absl::StatusOr<Url> url = parse_url(text, kPage);
  if (!url.ok()) return url.status();
  if (part_of(*url, CURLUPART_PATH) == "/") curl_url_set(url->get(), CURLUPART_PATH, "/metrics", 0);
  return part_of(*url, CURLUPART_URL);
}

absl::StatusOr<std::string> gateway_url(std::string_view text, std::string_view run) {
  const absl::StatusOr<Url> url = parse_url(text, kGateway);
  if (!url.ok()) return url.status();
  if (!part_of(*url, CURLUPART_QUERY).empty()) return refuse_url(kGateway, text, "there must be no ? in it");
  std::string path = part_of(*url, CURLUPART_PATH);
  while (path.ends_with('/')) path.pop_back();
  // Queries join series by their instance, of which a gateway would else have one for all runs.
  path += fmt::format("/metrics/job/fabrictwin/instance/{}", run);
  curl_url_set(url->get(), CURLUPART_PATH, path.c_str(), 0);
  return part_of(*url, CURLUPART_URL);
}

absl::StatusOr<std::string> fetch_page(const std::string& url, const std::stop_token& stop, const HttpLimits& limits) {
  const Transfer curl(curl_easy_init(), curl_easy_cleanup);
  if (curl == nullptr) return absl::InternalError("libcurl cannot be initialised");
  return perform(curl.get(), url, stop, limits);
}

absl::Status put_page(const std::string& url, const std::string& page, const std::stop_token& stop,
                      const HttpLimits& limits) {
  const Transfer curl(curl_easy_init(), curl_easy_cleanup);
  if (curl == nullptr) return absl::InternalError("libcurl cannot be initialised");
  curl_slist* list = curl_slist_append(nullptr, "Content-Type: text/plain; version=0.0.4; charset=utf-8");
  // The page goes at once, not after an answer to its announcement, which would cost a second where there is none.
  list = curl_slist_append(list, "Expect:");
  const std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)> headers(list, curl_slist_free_all);
  curl_easy_setopt(curl.get(), CURLOPT_CUSTOMREQUEST, "PUT");
  curl_easy_setopt(curl.get(), CURLOPT_HTTPHEADER, headers.get());
  curl_easy_setopt(curl.get(), CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(page.size()));
  curl_easy_setopt(curl.get(), CURLOPT_POSTFIELDS, page.c_str());
  return perform(curl.get(), url, stop, limits).status();
}

}  // namespace fabrictwin::dashboards::metrics
