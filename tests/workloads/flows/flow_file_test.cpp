// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/flows/flow_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "cosim/base/text.h"
#include "cosim/base/time.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::StartsWith;

/// The flows of a file as text, or its mistake.
std::vector<std::string> flows_in(std::string_view text, int32_t hosts = 4) {
  const TestFolder folder;
  const absl::StatusOr<flows::FlowList> list = flows::read_flows(folder.write("flows.csv", text), hosts);
  if (!list.ok()) return {std::string(message_of(list.status()))};
  std::vector<std::string> lines;
  for (const flows::Flow& flow : *list) {
    lines.push_back(std::to_string(flow.source) + " to " + std::to_string(flow.destination) + ": " +
                    std::to_string(flow.bytes) + " B, " + to_string(flow.start) + " to " + to_string(flow.stop));
  }
  return lines;
}

/// What is said of a mistake in a file, after the name of the file.
std::string flow_mistake(std::string_view text, int32_t hosts = 4) {
  const TestFolder folder;
  const std::string file = folder.write("flows.csv", text);
  const absl::Status status = flows::read_flows(file, hosts).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  const std::string error(message_of(status));
  EXPECT_THAT(error, StartsWith(file));
  return error.size() < file.size() ? error : error.substr(file.size());
}

TEST(FlowFile, TakesColumnsInAnyOrder) {
  EXPECT_THAT(flows_in("source,destination,bytes,start\n0,1,1000,0\n2,3,64,0.001\n"),
              ElementsAre("0 to 1: 1000 B, 0 fs to never", "2 to 3: 64 B, 1 ms to never"));
  EXPECT_THAT(flows_in("stop,start,bytes,destination,source\n5,0.001,64,3,2\n"),
              ElementsAre("2 to 3: 64 B, 1 ms to 5 s"));
}

TEST(FlowFile, TakesShorterNamesOfColumns) {
  EXPECT_THAT(flows_in("src,dst,size\n0,1,5\n"), ElementsAre("0 to 1: 5 B, 0 fs to never"));
  EXPECT_THAT(flows_in("size,dst,source\n7,3,1\n"), ElementsAre("1 to 3: 7 B, 0 fs to never"));
}

TEST(FlowFile, TakesALineOfUnits) {
  EXPECT_THAT(flows_in("source,destination,bytes,start\n,,kB,us\n0,1,1.5,2.5\n3,2,20,0\n"),
              ElementsAre("0 to 1: 1500 B, 2.5 us to never", "3 to 2: 20000 B, 0 fs to never"));
  EXPECT_THAT(flows_in("source,destination,bytes,start,stop\nhost,host,KiB,ns,ms\n0,1,2,3,4\n"),
              ElementsAre("0 to 1: 2048 B, 3 ns to 4 ms"));
  for (const char* unit : {"", "B", "bytes"}) {
    EXPECT_THAT(flows_in(std::string("source,destination,bytes,start\n,,") + unit + ",ps\n0,1,9,8\n"),
                ElementsAre("0 to 1: 9 B, 8 ps to never"))
        << unit;
  }
  EXPECT_THAT(flows_in("source,destination,bytes,start\n,,MiB,\n0,1,1,2\n"),
              ElementsAre("0 to 1: 1048576 B, 2 s to never"));
}

TEST(FlowFile, TakesWhatSpreadsheetsWrite) {
  EXPECT_THAT(flows_in("\xef\xbb\xbfsource,destination,bytes\r\n0,1,1e3\r\n"),
              ElementsAre("0 to 1: 1000 B, 0 fs to never"));
}

TEST(FlowFile, RefusesPartsOfAByte) {
  EXPECT_THAT(flow_mistake("source,destination,bytes\n0,1,100.5\n"),
              StartsWith(":2:5: error: bytes \"100.5\" is no whole number of bytes; write one"));
}

TEST(FlowFile, TakesNoHostForAUnit) {
  EXPECT_THAT(flow_mistake("source,destination,bytes,start\n0x1,2,1000,0\n"),
              StartsWith(":2:1: error: \"0x1\" is not the number of a host; write 0 to 3"));
}

