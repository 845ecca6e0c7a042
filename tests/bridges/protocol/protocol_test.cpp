// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The bridge service from the outside: versions, order of calls, messages out of turn.
#include "bridges/protocol/protocol.h"

#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <future>
#include <thread>
#include <utility>

#include "bridges/caller/remote_place.h"
#include "bridges/protocol/plan_config.h"
#include "bridges/worker/service.h"
#include "tests/bridges/token_system.h"
#include "tests/experiments.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;

constexpr const char* kExperiment = R"(
topology { torus { dims: 4 } }
workload { traffic { pattern: UNIFORM load: 0.1 } }
use { select: "router[1]" implementation: RTL place: "worker:unix" }
)";

/// A server and a caller in this process, without sockets.
class ProtocolTest : public testing::Test {
 protected:
  ProtocolTest() { start(&worker_); }
  ~ProtocolTest() override { server_->Shutdown(); }

  void start(grpc::Service* service) {
    if (server_) server_->Shutdown();
    grpc::ServerBuilder builder;
    builder.RegisterService(service);
    server_ = builder.BuildAndStart();
    stub_ = v1::Bridge::NewStub(server_->InProcessChannel({}));
  }

  v1::ConfigureRequest configure_request() const {
    experiment::Overrides overrides;
    const absl::StatusOr<experiment::Experiment> experiment =
        test::parse_experiment(kExperiment, "protocol.textproto", overrides);
    EXPECT_TRUE(experiment.ok()) << experiment.status();
    const absl::StatusOr<system::Plan> plan = system::make_plan(*experiment, *build_token_ring(*experiment));
    EXPECT_TRUE(plan.ok()) << plan.status();
    return bridges::protocol::make_configure(*experiment, *plan, 1, "run", 1, {});
  }

  grpc::Status configure(const v1::ConfigureRequest& request) {
    grpc::ClientContext context;
    v1::ConfigureResponse response;
    return stub_->Configure(&context, request, &response);
  }

  grpc::Status connect(const std::string& run_id = "run") {
    grpc::ClientContext context;
    v1::ConnectRequest request;
    request.set_run_id(run_id);
    request.set_transport(v1::BRIDGE_TRANSPORT_STREAM);
    v1::ConnectResponse response;
    return stub_->Connect(&context, request, &response);
  }

  /// Sends messages one by one; returns what ends the stream.
  grpc::Status run(const std::vector<v1::RunRequest>& requests, std::vector<v1::RunResponse>& responses) {
    grpc::ClientContext context;
    const auto stream = stub_->Run(&context);
    for (const v1::RunRequest& request : requests) {
      v1::RunResponse response;
      if (!stream->Write(request) || !stream->Read(&response)) break;
      responses.push_back(response);
    }
    stream->WritesDone();
    return stream->Finish();
  }

  grpc::Status stop(v1::StopResponse& response) {
    grpc::ClientContext context;
    v1::StopRequest request;
    request.set_run_id("run");
    return stub_->Stop(&context, request, &response);
  }

  static v1::RunRequest message(uint64_t number, const std::string& records = {}) {
    v1::RunRequest request;
    request.set_number(number);
    request.set_run_id("run");
    request.set_records(records);
    return request;
  }

  bridges::server::ServerEnd end_;
  bridges::worker::Service worker_{token_registry(TokenLoad()), 1, true, end_};
  std::unique_ptr<grpc::Server> server_;
  std::unique_ptr<v1::Bridge::Stub> stub_;
};

TEST_F(ProtocolTest, HelloTellsWhatTheWorkerCan) {
  grpc::ClientContext context;
  v1::HelloResponse response;
  ASSERT_TRUE(stub_->Hello(&context, bridges::protocol::make_hello(), &response).ok());
  EXPECT_THAT(response.implementations(), testing::ElementsAre(v1::MODEL, v1::RTL));
  EXPECT_THAT(response.transports(), testing::Contains(v1::BRIDGE_TRANSPORT_SHARED_MEMORY));
  EXPECT_EQ(response.boot_id(), bridges::protocol::boot_id());
  EXPECT_EQ(response.handover_socket().substr(0, 1), "@");
}

