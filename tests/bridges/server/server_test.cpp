// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/server/server.h"

#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
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

std::string refusal(const std::string& listen) {
  bridges::server::ServerEnd end;
  end.request();
  LargeAnswer service(end);
  bridges::server::Options options;
  options.listen = listen;
  return std::string(bridges::server::serve_bridge(options, service, end).message());
}

// A listening socket that is bound to a path, as another server has it; -1 if it cannot be made.
int listening_socket(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return -1;
  std::memcpy(address.sun_path, path.data(), path.size());
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd >= 0 && bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 && listen(fd, 1) == 0)
    return fd;
  if (fd >= 0) close(fd);
  return -1;
}

TEST(BridgeServer, TakesNoSocketFromAnotherProcess) {
  const TestFolder folder;
  const std::string path = folder.file("socket");
  const int other = listening_socket(path);
  ASSERT_GE(other, 0);
  EXPECT_EQ(refusal("unix:" + path),
            "cannot listen at unix:" + path + ": another process listens there; end it, or write another path");
  EXPECT_TRUE(std::filesystem::is_socket(path));
  // A process that was killed leaves a socket behind.
  close(other);
  EXPECT_EQ(refusal("unix:" + path), "");
}

TEST(BridgeServer, SaysWhatIsInTheWayOfASocket) {
  const TestFolder folder;
  const std::string file = folder.write("file", "");
  EXPECT_EQ(refusal("unix:" + file),
            "cannot listen at unix:" + file + ": that is there and is no socket; write another path");
  const std::string missing = folder.file("missing");
  EXPECT_EQ(refusal("unix:" + missing + "/socket"), "cannot listen at unix:" + missing +
                                                        "/socket: there is no folder " + missing +
                                                        "; make it, or write another path");
}

}  // namespace
}  // namespace fabrictwin