TEST(FlowFile, SaysHowCellsAreWritten) {
  for (const char* names : {"source;destination;bytes", "source\tdestination\tbytes", "source destination bytes"}) {
    EXPECT_THAT(flow_mistake(std::string(names) + "\n0;1;9\n"),
                StartsWith(":1:1: error: cells are separated by commas; write them in all lines"));
  }
  EXPECT_THAT(flow_mistake("source,destination,bytes\n\"0\",1,9\n"),
              StartsWith(":2:1: error: cells have no quotes; write what is between them"));
}

TEST(FlowFile, TakesUnitsInNamesOfColumns) {
  EXPECT_THAT(flows_in("source,destination,bytes,start_ns\n0,1,9,1500\n"), ElementsAre("0 to 1: 9 B, 1.5 us to never"));
  EXPECT_THAT(flows_in("source,destination,start_us,stop_ms\n0,1,2,3\n"), ElementsAre("0 to 1: 0 B, 2 us to 3 ms"));
  EXPECT_THAT(flows_in("source,destination,bytes,start_fs\n,,kB,\n0,1,9,4\n"),
              ElementsAre("0 to 1: 9000 B, 4 fs to never"));
}

TEST(FlowFile, SkipsCommentsAndBlanks) {
  EXPECT_THAT(
      flows_in("# made by hand\n\n source , destination\t, bytes \r\n  # two of them\n0, 1, 10\r\n\r\n 1 ,2,20"),
      ElementsAre("0 to 1: 10 B, 0 fs to never", "1 to 2: 20 B, 0 fs to never"));
}

TEST(FlowFile, TakesAStopInsteadOfBytes) {
  EXPECT_THAT(flows_in("source,destination,start,stop\n0,1,0,0.04\n"), ElementsAre("0 to 1: 0 B, 0 fs to 40 ms"));
  EXPECT_THAT(flows_in("source,destination,bytes,stop\n0,1,,1\n0,1,9,\n0,1,9,2\n"),
              ElementsAre("0 to 1: 0 B, 0 fs to 1 s", "0 to 1: 9 B, 0 fs to never", "0 to 1: 9 B, 0 fs to 2 s"));
}

TEST(FlowFile, KeepsTheOrderOfTheFileAndAllThatAreEqual) {
  EXPECT_THAT(flows_in("source,destination,bytes,start\n3,0,1,2\n0,1,1,1\n0,1,1,1\n"),
              ElementsAre("3 to 0: 1 B, 2 s to never", "0 to 1: 1 B, 1 s to never", "0 to 1: 1 B, 1 s to never"));
}

TEST(FlowFile, TakesTheSmallestAndLargestSizes) {
  EXPECT_THAT(flows_in("source,destination,bytes\n0,1,1\n0,1,1099511627776\n"),
              ElementsAre("0 to 1: 1 B, 0 fs to never", "0 to 1: 1099511627776 B, 0 fs to never"));
}

TEST(FlowFile, PlacesMistakesInNamesOfColumns) {
  EXPECT_EQ(flow_mistake("source,destination,bites\n0,1,2\n"),
            ":1:20: error: unknown column \"bites\"; write source, destination, bytes, start or stop\n"
            "source,destination,bites\n"
            "                   ^");
  EXPECT_THAT(flow_mistake("source,destination,bytes,start_min\n"), StartsWith(":1:26: error: unknown column"));
  EXPECT_THAT(flow_mistake("source,destination,bytes_ns\n"), StartsWith(":1:20: error: unknown column"));
  EXPECT_THAT(flow_mistake("source,bytes\n0,1\n"), StartsWith(":1:1: error: there is no column destination; write it"));
  EXPECT_THAT(flow_mistake("# to\ndst,bytes\n0,1\n"), StartsWith(":2:1: error: there is no column source; write it"));
  EXPECT_THAT(flow_mistake("source,destination,start\n0,1,2\n"),
              StartsWith(":1:1: error: there is neither a column bytes nor a column stop"));
  EXPECT_THAT(flow_mistake("source,destination,bytes, size\n0,1,2,3\n"),
              StartsWith(":1:27: error: the column bytes is there twice; leave one out"));
  EXPECT_THAT(flow_mistake("source,destination,bytes,start,start_ns\n0,1,2,3,4\n"),
              StartsWith(":1:32: error: the column start is there twice"));
}