TEST_F(ProtocolTest, WorkerRefusesACallerOfAnotherVersion) {
  grpc::ClientContext context;
  v1::HelloRequest request;
  request.set_min_version(7);
  request.set_max_version(9);
  request.set_software("9.1");
  v1::HelloResponse response;
  const grpc::Status status = stub_->Hello(&context, request, &response);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_THAT(status.error_message(), HasSubstr("the caller (version 9.1) speaks bridge protocol 7 to 9, this side"));
  EXPECT_THAT(status.error_message(), HasSubstr("speaks 1;"));
}

/// A worker that knows neither marks of packets nor faults of links.
class MarklessService final : public v1::Bridge::Service {
  grpc::Status Hello(grpc::ServerContext*, const v1::HelloRequest*, v1::HelloResponse* response) override {
    *response = bridges::protocol::make_hello_response();
    response->clear_marks();
    response->clear_faults();
    return grpc::Status::OK;
  }
  grpc::Status Describe(grpc::ServerContext*, const v1::DescribeRequest*, v1::DescribeResponse* response) override {
    response->mutable_worker()->set_threads(1);
    return grpc::Status::OK;
  }
};

TEST(RemotePlaceTest, RefusesAPlaceThatWouldNotMark) {
  MarklessService markless;
  grpc::ServerBuilder builder;
  int port = 0;
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
  builder.RegisterService(&markless);
  const auto server = builder.BuildAndStart();
  system::Plan plan;
  plan.places.resize(2);
  plan.places[1].kind = system::PlaceKind::kRemoteWorker;
  plan.places[1].address = "127.0.0.1:" + std::to_string(port);
  plan.places[1].name = "markless";
  plan.graph.elements.resize(1);
  plan.graph.elements[0].kind = system::ElementKind::kRouter;
  plan.partitions.resize(1);
  plan.partitions[0].place = 1;
  plan.partitions[0].elements = {0};
  const auto join = [&] {
    bridges::caller::RemotePlace place(plan, 1, "run");
    system::Transport transport = system::Transport::kTcp;
    return place.join(transport, {});
  };
  EXPECT_TRUE(join().ok());
  plan.graph.marking.threshold_words = 56;
  const absl::Status status = join();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(status.message()), HasSubstr("markless: does not mark packets"));
  plan.partitions[0].place = 0;
  EXPECT_TRUE(join().ok());
}

TEST(RemotePlaceTest, RefusesAPlaceThatWouldNotApplyFaults) {
  MarklessService faultless;
  grpc::ServerBuilder builder;
  int port = 0;
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
  builder.RegisterService(&faultless);
  const auto server = builder.BuildAndStart();
  system::Plan plan;
  plan.places.resize(2);
  plan.places[1].kind = system::PlaceKind::kRemoteWorker;
  plan.places[1].address = "127.0.0.1:" + std::to_string(port);
  plan.places[1].name = "faultless";
  // Two routers with a link: the first one is here, and sends on channel 0.
  plan.graph.elements.resize(2);
  plan.graph.links.resize(1);
  plan.graph.links[0].ends[1].element = 1;
  plan.partitions.resize(2);
  plan.partitions[1].place = 1;
  plan.partition_of = {0, 1};
  const auto join = [&] {
    bridges::caller::RemotePlace place(plan, 1, "run");
    system::Transport transport = system::Transport::kTcp;
    return place.join(transport, {});
  };
  plan.faults = {{0, 0}};
  EXPECT_TRUE(join().ok()) << "its faults are applied here";
  plan.faults = {{0, 1}};
  const absl::Status status = join();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(status.message()), HasSubstr("faultless: does not apply faults of links"));
  plan.partitions[1].implementation = v1::BOARD;
  EXPECT_TRUE(join().ok()) << "a board need not know";
}

