// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/conformance/call_checks.h"

#include <algorithm>
#include <string>
#include <thread>
#include <utility>

#include "bridges/conformance/records.h"
#include "bridges/protocol/protocol.h"
#include "fmt/format.h"

namespace fabrictwin::bridges::conformance {
namespace {

/// Versions that nobody speaks.
constexpr uint32_t kStrangeVersion = 900'001;
constexpr std::chrono::milliseconds kPause{10};

std::string text_of(const grpc::Status& status) {
  static constexpr const char* kNames[] = {
      "OK",        "CANCELLED",      "UNKNOWN",           "INVALID_ARGUMENT",   "DEADLINE_EXCEEDED",
      "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
      "ABORTED",   "OUT_OF_RANGE",   "UNIMPLEMENTED",     "INTERNAL",           "UNAVAILABLE",
      "DATA_LOSS", "UNAUTHENTICATED"};
  const auto code = static_cast<size_t>(status.error_code());
  const std::string name = code < std::size(kNames) ? kNames[code] : fmt::format("code {}", code);
  if (status.ok()) return name;
  if (status.error_code() == grpc::DEADLINE_EXCEEDED) return "hangs: no answer in time";
  return status.error_message().empty() ? name : fmt::format("{}: {}", name, status.error_message());
}

void expect_code(Findings& findings, const char* check, const std::string& what, const grpc::Status& status,
                 grpc::StatusCode wanted) {
  findings.expect(
      check, status.error_code() == wanted,
      fmt::format("{}: {} was expected, and it said: {}", what, text_of(grpc::Status(wanted, "")), text_of(status)));
}

void check_versions(Place& place, const v1::HelloResponse& known, Findings& findings) {
  v1::HelloRequest request = protocol::make_hello();
  request.set_min_version(kStrangeVersion);
  request.set_max_version(kStrangeVersion + 1);
  v1::HelloResponse response;
  const grpc::Status status = place.calls().hello(request, response, place.timeout());
  const std::string what = fmt::format("Hello with versions {} to {}", kStrangeVersion, kStrangeVersion + 1);
  expect_code(findings, "hello.version", what, status, grpc::FAILED_PRECONDITION);
  if (status.error_code() != grpc::FAILED_PRECONDITION) return;
  const auto names = [&](uint32_t version) {
    return status.error_message().find(std::to_string(version)) != std::string::npos;
  };
  const bool all =
      names(kStrangeVersion) && names(kStrangeVersion + 1) && names(known.min_version()) && names(known.max_version());
  findings.expect("hello.version", all,
                  fmt::format("{}: the message does not name both ranges: \"{}\"", what, status.error_message()));
}

/// A run that goes on: one that has answered its first request.
class OpenRun {
 public:
  /// `begun` says whether it is there.
  OpenRun(Place& place, v1::ConfigureRequest configure) : place_(place), configure_(std::move(configure)) {
    begun = place_.prepare(configure_);
    if (!begun.ok()) return;
    stream_ = place_.open();
    v1::RunRequest request;
    request.set_number(1);
    request.set_run_id(configure_.run_id());
    if (absl::StatusOr<ChannelMap> map = ChannelMap::of(configure_); map.ok()) {
      for (const auto& [id, channel] : map->crossing()) {
        if (channel.inbound) append(make_promise(id, Time::zero()), *request.mutable_records());
      }
    }
    absl::Status status = stream_->start();
    if (status.ok()) status = stream_->write(request);
    absl::StatusOr<std::optional<v1::RunResponse>> response = std::nullopt;
    if (status.ok()) response = stream_->read();
    if (status.ok() && response.ok() && response->has_value()) return;
    begun = grpc::Status(grpc::DEADLINE_EXCEEDED, "the first request has no answer");
  }

  const std::string& id() const { return configure_.run_id(); }
  PlaceStream& stream() { return *stream_; }
  void leave() { stream_.reset(); }

  grpc::Status begun;