TEST(FlowFile, PlacesMistakesInUnits) {
  EXPECT_THAT(flow_mistake("source,destination,bytes,start\n,,kb,s\n0,1,1,1\n"),
              StartsWith(":2:3: error: \"kb\" is no unit of size; write B, kB, MB, KiB or MiB"));
  EXPECT_THAT(flow_mistake("source,destination,bytes,start\n,,kB,h\n0,1,1,1\n"),
              StartsWith(":2:6: error: \"h\" is no unit of time; write s, ms, us, ns, ps or fs"));
  EXPECT_THAT(flow_mistake("source,destination,bytes,start_ns\n,,kB,us\n0,1,1,1\n"),
              StartsWith(":2:6: error: the name of this column has another unit than \"us\""));
  EXPECT_THAT(flows_in("source,destination,bytes,start_ns\n,,kB,ns\n0,1,1,1\n"),
              ElementsAre(StartsWith("0 to 1: 1000 B, 1 ns to ")));
  EXPECT_THAT(flow_mistake("source,destination,bytes,start\nrank,,kB,us\n0,1,1,1\n"),
              StartsWith(":2:1: error: \"rank\" is neither the number of a host nor \"host\""));
  EXPECT_THAT(flow_mistake("source,destination,bytes,start\n,node,kB,us\n0,1,1,1\n"),
              StartsWith(":2:2: error: \"node\" is neither the number of a host nor \"host\""));
}

TEST(FlowFile, PlacesMistakesInHosts) {
  const std::string names = "source,destination,bytes\n";
  EXPECT_EQ(flow_mistake(names + "0,1,1\n0,4,1\n"),
            ":3:3: error: \"4\" is not the number of a host; write 0 to 3\n0,4,1\n  ^");
  EXPECT_THAT(flow_mistake(names + "-1,0,1\n"), StartsWith(":2:1: error: \"-1\" is not the number of a host"));
  EXPECT_THAT(flow_mistake(names + "1.5,0,1\n"), StartsWith(":2:1: error: \"1.5\" is not the number of a host"));
  EXPECT_THAT(flow_mistake(names + "0,1,1\nx,1,1\n"), StartsWith(":3:1: error: \"x\" is not the number of a host"));
  EXPECT_THAT(flow_mistake(names + "0,1,1\n ,1,1\n"), StartsWith(":3:1: error: \"\" is not the number of a host"));
  EXPECT_THAT(flow_mistake(names + "0,2,1\n", 2),
              StartsWith(":2:3: error: \"2\" is not the number of a host; write 0 to 1"));
  EXPECT_THAT(flow_mistake(names + "2,2,1\n"),
              StartsWith(":2:3: error: a flow from host 2 to itself does not use the network"));
  EXPECT_THAT(flow_mistake("# a\n\n" + names + "# b\n0,9,1\n"),
              AllOf(StartsWith(":5:3: error: \"9\""), EndsWith("\n0,9,1\n  ^")));
}

TEST(FlowFile, PlacesMistakesInTimes) {
  const std::string names = "source,destination,bytes,start\n";
  EXPECT_THAT(flow_mistake(names + "0,1,1,-1e-3\n"),
              StartsWith(":2:7: error: start \"-1e-3\" is no time from 0 on; write a number that is not negative"));
  for (const char* start : {"nan", "1us", "soon"}) {
    EXPECT_THAT(flow_mistake(names + "0,1,1," + start + "\n"),
                StartsWith(std::string(":2:7: error: start \"") + start + "\" is no time"));
  }
  for (const char* start : {"inf", "9000", "9001", "1e30"}) {
    EXPECT_THAT(
        flow_mistake(names + "0,1,1," + start + "\n"),
        StartsWith(std::string(":2:7: error: start \"") + start + "\" is too large: simulated time ends before"));
  }
  const std::string stops = "source,destination,start,stop\n";
  EXPECT_THAT(flow_mistake(stops + "0,1,2,1\n"),
              StartsWith(":2:7: error: stop 1 s is not after the start, 2 s; write a later one"));
  EXPECT_THAT(flow_mistake(stops + "0,1,2,2\n"), StartsWith(":2:7: error: stop 2 s is not after the start, 2 s"));
  EXPECT_THAT(flow_mistake(stops + "0,1,0,1e30\n"),
              StartsWith(":2:7: error: stop \"1e30\" is too large: simulated time ends before 9000 s"));
  EXPECT_THAT(flow_mistake(stops + "0,1,0,-2\n"), StartsWith(":2:7: error: stop \"-2\" is no time from 0 on"));
}

