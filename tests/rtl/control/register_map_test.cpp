// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "rtl/control/register_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "rtl/control/register_row.h"
#include "rtl/control/register_writer.h"

namespace fabrictwin {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kHeading = "register,offset,copies,access,field,bits,reset,description\n";

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in) << path;
  return std::string(std::istreambuf_iterator<char>(in), {});
}

/// The mistakes in rows that follow the heading (line 1).
std::string errors_in(const std::string& rows) {
  const absl::StatusOr<rtl::control::RegisterMap> map = rtl::control::parse_registers(kHeading + rows, "t.csv");
  return map.ok() ? "" : std::string(map.status().message());
}

// What is committed is what the tables say.
TEST(RegisterMap, GeneratedFilesAreUpToDate) {
  for (const rtl::control::RegisterTable& table : rtl::control::kRegisterTables) {
    const std::string path(table.path);
    const absl::StatusOr<rtl::control::RegisterMap> map = rtl::control::parse_registers(read_file(path), path);
    ASSERT_TRUE(map.ok()) << map.status();
    const std::vector<rtl::control::GeneratedFile> files = rtl::control::generate_register_files(table, *map);
    EXPECT_EQ(files.size(), 3u);
    for (const rtl::control::GeneratedFile& file : files)
      EXPECT_EQ(rtl::control::difference_of(file, read_file(file.path)), "");
  }
}

TEST(RegisterMap, DifferenceNamesFileLineAndRemedy) {
  const rtl::control::GeneratedFile file{"some/file.h", "table.csv", "one\ntwo\nthree\n"};
  EXPECT_EQ(rtl::control::difference_of(file, file.text), "");
  const std::string changed = rtl::control::difference_of(file, "one\nTWO\nthree\n");
  EXPECT_THAT(changed, HasSubstr("some/file.h:2: differs"));
  EXPECT_THAT(changed, HasSubstr("there: TWO\n  wanted: two"));
  EXPECT_THAT(changed, HasSubstr("differs from table.csv"));
  EXPECT_THAT(changed, HasSubstr("Run generate_registers"));
  EXPECT_THAT(rtl::control::difference_of(file, "one\n"), HasSubstr("file.h:2: differs"));
  EXPECT_THAT(rtl::control::difference_of(file, file.text + "four\n"), HasSubstr("file.h:4: differs"));
  EXPECT_THAT(rtl::control::difference_of(file, ""), HasSubstr("file.h:1: differs"));
}

TEST(RegisterMap, ReadsRegistersInOrderOfOffset) {
  const absl::StatusOr<rtl::control::RegisterMap> map =
      rtl::control::parse_registers("# A comment.\n\n" + kHeading +
                                        "late,0x40,ports,W1C,,,,\"Comma, and \"\"quote\"\".\"\n"
                                        ",,,,bit,31:31,0,One bit.\r\n"
                                        "early,8,,RW,,,,First.\n"
                                        ",,,,low,3:0,0xA,Low.\n"
                                        ",,,,high,15:8,200,High.\n"
                                        "ready,0xFFC,,RO,,,,Last.\n"
                                        ",,,,all,31:0,,Hardware.",
                                    "t.csv");
  ASSERT_TRUE(map.ok()) << map.status();
  ASSERT_EQ(map->registers.size(), 3u);
  const rtl::control::RegisterEntry& early = map->registers[0];
  EXPECT_EQ(early.name, "early");
  EXPECT_EQ(early.offset, 8u);
  EXPECT_EQ(early.access, rtl::control::RegisterAccess::kReadWrite);
  EXPECT_EQ(early.mask(), 0xFF0Fu);
  EXPECT_EQ(early.reset(), 0xC80Au);
  const rtl::control::RegisterEntry& late = map->registers[1];
  EXPECT_EQ(late.copies, rtl::control::RegisterCopies::kPorts);
  EXPECT_EQ(late.access, rtl::control::RegisterAccess::kWriteOneToClear);
  EXPECT_EQ(late.mask(), 0x80000000u);
  EXPECT_EQ(late.description, "Comma, and \"quote\".");
  EXPECT_EQ(map->registers[2].mask(), 0xFFFFFFFFu);
  EXPECT_FALSE(map->registers[2].fields[0].reset.has_value());
}

TEST(RegisterMap, SplitsRows) {
  EXPECT_THAT(rtl::control::split_row("a,,\"b,c\",\"\"").value(), ElementsAre("a", "", "b,c", ""));
  EXPECT_THAT(rtl::control::split_row("a\"b").value(), ElementsAre("a\"b"));
  EXPECT_FALSE(rtl::control::split_row("\"a").ok());
  EXPECT_FALSE(rtl::control::split_row("\"a\"b,c").ok());
}

struct Mistake {
  const char* rows;
  const char* error;
};
class RegisterMapMistakes : public ::testing::TestWithParam<Mistake> {};

TEST_P(RegisterMapMistakes, AreReportedWithTheirLine) {
  EXPECT_EQ(errors_in(GetParam().rows), std::string("t.csv:") + GetParam().error) << GetParam().rows;
}

