// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/protocol/tls.h"

#include <gmock/gmock.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/security/server_credentials.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "cosim/base/text.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

using bridges::protocol::channel_credentials;
using bridges::protocol::is_allowed;
using bridges::protocol::is_local;
using bridges::protocol::read_security;
using bridges::protocol::server_credentials;
using bridges::protocol::TlsFiles;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string kData = "tests/bridges/data/tls/";

TlsFiles files() { return {kData + "peer.pem", kData + "peer-key.pem", kData + "ca.pem"}; }

/// What is said of files that are refused.
std::string refusal(const TlsFiles& names, bool insecure = false) {
  const absl::StatusOr<ConnectionSecurity> security = read_security(names, insecure);
  EXPECT_EQ(security.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(message_of(security.status()));
}

TEST(LocalAddressTest, IsASocketOrALoopbackAddress) {
  for (const char* address :
       {"127.0.0.1:7000", "127.0.0.1:0", "127.255.3.4:1", "127.0.0.1", "localhost:7000", "localhost", "[::1]:7000",
        "[::1]:0", "[0:0:0:0:0:0:0:1]:80", "[::1]", "unix:/run/w", "unix:w"}) {
    EXPECT_TRUE(is_local(address)) << address;
  }
}

TEST(LocalAddressTest, WhatMayBeReachedFromElsewhereIsNone) {
  for (const char* address :
       {"0.0.0.0:7000", "10.0.0.2:7000", "128.0.0.1:1", "126.0.0.1:1", "[::]:7000", "[::2]:7000", "[fe80::1]:7000",
        "node:7000", "localhost.example:7000", "127.0.0.1.example:7000", "127.0.0:7000", "0127.0.0.1:7000", ":7000", "",
        "*:7000", "[::ffff:10.0.0.2]:7000",
        // gRPC reads these as other addresses than the text before the last colon.
        "::1:7000", "::1", "ipv4:127.0.0.1:7000", "dns:localhost:7000", "[::1:7000", "[::1]x:7000", "[localhost]:7000",
        "[127.0.0.1]:7000", "[::1].example:7000", "UNIX:/run/w", "unix-abstract:w"}) {
    EXPECT_FALSE(is_local(address)) << address;
  }
}

TEST(SecurityTest, WithoutFilesThereIsNoTls) {
  const absl::StatusOr<ConnectionSecurity> security = read_security({}, false);
  ASSERT_TRUE(security.ok()) << security.status();
  EXPECT_FALSE(security->tls.has_value());
  EXPECT_FALSE(security->insecure);
  EXPECT_TRUE(read_security({}, true)->insecure);
}

TEST(SecurityTest, FilesAreRead) {
  const absl::StatusOr<ConnectionSecurity> security = read_security(files(), false);
  ASSERT_TRUE(security.ok()) << security.status();
  ASSERT_TRUE(security->tls.has_value());
  EXPECT_EQ(security->tls->cert, read_file(kData + "peer.pem"));
  EXPECT_EQ(security->tls->key, read_file(kData + "peer-key.pem"));
  EXPECT_EQ(security->tls->ca, read_file(kData + "ca.pem"));
}

TEST(SecurityTest, AllThreeFilesOrNone) {
  const std::string together = "; give --tls-cert, --tls-key and --tls-ca together";
  const TlsFiles all = files();
  for (const auto& [named, missing] :
       {std::pair(TlsFiles{"", all.key, all.ca}, "--tls-cert"), std::pair(TlsFiles{all.cert, "", all.ca}, "--tls-key"),
        std::pair(TlsFiles{all.cert, all.key, ""}, "--tls-ca"), std::pair(TlsFiles{all.cert, "", ""}, "--tls-key"),
        std::pair(TlsFiles{"", "", all.ca}, "--tls-cert")}) {
    const std::string message = refusal(named);
    EXPECT_THAT(message, StartsWith(std::string(missing) + " is missing"));
    EXPECT_THAT(message, HasSubstr(together));
  }
}

TEST(SecurityTest, TlsIsNotInsecure) {
  EXPECT_THAT(refusal(files(), true), HasSubstr("leave out either it or --tls-cert, --tls-key and --tls-ca"));
}

TEST(SecurityTest, NamesTheFileThatCannotBeRead) {
  const TestFolder folder;
  TlsFiles named = files();
  named.key = folder.file("missing.pem");
  EXPECT_EQ(refusal(named), "--tls-key: " + named.key + ": cannot be read: No such file or directory; name a PEM file");
  named = files();
  named.ca = folder.path().string();
  EXPECT_EQ(refusal(named), "--tls-ca: " + named.ca + ": cannot be read: Is a directory; name a PEM file");
  named = files();
  named.cert = folder.write("empty.pem", "");
  EXPECT_EQ(refusal(named), "--tls-cert: " + named.cert + ": is empty; name a PEM file");
}

TEST(SecurityTest, NamesTheFileThatHoldsSomethingElse) {
  const TestFolder folder;
  TlsFiles named = files();
  named.cert = named.key;
  EXPECT_THAT(refusal(named), StartsWith("--tls-cert: " + named.cert + ": has no certificate in PEM form"));
  named = files();
  named.key = named.cert;
  EXPECT_THAT(refusal(named), StartsWith("--tls-key: " + named.key + ": has no private key in PEM form"));
  named = files();
  named.ca = folder.write("ca.der", std::string("\x30\x82\x00\x01", 4));
  EXPECT_THAT(refusal(named), StartsWith("--tls-ca: " + named.ca + ": has no certificate in PEM form"));
  named = files();
  named.key =
      folder.write("key.pem", "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIG=\n-----END ENCRYPTED PRIVATE KEY-----\n");
  EXPECT_THAT(refusal(named), StartsWith("--tls-key: " + named.key + ": has a passphrase"));
}

TEST(CredentialsTest, OnlyLocalAddressesDoWithoutTls) {
  const ConnectionSecurity none;
  EXPECT_TRUE(server_credentials("127.0.0.1:0", none).ok());
  EXPECT_TRUE(server_credentials("unix:/run/w", none).ok());
  EXPECT_TRUE(is_allowed("[::1]:7000", none));
  EXPECT_FALSE(is_allowed("10.0.0.2:7000", none));
  const absl::Status refused = server_credentials("0.0.0.0:7000", none).status();
  EXPECT_EQ(refused.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(message_of(refused)), StartsWith("cannot listen at 0.0.0.0:7000 without TLS: "));
  EXPECT_THAT(std::string(message_of(refused)), HasSubstr("give --tls-cert, --tls-key and --tls-ca, listen at"));
  EXPECT_THAT(std::string(message_of(refused)), HasSubstr("--insecure"));
  EXPECT_EQ(server_credentials("", none).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(CredentialsTest, TheUserMaySayThatANetworkIsSafe) {
  const ConnectionSecurity insecure{.insecure = true};
  for (const char* address : {"0.0.0.0:7000", "127.0.0.1:0", "unix:/run/w"}) {
    EXPECT_TRUE(server_credentials(address, insecure).ok()) << address;
    EXPECT_TRUE(is_allowed(address, insecure)) << address;
    EXPECT_NE(channel_credentials(address, insecure), nullptr);
  }
}

TEST(CredentialsTest, TlsIsForTcp) {
  const absl::StatusOr<ConnectionSecurity> tls = read_security(files(), false);
  ASSERT_TRUE(tls.ok()) << tls.status();
  for (const char* address : {"0.0.0.0:7000", "127.0.0.1:0", "[::]:7000"}) {
    EXPECT_TRUE(server_credentials(address, *tls).ok()) << address;
    EXPECT_TRUE(is_allowed(address, *tls)) << address;
    EXPECT_NE(channel_credentials(address, *tls), nullptr);
  }
  EXPECT_THAT(std::string(message_of(server_credentials("unix:/run/w", *tls).status())),
              HasSubstr("runs reach unix:/run/w without TLS; leave them out"));
  EXPECT_NE(channel_credentials("unix:/run/w", *tls), nullptr);
}

}  // namespace
}  // namespace fabrictwin
