// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What somebody else must compile to speak the protocol, and that what is carried as bytes is on the wire as a message.
#include <google/protobuf/descriptor.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "fabrictwin/v1/bridge.pb.h"
#include "fabrictwin/v1/hosts_report.pb.h"
#include "fabrictwin/v1/validation.pb.h"

namespace fabrictwin {
namespace {

void add_imports(const google::protobuf::FileDescriptor& file, std::set<std::string>& names) {
  for (int i = 0; i < file.dependency_count(); ++i) {
    names.emplace(file.dependency(i)->name());
    add_imports(*file.dependency(i), names);
  }
}

TEST(BridgeProtoTest, ImportsNeitherExperimentsNorReports) {
  std::set<std::string> names;
  add_imports(*v1::RunRequest::descriptor()->file(), names);
  EXPECT_EQ(names, (std::set<std::string>{"fabrictwin/v1/catalogue.proto", "fabrictwin/v1/element.proto",
                                          "fabrictwin/v1/place_report.proto", "google/protobuf/descriptor.proto"}));
}

/// A field of a message inside another one, as protobuf encodes it: number and wire type 2, length, content.
std::string embedded(int number, const std::string& content) {
  return std::string{static_cast<char>(number << 3 | 2), static_cast<char>(content.size())} + content;
}

TEST(BridgeProtoTest, HostsAndCalibrationAreOnTheWireAsMessages) {
  v1::HostsReport hosts;
  hosts.set_done(true);
  v1::StopResponse stop;
  hosts.SerializeToString(stop.mutable_hosts());
  EXPECT_EQ(stop.SerializeAsString(), embedded(4, hosts.SerializeAsString()));

  v1::ModelCalibration calibration;
  calibration.set_version("1");
  v1::ConfigureRequest configure;
  calibration.SerializeToString(configure.mutable_calibration());
  EXPECT_EQ(configure.SerializeAsString(), embedded(10, calibration.SerializeAsString()));

  // An empty message is there, too.
  v1::StopResponse empty;
  ASSERT_TRUE(empty.ParseFromString(embedded(4, "")));
  EXPECT_TRUE(empty.has_hosts());
}

}  // namespace
}  // namespace fabrictwin