/// A worker from the future that does not check.
class FutureService final : public v1::Bridge::Service {
  grpc::Status Hello(grpc::ServerContext*, const v1::HelloRequest*, v1::HelloResponse* response) override {
    response->set_min_version(5);
    response->set_max_version(5);
    response->set_software("5.0");
    return grpc::Status::OK;
  }
};

TEST(RemotePlaceTest, RefusesAWorkerOfAnotherVersion) {
  FutureService future;
  grpc::ServerBuilder builder;
  int port = 0;
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
  builder.RegisterService(&future);
  const auto server = builder.BuildAndStart();
  system::Plan plan;
  plan.places.resize(2);
  plan.places[1].kind = system::PlaceKind::kRemoteWorker;
  plan.places[1].address = "127.0.0.1:" + std::to_string(port);
  plan.places[1].name = "far";
  bridges::caller::RemotePlace place(plan, 1, "run");
  system::Transport transport = system::Transport::kTcp;
  const absl::Status status = place.join(transport, {});
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("far (version 5.0) speaks bridge protocol 5, this side"));
}

TEST_F(ProtocolTest, ConfigureSaysWhenOutputsMark) {
  EXPECT_FALSE(configure_request().partitions(0).elements(0).has_marking());
  const absl::StatusOr<experiment::Experiment> experiment =
      test::parse_experiment(kExperiment, "protocol.textproto", {});
  ASSERT_TRUE(experiment.ok()) << experiment.status();
  system::SystemGraph graph = *build_token_ring(*experiment);
  graph.marking = {.threshold_words = 56, .marking_rate = 20, .least_words = 16, .hosts = true};
  const absl::StatusOr<system::Plan> plan = system::make_plan(*experiment, std::move(graph));
  ASSERT_TRUE(plan.ok()) << plan.status();
  const v1::ConfigureRequest request = bridges::protocol::make_configure(*experiment, *plan, 1, "run", 1, {});
  int routers = 0;
  for (const v1::PartitionConfig& partition : request.partitions()) {
    for (const v1::ElementConfig& element : partition.elements()) {
      ++routers;
      EXPECT_EQ(element.marking().threshold_words(), 56);
      EXPECT_EQ(element.marking().marking_rate(), 20);
      EXPECT_EQ(element.marking().least_words(), 16);
      EXPECT_TRUE(element.marking().hosts());
      for (const v1::PortConfig& port : element.ports()) EXPECT_EQ(port.to_host(), port.port() == 0) << port.name();
    }
  }
  EXPECT_EQ(routers, 1);
}

TEST_F(ProtocolTest, ConfigureRefusesAnotherPlan) {
  v1::ConfigureRequest request = configure_request();
  request.set_plan_fingerprint(request.plan_fingerprint() + 1);
  const grpc::Status status = configure(request);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_THAT(status.error_message(), HasSubstr("another plan"));
}

TEST_F(ProtocolTest, ConfigureReportsMistakesOfTheExperiment) {
  v1::ConfigureRequest request = configure_request();
  request.set_experiment("topology { torus { dims: 4 dims: }");
  const grpc::Status status = configure(request);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(status.error_message(), HasSubstr("protocol.textproto:1:"));
}

TEST_F(ProtocolTest, ConfigureRefusesWhatItCannotBuild) {
  run::Registry models_only = token_registry(TokenLoad());
  models_only.rtl = nullptr;
  bridges::worker::Service worker(models_only, 1, true, end_);
  start(&worker);
  const grpc::Status status = configure(configure_request());
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNIMPLEMENTED);
  EXPECT_THAT(status.error_message(), HasSubstr("router[1]: this worker cannot build RTL elements"));
  server_->Shutdown();
}