TEST(FlowFile, TakesTheLatestTime) {
  EXPECT_THAT(flows_in("source,destination,bytes,start\n0,1,1,8999\n"), ElementsAre("0 to 1: 1 B, 8999 s to never"));
}

TEST(FlowFile, RefusesTimesThatWouldRoundToZero) {
  const std::string finer = "would be 0, as times are rounded to femtoseconds; write 0, or at least 1 fs";
  EXPECT_THAT(flow_mistake("source,destination,bytes,start\n0,1,10,0.0000000000000001\n"),
              StartsWith(":2:8: error: start \"0.0000000000000001\" " + finer));
  EXPECT_THAT(flow_mistake("source,destination,start,stop\n0,1,0,1e-16\n"),
              StartsWith(":2:7: error: stop \"1e-16\" " + finer));
  EXPECT_THAT(flow_mistake("source,destination,bytes,start_fs\n0,1,10,0.4\n"),
              StartsWith(":2:8: error: start \"0.4\" " + finer));
  // Others are rounded alike, whatever the unit.
  for (const char* column : {"start_fs\n0,1,1,1.6", "start\n0,1,1,1.6e-15", "start_ns\n0,1,1,1.6e-6"}) {
    EXPECT_THAT(flows_in(std::string("source,destination,bytes,") + column + "\n"),
                ElementsAre("0 to 1: 1 B, 2 fs to never"))
        << column;
  }
  EXPECT_THAT(flows_in("source,destination,bytes,start\n0,1,1,1e-15\n0,1,1,0.0\n0,1,1,0.3\n"),
              ElementsAre("0 to 1: 1 B, 1 fs to never", "0 to 1: 1 B, 0 fs to never", "0 to 1: 1 B, 300 ms to never"));
}

TEST(FlowFile, PlacesMistakesInSizes) {
  const std::string names = "source,destination,bytes\n";
  for (const char* bytes : {"0", "-5", "0.5", "nan", "1099511627777", "many", "10kB"}) {
    EXPECT_THAT(flow_mistake(names + "0,1," + bytes + "\n"),
                StartsWith(std::string(":2:5: error: bytes \"") + bytes +
                           "\": write a number without a unit, 1 to 2^40 bytes"));
  }
  EXPECT_THAT(flow_mistake("source,destination,bytes,stop\n0,1,,\n"),
              StartsWith(":2:1: error: a flow has bytes, or sends until its stop; write one of them"));
  EXPECT_THAT(flow_mistake(names + "0,1,\n"), StartsWith(":2:1: error: a flow has bytes, or sends until its stop"));
}

TEST(FlowFile, PlacesLinesWithOtherNumbersOfCells) {
  const std::string names = "source,destination,bytes\n";
  EXPECT_EQ(flow_mistake(names + "0,1\n"),
            ":2:3: error: this line has 2 cells, and the first one 3; write as many, separated by commas\n0,1\n  ^");
  EXPECT_THAT(flow_mistake(names + "0,1,2\n0,1,2,3\n"), StartsWith(":3:7: error: this line has 4 cells"));
}

TEST(FlowFile, RefusesFilesWithoutFlows) {
  for (const char* text : {"", "\n\n", "# nothing\n  \n"}) {
    EXPECT_EQ(flow_mistake(text),
              ":1:1: error: the flow list is empty; write the names of its columns on the first line")
        << text;
  }
  EXPECT_THAT(flow_mistake("source,destination,bytes\n"),
              StartsWith(":1:1: error: there are no flows; write a line for each"));
  EXPECT_THAT(flow_mistake("source,destination,bytes\n,,kB\n"), StartsWith(":1:1: error: there are no flows"));
}

TEST(FlowFile, SaysThatAFileIsMissing) {
  const TestFolder folder;
  const absl::Status status = flows::read_flows(folder.file("none.csv"), 4).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(message_of(status),
            folder.file("none.csv") + ": error: cannot open the flow list: No such file or directory");
}

}  // namespace
}  // namespace fabrictwin