INSTANTIATE_TEST_SUITE_P(
    All, RegisterMapMistakes,
    ::testing::Values(
        Mistake{"a,0,,RW,,,,A.\n,,,,f,7:0,0,F.\n,,,,g,8:7,0,G.\n", "4: error: field g overlaps another field"},
        Mistake{"a,0,,RX,,,,A.\n,,,,f,7:0,0,F.\n", "2: error: unknown access \"RX\": RO, RW or W1C"},
        Mistake{"a,2,,RW,,,,A.\n,,,,f,7:0,0,F.\n", "2: error: unaligned offset 2: not a multiple of 0x4"},
        Mistake{"a,0x20,ports,RW,,,,A.\n,,,,f,7:0,0,F.\n", "2: error: unaligned offset 0x20: not a multiple of 0x40"},
        Mistake{"a,0x10,links,RW,,,,A.\n,,,,f,7:0,0,F.\n", "2: error: unaligned offset 0x10: not a multiple of 0x20"},
        Mistake{"a,0x1000,,RW,,,,A.\n,,,,f,7:0,0,F.\n",
                "2: error: offset 0x1000 is beyond the address space of 0x1000 bytes"},
        Mistake{"a,-4,,RW,,,,A.\n,,,,f,7:0,0,F.\n", "2: error: \"-4\" is no offset"},
        Mistake{"a,0xG,,RW,,,,A.\n,,,,f,7:0,0,F.\n", "2: error: \"0xG\" is no offset"},
        Mistake{"a,0x100000000,,RW,,,,A.\n,,,,f,7:0,0,F.\n", "2: error: \"0x100000000\" is no offset"},
        Mistake{"a,0,,RW,,,,A.\n,,,,f,7:0,0,F.\na,4,,RW,,,,A.\n,,,,f,7:0,0,F.\n",
                "4: error: register a is already in line 2"},
        Mistake{"a,0,,RW,,,,A.\n,,,,f,7:0,0,F.\n,,,,f,9:8,0,F.\n", "4: error: a has a field f already"},
        Mistake{"a,0,,RW,,,,A.\n,,,,b_c,7:0,0,F.\na_b,4,,RW,,,,A.\n,,,,c,7:0,0,F.\n",
                "5: error: a_b.c and a.b_c give constants of the same name"},
        Mistake{"a,0x40,ports,RW,,,,A.\n,,,,f,7:0,0,F.\nb,0x7C,,RW,,,,A.\n,,,,f,7:0,0,F.\n",
                "4: error: register b overlaps a of line 2"},
        Mistake{"a,0,,RW,,,,A.\n,,,,f,7:0,0,F.\nb,0,,RW,,,,A.\n,,,,f,7:0,0,F.\n",
                "4: error: register b overlaps a of line 2"},
        Mistake{"a,0,nodes,RW,,,,A.\n,,,,f,7:0,0,F.\n", "2: error: unknown copies \"nodes\": empty, ports or links"},
        Mistake{"a,0,,RW,,,,A.\n,,,,f,32:0,0,F.\n", "3: error: \"32:0\" are no bits: high:low, 31 to 0"},
        Mistake{"a,0,,RW,,,,A.\n,,,,f,0:7,0,F.\n", "3: error: \"0:7\" are no bits: high:low, 31 to 0"},
        Mistake{"a,0,,RW,,,,A.\n,,,,f,7,0,F.\n", "3: error: \"7\" are no bits: high:low, 31 to 0"},
        Mistake{"a,0,,RW,,,,A.\n,,,,f,7:0,256,F.\n", "3: error: reset value 256 does not fit the 8 bits of field f"},
        Mistake{"a,0,,RW,,,,A.\n,,,,f,7:0,x,F.\n", "3: error: \"x\" is no reset value"},
        Mistake{"a,0,,RW,,,,A.\n,,,,f,7:0,,F.\n", "3: error: field f can be written and needs a reset value"},
        Mistake{"a,0,,W1C,,,,A.\n,,,,f,7:0,,F.\n", "3: error: field f can be written and needs a reset value"},
        Mistake{"a,0,,RW,,,,A.\n", "2: error: register a has no fields"},
        Mistake{"a,0,,RW,,,,\n,,,,f,7:0,0,F.\n", "2: error: register a has no description"},
        Mistake{"a,0,,RW,,,,A.\n,,,,f,7:0,0,\n", "3: error: field f has no description"},
        Mistake{"A,0,,RW,,,,A.\n,,,,f,7:0,0,F.\n", "2: error: \"A\" is no name in snake_case"},
        Mistake{"a,0,,RW,,,,A.\n,,,,f__g,7:0,0,F.\n", "3: error: \"f__g\" is no name in snake_case"},
        Mistake{"a,0,,RW,f,7:0,0,A.\n,,,,g,7:0,0,G.\n", "2: error: a field needs a row of its own"},
        Mistake{"a,0,,RW,,,,A.\n,4,,,f,7:0,0,F.\n",
                "3: error: offset, copies and access belong to the row of the register"},
        Mistake{",,,,f,7:0,0,F.\n", "2: error: a field before the first register"},
        Mistake{"a,0,,RW,,,A.\n", "2: error: 7 columns instead of 8"},
        Mistake{"a,0,,RW,,,,\"A.\n", "2: error: a quote is not closed"}));

TEST(RegisterMap, AllMistakesAreReported) {
  EXPECT_EQ(errors_in("a,1,,RX,,,,A.\n,,,,f,7:0,0,F.\n# A comment counts as a line.\n,,,,f,7:4,99,F.\n"),
            "t.csv:2: error: unknown access \"RX\": RO, RW or W1C\n"
            "t.csv:2: error: unaligned offset 1: not a multiple of 0x4\n"
            "t.csv:5: error: a has a field f already\n"
            "t.csv:5: error: field f overlaps another field\n"
            "t.csv:5: error: reset value 99 does not fit the 4 bits of field f");
}

TEST(RegisterMap, NeedsItsHeading) {
  EXPECT_THAT(std::string(rtl::control::parse_registers("", "t.csv").status().message()),
              HasSubstr("t.csv:0: error: there is no heading"));
  EXPECT_THAT(std::string(rtl::control::parse_registers("name,offset\n", "t.csv").status().message()),
              HasSubstr("t.csv:1: error: the heading must be \"register,offset,"));
}

}  // namespace
}  // namespace fabrictwin