 private:
  Place& place_;
  v1::ConfigureRequest configure_;
  std::unique_ptr<PlaceStream> stream_;
};

grpc::Status connect(Place& place, const std::string& run_id) {
  v1::ConnectRequest request;
  request.set_run_id(run_id);
  request.set_transport(v1::BRIDGE_TRANSPORT_STREAM);
  v1::ConnectResponse response;
  return place.calls().connect(request, response, place.timeout());
}

grpc::Status metrics(Place& place, const std::string& run_id) {
  v1::MetricsRequest request;
  request.set_run_id(run_id);
  v1::MetricsResponse response;
  return place.calls().metrics(request, response, place.timeout());
}

grpc::Status stop(Place& place, const std::string& run_id) {
  v1::StopRequest request;
  request.set_run_id(run_id);
  v1::StopResponse response;
  return place.calls().stop(request, response, place.timeout());
}

std::string busy_with(Place& place) {
  v1::DescribeResponse response;
  const grpc::Status status = place.calls().describe({}, response, place.timeout());
  return status.ok() ? response.run_id() : text_of(status);
}

/// How a stream with this run_id ends.
grpc::Status run_of(Place& place, const std::string& run_id) {
  const std::unique_ptr<PlaceStream> stream = place.open();
  v1::RunRequest request;
  request.set_number(1);
  request.set_run_id(run_id);
  absl::Status status = stream->start();
  if (status.ok()) status = stream->write(request);
  if (!status.ok()) return {grpc::DEADLINE_EXCEEDED, ""};
  const absl::StatusOr<std::optional<v1::RunResponse>> response = stream->read();
  if (!response.ok()) return {grpc::DEADLINE_EXCEEDED, ""};
  if (response->has_value()) return grpc::Status::OK;
  const absl::StatusOr<grpc::Status> ended = stream->finish();
  return ended.ok() ? *ended : grpc::Status(grpc::DEADLINE_EXCEEDED, "");
}

void check_implementation(Place& place, v1::ConfigureRequest foreign, Findings& findings) {
  if (foreign.partitions_size() == 0)
    return findings.skip("configure.implementation", "the place can build everything that this system can be made of");
  foreign.set_run_id(place.new_run_id());
  v1::ConfigureResponse response;
  const grpc::Status status = place.calls().configure(foreign, response, place.timeout());
  const std::string what = fmt::format("Configure with {} of the type {} as {}", foreign.partitions(0).name(),
                                       foreign.partitions(0).elements(0).type(),
                                       v1::Implementation_Name(foreign.partitions(0).implementation()));
  expect_code(findings, "configure.implementation", what, status, grpc::UNIMPLEMENTED);
}

void check_again(Place& place, v1::ConfigureRequest configure, Findings& findings) {
  const std::string first = place.new_run_id();
  configure.set_run_id(first);
  v1::ConfigureResponse response;
  const grpc::Status status = place.calls().configure(configure, response, place.timeout());
  if (!status.ok()) return findings.fail("configure.again", fmt::format("Configure: {}", text_of(status)));
  expect_code(findings, "configure.again", "a second Configure before the run was connected", place.prepare(configure),
              grpc::OK);
  expect_code(findings, "run_id", "Connect with the run_id that the second Configure has replaced",
              connect(place, first), grpc::FAILED_PRECONDITION);
  const std::string strange = place.new_run_id();
  expect_code(findings, "run_id", "Run with a run_id that was never configured", run_of(place, strange),
              grpc::FAILED_PRECONDITION);
  expect_code(findings, "run_id", "Metrics with a run_id that was never configured", metrics(place, strange),
              grpc::FAILED_PRECONDITION);
  expect_code(findings, "run_id", "Stop with a run_id that was never configured", stop(place, strange),
              grpc::FAILED_PRECONDITION);
  expect_code(findings, "configure.again", "Stop of a run that was connected and never begun",
              stop(place, configure.run_id()), grpc::OK);
}

void check_busy(Place& place, const v1::ConfigureRequest& configure, Findings& findings) {
  OpenRun run(place, configure);
  if (!run.begun.ok()) return findings.fail("configure.busy", fmt::format("no run begins: {}", text_of(run.begun)));
  const std::string busy = busy_with(place);
  findings.expect("describe.busy", busy == run.id(),
                  fmt::format("Describe during run {} has the run_id \"{}\"", run.id(), busy));
  v1::ConfigureRequest other = configure;
  other.set_run_id(place.new_run_id());
  v1::ConfigureResponse response;
  expect_code(findings, "configure.busy", fmt::format("Configure of another run during run {}", run.id()),
              place.calls().configure(other, response, place.timeout()), grpc::UNAVAILABLE);
  expect_code(findings, "configure.busy", "Metrics of the run after that", metrics(place, run.id()), grpc::OK);
  run.stream().half_close();
  const absl::StatusOr<std::optional<v1::RunResponse>> end = run.stream().read();
  const absl::StatusOr<grpc::Status> ended = run.stream().finish();
  if (!end.ok() || !ended.ok()) return findings.fail("configure.busy", "the half-closed stream does not end");
  expect_code(findings, "configure.busy", "the end of the run after that", *ended, grpc::OK);
  expect_code(findings, "stop.free", "Stop", stop(place, run.id()), grpc::OK);
  const std::string after = busy_with(place);
  findings.expect("stop.free", after.empty(), fmt::format("Describe after Stop has the run_id \"{}\"", after));
  expect_code(findings, "stop.free", "Metrics of the run after Stop", metrics(place, run.id()),
              grpc::FAILED_PRECONDITION);
  expect_code(findings, "stop.free", "a second Stop", stop(place, run.id()), grpc::FAILED_PRECONDITION);
}

void check_abandoned(Place& place, const v1::ConfigureRequest& configure, Findings& findings) {
  OpenRun run(place, configure);
  if (!run.begun.ok()) return findings.fail("abandoned", fmt::format("no run begins: {}", text_of(run.begun)));
  run.leave();
  v1::ConfigureRequest next = configure;
  // The place may learn of it a little later.
  const auto deadline = std::chrono::steady_clock::now() + place.timeout();
  grpc::Status status = place.prepare(next);
  while (status.error_code() == grpc::UNAVAILABLE && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(kPause);
    status = place.prepare(next);
  }
  expect_code(findings, "abandoned", "Configure and Connect after a caller has gone without Stop", status, grpc::OK);
  if (status.ok()) expect_code(findings, "abandoned", "Stop", stop(place, next.run_id()), grpc::OK);
}

}  // namespace

absl::StatusOr<Introduction> check_introduction(Place& place, Findings& findings) {
  Introduction introduction;
  grpc::Status status = place.calls().hello(protocol::make_hello(), introduction.hello, place.timeout());
  if (!status.ok()) {
    findings.fail("hello", text_of(status));
    return absl::UnavailableError("nobody says Hello");
  }
  const v1::HelloResponse& hello = introduction.hello;
  findings.expect(
      "hello", hello.min_version() <= 1 && hello.max_version() >= 1,
      fmt::format("it speaks versions {} to {}, and this page is version 1", hello.min_version(), hello.max_version()));
  findings.expect("hello", hello.implementations_size() > 0, "it names no implementation, so no run can use it");
  findings.expect("hello",
                  std::find(hello.transports().begin(), hello.transports().end(), v1::BRIDGE_TRANSPORT_STREAM) !=
                      hello.transports().end(),
                  "it does not name the transport BRIDGE_TRANSPORT_STREAM");
  if (findings.wanted("hello.version")) check_versions(place, hello, findings);
  status = place.calls().describe({}, introduction.describe, place.timeout());
  if (!status.ok()) {
    findings.fail("describe", text_of(status));
    return absl::UnavailableError("it does not describe itself");
  }
  const v1::DescribeResponse& describe = introduction.describe;
  findings.expect("describe", describe.kind_case() != v1::DescribeResponse::KIND_NOT_SET,
                  "it is neither a worker nor a board");
  findings.expect("describe", describe.run_id().empty(),
                  fmt::format("it is busy with run {}; end that first", describe.run_id()));
  if (describe.has_board()) {
    findings.expect("describe",
                    describe.board().ports_size() > 0 && !describe.board().element_type().empty() &&
                        !describe.board().link_kind().empty(),
                    "a board names the type of its element, its ports and the kind of its links");
  }
  if (hello.implementations_size() == 0 || describe.kind_case() == v1::DescribeResponse::KIND_NOT_SET ||
      !describe.run_id().empty())
    return absl::FailedPreconditionError("no run can use it");
  return introduction;
}

void check_calls(Place& place, const v1::ConfigureRequest& configure, const v1::ConfigureRequest& foreign,
                 Findings& findings) {
  if (findings.wanted("configure.implementation")) check_implementation(place, foreign, findings);
  if (findings.wanted("configure.again") || findings.wanted("run_id")) check_again(place, configure, findings);
  if (findings.wanted("configure.busy") || findings.wanted("describe.busy") || findings.wanted("stop.free"))
    check_busy(place, configure, findings);
  if (findings.wanted("abandoned")) check_abandoned(place, configure, findings);
}

}  // namespace fabrictwin::bridges::conformance
