// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/server/server.h"

#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "fabrictwin/v1/bridge.grpc.pb.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

/// Ends its server as a worker that serves one run, with an answer that takes its time.
class LargeAnswer final : public v1::Bridge::Service {
 public:
  static constexpr size_t kBytes = size_t{24} << 20;
  explicit LargeAnswer(bridges::server::ServerEnd& end) : end_(end) {}
  grpc::Status Stop(grpc::ServerContext*, const v1::StopRequest*, v1::StopResponse* response) override {
    response->set_hosts(std::string(kBytes, 'x'));
    end_.request();
    return grpc::Status::OK;
  }

 private:
  bridges::server::ServerEnd& end_;
};

TEST(BridgeServer, TheLastAnswerArrivesHoweverLargeItIs) {
  const TestFolder folder;
  bridges::server::ServerEnd end;
  LargeAnswer service(end);
  bridges::server::Options options;
  options.listen = "unix:" + folder.file("socket");
  absl::Status served;
  std::jthread server([&] { served = bridges::server::serve_bridge(options, service, end); });
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(-1);
  const auto stub =
      v1::Bridge::NewStub(grpc::CreateCustomChannel(options.listen, grpc::InsecureChannelCredentials(), arguments));
  grpc::ClientContext context;
  context.set_wait_for_ready(true);
  v1::StopResponse response;
  const grpc::Status status = stub->Stop(&context, {}, &response);
  EXPECT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(response.hosts().size(), LargeAnswer::kBytes);
  server.join();
  EXPECT_TRUE(served.ok()) << served;
}

}  // namespace
}  // namespace fabrictwin
