// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Mistakes are where they can be made, and nowhere else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/rtl/mutants/literal.h"
#include "tests/rtl/mutants/mutation.h"
#include "tests/rtl/mutants/schemata.h"
#include "tests/rtl/mutants/selection.h"

namespace fabrictwin::mutants {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

// "line kind: original -> changed" of each.
std::vector<std::string> all(const std::string& text) {
  const Source source(text);
  std::vector<std::string> lines;
  for (const Mutation& mutation : generate(source)) {
    lines.push_back(std::to_string(mutation.line) + " " + mutation.kind + ": " + mutation.original + " -> " +
                    mutation.changed);
  }
  return lines;
}

TEST(Literals, BecomeTheirNeighbours) {
  EXPECT_EQ(neighbour("5"), "6");
  EXPECT_EQ(neighbour("8'd5"), "8'd6");
  EXPECT_EQ(neighbour("1'b1"), "1'd0");
  EXPECT_EQ(neighbour("16'hff_ff"), "16'd65534");
  EXPECT_EQ(neighbour("-"), std::nullopt);
  EXPECT_EQ(neighbour("4'sd7"), "4'sd6");
  EXPECT_EQ(neighbour("'0"), "'1");
  EXPECT_EQ(neighbour("'1"), "'0");
  EXPECT_EQ(neighbour("4'bxx01"), std::nullopt);
  EXPECT_EQ(neighbour("64'd1"), std::nullopt);
  EXPECT_EQ(neighbour("1.5"), std::nullopt);
}

TEST(Mutations, SwapOperatorsOfAssignments) {
  EXPECT_THAT(all("assign a = b + |c;"), UnorderedElementsAre("1 operator: + -> -", "1 operator: | -> &"));
  EXPECT_THAT(all("assign a = b ? c : d;"), ElementsAre("1 negation: b -> !(b)"));
}

TEST(Mutations, StickWhatIsTrueOrFalse) {
  EXPECT_THAT(all("assign a = b && c;"),
              UnorderedElementsAre("1 operator: && -> ||", "1 stuck: b && c -> 1'b0", "1 stuck: b && c -> 1'b1"));
}

TEST(Mutations, LeaveWhatMustBeConstant) {
  EXPECT_THAT(all("assign a = {4{b[W-1:0]}};"), IsEmpty());
  EXPECT_THAT(all("assign a = b[8*v+:8];"), IsEmpty());
  EXPECT_THAT(all("assign a = (W + 1)'(b);"), IsEmpty());
  EXPECT_THAT(all("localparam int A = 1 + 2;\nlogic [7:0] b;\nfoo #(.A(A + 1)) i_foo (.b);"), IsEmpty());
  EXPECT_THAT(all("if (A > 1) begin : gen_a\nend"), IsEmpty());
}

TEST(Mutations, ChangeConditionsAndDropWhatIsClocked) {
  EXPECT_THAT(all("always_ff @(posedge clk_i) begin\n"
                  "  if (!rst_ni) begin\n"
                  "    a_q <= b;\n"
                  "  end else if (c) a_q <= d;\n"
                  "end"),
              UnorderedElementsAre("2 operator: ! -> ", "3 reset: a_q <= b; -> ", "4 negation: c -> !(c)",
                                   "4 stuck: c -> 1'b0", "4 stuck: c -> 1'b1", "4 drop: a_q <= d; -> "));
}

TEST(Mutations, PassOverAssertionsCommentsAndOtherMacros) {
  EXPECT_THAT(all("always_ff @(posedge clk_i) begin\n"
                  "  assert (a == b) else $error(\"a + b\");\n"
                  "  // a <= b + c;\n"
                  "end\n"
                  "`ifdef FORMAL\nassign a = b + c;\n`else\nassign a = b - c;\n`endif"),
              ElementsAre("8 operator: - -> +"));
  EXPECT_THAT(all("`ifndef SYNTHESIS\nassign a = b + c;\n`else\nassign a = b + d;\n`endif\nassign e = f ^ g;"),
              ElementsAre("6 operator: ^ -> |"));
}

TEST(Mutations, ReachFunctionsCasesAndConnections) {
  EXPECT_THAT(all("function automatic logic f(input logic a);\n  return a ^ b;\nendfunction"),
              ElementsAre("2 operator: ^ -> |"));
  EXPECT_THAT(all("always_comb begin\n  case (a & b)\n    A, B: c = 1'b0;\n    default: d = e;\n  endcase\nend"),
              UnorderedElementsAre("2 operator: & -> |", "3 constant: 1'b0 -> 1'd1"));
  EXPECT_THAT(all("foo i_foo (\n.a_o(b[1]),\n.c_no({d[2], e})\n);"), IsEmpty()) << "outputs are assigned to";
  EXPECT_THAT(all("foo i_foo (\n.a_i,\n.b_i(c || d)\n);"), ElementsAre("3 operator: || -> &&"));
}

TEST(Schemata, KeepLinesAndChooseByNumber) {
  const std::string text = "assign a = b\n  + c;\nalways_ff @(posedge clk_i) d_q <= e;\n";
  const Source source(text);
  Numbered numbered;
  for (Mutation& mutation : generate(source)) numbered.emplace_back(static_cast<int>(numbered.size()) + 1, mutation);
  ASSERT_EQ(numbered.size(), 2u);
  EXPECT_EQ(instrument(source, numbered),
            "assign a = (mutation_pkg::active == 1 ? (b - c) : (b\n  + c));\n"
            "always_ff @(posedge clk_i) begin if (mutation_pkg::active == 2) ; else d_q <= e; end\n");
  EXPECT_EQ(instrument(source, {}), text);
}

TEST(Schemata, TakeChangesByHand) {
  const std::string text = "always_comb begin\n  if (a && b) c = d; // as long as\nend\nlogic [7:0] e;\n";
  const Source source(text);
  const Mutation inside = replace(source, "if (a && b) c", "if (a) c");
  EXPECT_EQ(inside.line, 2);
  EXPECT_THAT(instrument(source, {{7, inside}}), HasSubstr("if ((mutation_pkg::active == 7 ? (a) : (a && b))) c = d;"));
  EXPECT_EQ(replace(source, "[7:0]", "[6:0]").region, source.regions.size());
  EXPECT_EQ(replace(source, "if (a && b) c = d;", "").region, source.regions.size());
}

TEST(Selection, DependsOnSeedAndName) {
  const std::string text = "assign a = b + c + d + e + f + g + h + i;";
  const Source source(text);
  const auto texts = [&](size_t count, uint64_t seed, const char* name) {
    std::string all;
    for (const Mutation& mutation : sample(generate(source), count, seed, name)) all += mutation.text + "\n";
    return all;
  };
  EXPECT_EQ(texts(3, 1, "a.sv"), texts(3, 1, "a.sv"));
  EXPECT_NE(texts(3, 1, "a.sv"), texts(3, 2, "a.sv"));
  EXPECT_NE(texts(3, 1, "a.sv"), texts(3, 1, "b.sv"));
  const std::string few = texts(2, 1, "a.sv");
  EXPECT_EQ(std::count(few.begin(), few.end(), '\n'), 2);
  EXPECT_EQ(texts(100, 1, "a.sv"), texts(100, 2, "a.sv"));
}

TEST(Selection, ReadsRows) {
  const std::vector<Row> rows = rows_of("# Comment.\n\na.sv\tb <= c;\t\tone two\n");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].file, "a.sv");
  EXPECT_EQ(rows[0].from, "b <= c;");
  EXPECT_EQ(rows[0].to, "");
  EXPECT_EQ(rows[0].tests, "one two");
}

}  // namespace
}  // namespace fabrictwin::mutants
