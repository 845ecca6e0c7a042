// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/report/tables_csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace fabrictwin {
namespace {

/// A file of a report; empty if there is none of this name.
std::string file_of(const v1::Report& report, std::string_view name) {
  for (const report::CsvFile& file : report::csv_files(report)) {
    if (file.name == name) return file.text;
  }
  return {};
}

TEST(TablesCsv, OfAReportWithoutListsThereAreNone) { EXPECT_TRUE(report::csv_files({}).empty()); }

// Of distributions each value is a column, and of one that is not there none has a cell.
TEST(TablesCsv, ClassesHaveTheirLatencies) {
  v1::Report report;
  v1::ClassReport& hot = *report.add_classes();
  hot.set_name("hot, hotter");
  hot.set_offered_load(0.5);
  hot.set_packets_sent(7);
  hot.mutable_latency()->set_count(6);
  hot.mutable_latency()->set_p99(2.5e-6);
  hot.set_goodput_gbps(1.5);
  report.add_classes()->set_name("victims");
  EXPECT_EQ(file_of(report, "classes.csv"),
            "name,offered_load,accepted_load,packets_sent,packets_received,latency_count,latency_mean_seconds,"
            "latency_min_seconds,latency_max_seconds,latency_p50_seconds,latency_p90_seconds,latency_p99_seconds,"
            "latency_p99_9_seconds,latency_p99_99_seconds,latency_cycles_mean,latency_cycles_min,latency_cycles_max,"
            "latency_cycles_network_mean,latency_cycles_confidence,latency_cycles_p50,latency_cycles_p90,"
            "latency_cycles_p99,latency_cycles_p99_9,latency_cycles_p99_99,jain_index,goodput_gbps,window_goodput_gbps,"
            "start_seconds,stop_seconds,goodput_recovery_seconds\n"
            "\"hot, hotter\",0.5,0,7,0,6,0,0,0,0,0,2.5e-06,0,0,,,,,,,,,,,,1.5,,,,\n"
            "victims,0,0,0,0,,,,,,,,,,,,,,,,,,,,,,,,,\n");
}

TEST(TablesCsv, QueuesStandBesidePauses) {
  v1::Report report;
  report.mutable_queues()->set_max_bytes(3000);
  report.mutable_queues()->set_max_port("router[0].host0");
  report.set_pauses(4);
  EXPECT_EQ(file_of(report, "queues.csv"),
            "max_bytes,max_port,mean_bytes,mean_port,p50_bytes,p99_bytes,set_aside_most,set_aside_at_end,"
            "set_aside_released_seconds,paused_seconds,at_inputs,pauses\n"
            "3000,router[0].host0,,,,,,,,,,4\n");
}

TEST(TablesCsv, HaveALineForEachJobTestAndFault) {
  v1::Report report;
  v1::JobReport& job = *report.add_jobs();
  job.set_name("storm");
  job.set_background(true);
  job.set_goodput_gbps(12.25);
  job.mutable_osu()->set_benchmark("latency");
  v1::GpcnetRow& row = *report.mutable_gpcnet()->add_rows();
  row.set_test("RR Two-sided Lat (8 B)");
  row.set_unit("us");
  row.set_cif_p99(3);
  report.add_faults()->set_link("host[1]");
  report.add_faults()->set_recovery_seconds(1e-3);
  report.mutable_control()->set_bytes(640);
  EXPECT_EQ(file_of(report, "jobs.csv"),
            "name,ranks,first_rank,finish_seconds,background,completions,baseline_seconds,slowdown,goodput_gbps\n"
            "storm,0,0,0,true,0,,,12.25\n");
  EXPECT_EQ(file_of(report, "gpcnet.csv"),
            "test,unit,isolated_mean,isolated_p99,congested_mean,congested_p99,cif_mean,cif_p99\n"
            "RR Two-sided Lat (8 B),us,0,0,0,0,0,3\n");
  EXPECT_EQ(file_of(report, "faults.csv"),
            "link,at_seconds,until_seconds,rate,queue_bytes,recovery_seconds,goodput_recovery_seconds,bit_error_rate,"
            "wrong_bits,corrected_headers,damaged_packets,lost_packets,lost_words,late_credits,held_words\n"
            "host[1],0,,0,0,,,,,,,,,,\n"
            ",0,,0,0,0.001,,,,,,,,,\n");
  EXPECT_EQ(file_of(report, "control.csv"), "marks,acknowledgements,notices,bytes,false_marks\n0,0,0,640,\n");
}

TEST(TablesCsv, TreesNameTheOutputThatTheyWaitFor) {
  v1::Report report;
  v1::TreeSnapshot& tree = *report.add_trees();
  tree.set_seconds(1e-3);
  tree.add_ports()->set_port("router[0].tile");
  v1::TreePort& branch = *tree.add_ports();
  branch.set_port("router[1].x+");
  branch.set_bytes(50);
  branch.set_next(0);
  EXPECT_EQ(file_of(report, "trees.csv"),
            "seconds,port,bytes,waits_for\n0.001,router[0].tile,0,\n0.001,router[1].x+,50,router[0].tile\n");
}

TEST(TablesCsv, AllNamesAreKnown) {
  v1::Report report;
  report.add_classes();
  report.add_jobs();
  report.mutable_gpcnet()->add_rows();
  report.mutable_queues();
  report.mutable_control();
  report.add_faults();
  report.add_trees();
  const std::vector<std::string_view> names = report::csv_file_names();
  const std::vector<report::CsvFile> files = report::csv_files(report);
  EXPECT_EQ(files.size(), names.size());
  for (const report::CsvFile& file : files) EXPECT_THAT(names, ::testing::Contains(file.name));
}

}  // namespace
}  // namespace fabrictwin