TEST_F(ProtocolTest, CallsMustComeInOrder) {
  EXPECT_EQ(connect().error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  ASSERT_TRUE(configure(configure_request()).ok());
  EXPECT_EQ(connect("another").error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  std::vector<v1::RunResponse> responses;
  EXPECT_EQ(run({message(1)}, responses).error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  ASSERT_TRUE(connect().ok());
  EXPECT_EQ(connect().error_code(), grpc::StatusCode::FAILED_PRECONDITION);
}

TEST_F(ProtocolTest, ARunAnswersEveryMessage) {
  ASSERT_TRUE(configure(configure_request()).ok());
  ASSERT_TRUE(connect().ok());
  std::vector<v1::RunResponse> responses;
  const grpc::Status status = run({message(1), message(2)}, responses);
  EXPECT_TRUE(status.ok()) << status.error_message();
  ASSERT_EQ(responses.size(), 2u);
  EXPECT_EQ(responses[0].consumed(), 1u);
  ASSERT_EQ(responses[0].rows_size(), 1);
  EXPECT_EQ(responses[0].rows(0).next_event_fs(), Time::never().fs());
  EXPECT_EQ(responses[1].consumed(), 2u);
  EXPECT_EQ(responses[1].rows_size(), 0) << "nothing is news";
  v1::StopResponse stopped;
  ASSERT_TRUE(stop(stopped).ok());
  EXPECT_EQ(stopped.channels_size(), 3);
  ASSERT_EQ(stopped.partitions_size(), 1);
  EXPECT_EQ(stopped.partitions(0).name(), "router[1]");
  EXPECT_FALSE(stop(stopped).ok()) << "the worker has forgotten the run";
}

TEST_F(ProtocolTest, MetricsOfPartitionsAloneLeaveOutTheRest) {
  ASSERT_TRUE(configure(configure_request()).ok());
  ASSERT_TRUE(connect().ok());
  grpc::ClientContext run;
  const auto stream = stub_->Run(&run);
  v1::RunResponse answer;
  ASSERT_TRUE(stream->Write(message(1)));
  ASSERT_TRUE(stream->Read(&answer));
  for (const bool only : {false, true}) {
    grpc::ClientContext context;
    v1::MetricsRequest request;
    request.set_run_id("run");
    request.set_partitions_only(only);
    v1::MetricsResponse response;
    ASSERT_TRUE(stub_->Metrics(&context, request, &response).ok());
    EXPECT_GT(response.partitions_size(), 0);
    EXPECT_EQ(response.channels_size() == 0, only);
    if (only) EXPECT_EQ(response.metrics_size(), 0);
  }
  stream->WritesDone();
  EXPECT_TRUE(stream->Finish().ok());
}

TEST_F(ProtocolTest, ACalibrationThatIsNoneIsRefused) {
  v1::ConfigureRequest request = configure_request();
  request.set_calibration("\xff");
  const grpc::Status status = configure(request);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(status.error_message(), HasSubstr("is not a ModelCalibration"));
}

TEST_F(ProtocolTest, MessagesOutOfTurnEndTheRun) {
  ASSERT_TRUE(configure(configure_request()).ok());
  ASSERT_TRUE(connect().ok());
  std::vector<v1::RunResponse> responses;
  const grpc::Status status = run({message(1), message(3)}, responses);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::DATA_LOSS);
  EXPECT_THAT(status.error_message(), HasSubstr("message 3 follows message 1"));
}

TEST_F(ProtocolTest, HostileRecordsEndTheRunAndTheWorkerServesTheNext) {
  ASSERT_TRUE(configure(configure_request()).ok());
  ASSERT_TRUE(connect().ok());
  std::vector<v1::RunResponse> responses;
  EXPECT_EQ(run({message(1, "short")}, responses).error_code(), grpc::StatusCode::DATA_LOSS);
  responses.clear();
  ASSERT_TRUE(configure(configure_request()).ok());
  ASSERT_TRUE(connect().ok());
  EXPECT_TRUE(run({message(1)}, responses).ok());
}

}  // namespace
}  // namespace fabrictwin
