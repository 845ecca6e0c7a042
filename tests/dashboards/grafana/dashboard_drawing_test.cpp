// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/dashboards/grafana/dashboard_drawing.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <string>
#include <vector>

#include "tests/dashboards/grafana/dashboards.h"
#include "tests/dashboards/report/xml_check.h"
#include "tests/test_folder.h"

namespace fabrictwin::test {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// A dashboard with one panel that has one query.
json dashboard_with(const std::string& type, const json& more = json::object()) {
  json panel = {{"type", type},
                {"title", "Rate of $what"},
                {"gridPos", {{"x", 0}, {"y", 0}, {"w", 12}, {"h", 8}}},
                {"fieldConfig", {{"defaults", {{"unit", "none"}, {"min", 0}}}}},
                {"targets", json::array({{{"expr", "rate($what[1m])"}, {"legendFormat", "{{who}}"}}})}};
  panel.merge_patch(more);
  return {{"title", "A <dashboard> & more"}, {"panels", json::array({panel})}};
}

DashboardView view_of_ten_seconds() {
  const auto view = read_view({{"start", 100}, {"end", 110}, {"step", 1}, {"variables", {{"what", "bytes"}}}});
  EXPECT_TRUE(view.ok()) << view.status();
  return view.value_or(DashboardView());
}

/// The picture that an answer gives, which must be well-formed.
std::string picture_of(const json& dashboard, const std::string& answer,
                       const DashboardView& view = view_of_ten_seconds()) {
  const auto picture = draw_dashboard(dashboard, view, [&](const std::string&, bool) { return read_answer(answer); });
  EXPECT_TRUE(picture.ok()) << picture.status();
  EXPECT_EQ(xml_fault(picture.value_or("<none/>")), "") << picture.value_or("");
  return picture.value_or("");
}

std::string matrix_of(const std::string& series) {
  return fmt::format(R"({{"status":"success","data":{{"resultType":"matrix","result":[{}]}}}})", series);
}
std::string vector_of(const std::string& series) {
  return fmt::format(R"({{"status":"success","data":{{"resultType":"vector","result":[{}]}}}})", series);
}

/// All that `pattern` finds, its first group.
std::vector<std::string> found(const std::string& text, const std::string& pattern) {
  std::vector<std::string> all;
  const std::regex expression(pattern);
  for (std::sregex_iterator i(text.begin(), text.end(), expression), end; i != end; ++i) all.push_back((*i)[1]);
  return all;
}

/// The points of each curve.
std::vector<std::string> curves_in(const std::string& picture) {
  return found(picture, "<polyline [^>]*points=\"([^\"]*)\"");
}
/// All texts.
std::vector<std::string> texts_in(const std::string& picture) { return found(picture, "<text [^>]*>([^<]*)<"); }

TEST(DashboardDrawingTest, AMatrixIsCurvesWithALegend) {
  const std::string picture = picture_of(
      dashboard_with("timeseries"), matrix_of(R"({"metric":{"who":"one"},"values":[[100,"0"],[101,"10"],[102,"0"]]},
                   {"metric":{"who":"two"},"values":[[108,"5"],[109,"5"],[110,"5"]]})"));
  const std::vector<std::string> curves = curves_in(picture);
  ASSERT_EQ(curves.size(), 2u);
  EXPECT_EQ(found(curves[0], "([^ ]+)").size(), 3u);
  EXPECT_EQ(found(curves[1], "([^ ]+)").size(), 2u) << "a level stretch needs its ends only";
  EXPECT_THAT(texts_in(picture), ::testing::IsSupersetOf({"Rate of bytes", "one", "two", "0 s", "10 s"}));
  EXPECT_THAT(picture, Not(HasSubstr("no data")));
  EXPECT_THAT(picture, HasSubstr("not by Grafana"));
}

TEST(DashboardDrawingTest, QueriesAreSentWithTheirVariables) {
  std::vector<std::string> asked;
  json dashboard = dashboard_with("stat");
  dashboard["panels"].push_back(dashboard_with("timeseries")["panels"][0]);
  dashboard["panels"][0]["targets"][0]["instant"] = true;
  const auto picture = draw_dashboard(dashboard, view_of_ten_seconds(), [&](const std::string& query, bool instant) {
    asked.push_back(fmt::format("{} {}", query, instant));
    return read_answer(matrix_of(""));
  });
  ASSERT_TRUE(picture.ok()) << picture.status();
  EXPECT_THAT(asked, ElementsAre("rate(bytes[1m]) true", "rate(bytes[1m]) false"));
}

TEST(DashboardDrawingTest, NothingIsNoData) {
  for (const char* const type : {"timeseries", "stat", "table"}) {
    const std::string picture = picture_of(dashboard_with(type), matrix_of(""));
    EXPECT_THAT(texts_in(picture), ::testing::Contains("no data")) << type;
  }
}

TEST(DashboardDrawingTest, ValuesThatAreNotFiniteLeaveGaps) {
  const std::string picture = picture_of(
      dashboard_with("timeseries"),
      matrix_of(R"({"metric":{"who":"gap"},"values":[[100,"1"],[101,"2"],[102,"NaN"],[103,"+Inf"],[104,"1"],[105,"2"],
                   [106,"-Inf"],[107,"3"]]})"));
  EXPECT_EQ(curves_in(picture).size(), 2u);
  EXPECT_EQ(found(picture, "(<circle)").size(), 1u) << "a point of its own is a dot";
  for (const std::string& coordinates : curves_in(picture)) EXPECT_THAT(coordinates, Not(HasSubstr("n"))) << "nan, inf";
  const std::string none = picture_of(dashboard_with("timeseries"),
                                      matrix_of(R"({"metric":{"who":"gap"},"values":[[100,"NaN"],[101,"NaN"]]})"));
  EXPECT_THAT(texts_in(none), ::testing::Contains("no data"));
}

TEST(DashboardDrawingTest, HugeValuesStayInThePicture) {
  const std::string picture =
      picture_of(dashboard_with("timeseries"),
                 matrix_of(R"({"metric":{"who":"huge"},"values":[[100,"-9e299"],[101,"9e299"],[102,"1e308"]]})"));
  ASSERT_EQ(curves_in(picture).size(), 1u);
  for (const std::string& number : found(curves_in(picture)[0], "([-0-9.]+)")) {
    EXPECT_GE(std::stod(number), 0);
    EXPECT_LE(std::stod(number), 1000);
  }
}

TEST(DashboardDrawingTest, ManyCurvesAreCounted) {
  std::string series;
  for (int i = 0; i < 20; ++i) {
    series += fmt::format(R"({}{{"metric":{{"who":"s{:02}"}},"values":[[100,"{}"],[110,"0"],[101,"0"]]}})",
                          i == 0 ? "" : ",", i, i);
  }
  const std::string picture = picture_of(dashboard_with("timeseries"), matrix_of(series));
  const std::vector<std::string> texts = texts_in(picture);
  EXPECT_THAT(texts, ::testing::Contains("and 11 more"));
  EXPECT_THAT(texts, ::testing::Contains("s19"));
  EXPECT_THAT(texts, ::testing::Contains("s11"));
  EXPECT_THAT(texts, Not(::testing::Contains("s10"))) << "those with the greatest values are drawn";
}

TEST(DashboardDrawingTest, LegendsSayOnceWhatAllLabelsBeginWith) {
  const std::string picture =
      picture_of(dashboard_with("timeseries"), matrix_of(R"({"metric":{"who":"run one"},"values":[[100,"1"],[101,"2"]]},
                                                      {"metric":{"who":"run other"},"values":[[100,"1"],[101,"2"]]})"));
  EXPECT_THAT(texts_in(picture), ::testing::IsSupersetOf({"run:", "one", "other"}));
}

TEST(DashboardDrawingTest, DescriptionsTakeTwoLines) {
  const std::string picture =
      picture_of(dashboard_with("timeseries", {{"description",
                                                "Share of wall-clock time in which even the busiest partition "
                                                "waits: for messages of others, or for a core"}}),
                 matrix_of(""));
  EXPECT_THAT(texts_in(picture),
              ::testing::IsSupersetOf({"Share of wall-clock time in which even the busiest partition waits:",
                                       "for messages of others, or for a core"}));
}

TEST(DashboardDrawingTest, NumbersInTablesAreWhole) {
  const std::string name(200, 'x');
  const std::string picture = picture_of(
      dashboard_with("table"),
      vector_of(fmt::format(R"({{"metric":{{"who":"{}","b":"{}"}},"value":[110,"475956.7"]}})", name, name)));
  EXPECT_THAT(texts_in(picture), ::testing::Contains("476 thousand"));
}

TEST(DashboardDrawingTest, ZeroIsAtTheBottom) {
  const std::string picture = picture_of(
      dashboard_with("timeseries"), matrix_of(R"({"metric":{"who":"idle"},"values":[[100,"0"],[101,"0"],[102,"0"]]})"));
  ASSERT_EQ(curves_in(picture).size(), 1u);
  EXPECT_THAT(texts_in(picture), ::testing::IsSupersetOf({"0.0", "1.0"}));
  EXPECT_THAT(texts_in(picture), Not(::testing::Contains("-0.5")));
}

TEST(DashboardDrawingTest, StatPanelsShowTheLastValueAndItsMapping) {
  const json mapped = {
      {"fieldConfig",
       {{"defaults",
         {{"mappings",
           json::array({{{"type", "value"}, {"options", {{"1", {{"text", "complete"}, {"color", "green"}}}}}}})}}}}}};
  const std::string picture =
      picture_of(dashboard_with("stat", mapped), vector_of(R"({"metric":{"who":"a"},"value":[110,"1"]},
                                                      {"metric":{"who":"b"},"value":[110,"7"]},
                                                      {"metric":{"who":"c"},"value":[110,"NaN"]})"));
  EXPECT_THAT(texts_in(picture), ::testing::IsSupersetOf({"complete", "a", "7", "b", "NaN", "c"}));
  EXPECT_THAT(picture, HasSubstr("<text class=\"v green\""));
  const json hostile = {
      {"fieldConfig",
       {{"defaults",
         {{"mappings", json::array({{{"type", "value"},
                                     {"options", {{"1", {{"text", "<b>"}, {"color", "x\" onload=\"y"}}}}}}})}}}}}};
  const std::string escaped =
      picture_of(dashboard_with("stat", hostile), vector_of(R"({"metric":{"who":"a"},"value":[110,"1"]})"));
  EXPECT_THAT(escaped, Not(HasSubstr("onload")));
  EXPECT_THAT(escaped, HasSubstr("&lt;b&gt;"));
}

TEST(DashboardDrawingTest, ManyStatValuesAreCounted) {
  std::string series;
  for (int i = 0; i < 7; ++i)
    series += fmt::format(R"({}{{"metric":{{"who":"s{}"}},"value":[110,"{}"]}})", i == 0 ? "" : ",", i, i);
  EXPECT_THAT(
      texts_in(picture_of(dashboard_with("stat"), vector_of(series))),
      ::testing::AllOf(::testing::Contains("and 3 more"), ::testing::Contains("s3"), Not(::testing::Contains("s4"))));
}

TEST(DashboardDrawingTest, TablesShowLabelsButThoseThatAreHidden) {
  const json hidden = {
      {"transformations",
       json::array({{{"id", "organize"},
                     {"options", {{"excludeByName", {{"Value", true}, {"job", true}, {"who", false}}}}}}})}};
  const std::string answer = vector_of(R"({"metric":{"who":"a","job":"j"},"value":[110,"1234"]},
                                          {"metric":{"who":"b","other":"o"},"value":[110,"5"]})");
  const std::vector<std::string> without = texts_in(picture_of(dashboard_with("table", hidden), answer));
  EXPECT_THAT(without, ::testing::IsSupersetOf({"who", "other", "a", "b", "o"}));
  EXPECT_THAT(without, Not(::testing::Contains(::testing::AnyOf("job", "j", "Value", "1234"))));
  const std::vector<std::string> with = texts_in(picture_of(dashboard_with("table"), answer));
  EXPECT_THAT(with, ::testing::IsSupersetOf({"job", "j", "Value", "1234"}));
}

TEST(DashboardDrawingTest, LongTablesAreCounted) {
  std::string series;
  for (int i = 0; i < 100; ++i)
    series += fmt::format(R"({}{{"metric":{{"who":"row{:02}"}},"value":[110,"{}"]}})", i == 0 ? "" : ",", i, i);
  const std::string picture = picture_of(dashboard_with("table"), vector_of(series));
  const std::vector<std::string> more = found(picture, ">and ([0-9]+) more rows<");
  ASSERT_EQ(more.size(), 1u);
  EXPECT_EQ(std::stoul(more[0]) + found(picture, ">(row[0-9]+)<").size(), 100u);
  for (const std::string& y : found(picture, "<text [^>]* y=\"([0-9.]+)\"")) EXPECT_LT(std::stod(y), 400);
}

TEST(DashboardDrawingTest, TextsOfLabelsAreOnlyText) {
  // Markup, the end of a CDATA section, control characters, a change of direction, a byte that is no UTF-8.
  const std::string label = R"(</text><script>alert(1)</script>]]>&\"' \n\u0000\u0007\u202e)";
  for (const char* const type : {"timeseries", "stat", "table"}) {
    const std::string picture = picture_of(
        dashboard_with(type),
        matrix_of(fmt::format(R"({{"metric":{{"who":"{}","</x>":"y"}},"values":[[100,"1"],[101,"2"]]}})", label)));
    EXPECT_THAT(picture, Not(HasSubstr("<script"))) << type;
    EXPECT_THAT(picture, Not(HasSubstr("\xe2\x80\xae"))) << type;
    EXPECT_THAT(picture, HasSubstr("&lt;/text")) << type;
  }
}

TEST(DashboardDrawingTest, BytesThatAreNoUtf8AreNotShown) {
  const auto picture =
      draw_dashboard(dashboard_with("timeseries"), view_of_ten_seconds(), [](const std::string&, bool) {
        return absl::StatusOr<std::vector<AnswerSeries>>(
            std::vector<AnswerSeries>{{{{"who", "bad \xff byte"}}, {{100, 1}}}});
      });
  ASSERT_TRUE(picture.ok()) << picture.status();
  EXPECT_EQ(xml_fault(*picture), "");
  EXPECT_THAT(texts_in(*picture), ::testing::Contains("bad ? byte"));
}

TEST(DashboardDrawingTest, LongTextsLoseTheirMiddle) {
  const std::string name(5000, 'x');
  for (const char* const type : {"timeseries", "stat", "table"}) {
    const std::string picture =
        picture_of(dashboard_with(type, {{"description", name}}),
                   matrix_of(fmt::format(R"({{"metric":{{"who":"{}"}},"values":[[100,"1"],[101,"2"]]}})", name)));
    for (const std::string& text : texts_in(picture)) EXPECT_LT(text.size(), 200u) << type;
  }
}

TEST(DashboardDrawingTest, ErrorsNameThePanel) {
  const auto draw = [](const json& dashboard) {
    const auto picture = draw_dashboard(dashboard, view_of_ten_seconds(),
                                        [](const std::string&, bool) { return read_answer("no answer"); });
    return picture.ok() ? std::string() : std::string(picture.status().message());
  };
  EXPECT_THAT(draw(dashboard_with("timeseries")), HasSubstr("panel \"Rate of $what\": this is no answer"));
  EXPECT_THAT(draw(dashboard_with("piechart", {{"targets", json::array()}})),
              HasSubstr("\"piechart\" cannot be drawn"));
  EXPECT_THAT(draw(dashboard_with("stat", {{"gridPos", {{"x", 20}}}})), HasSubstr("gridPos"));
  EXPECT_THAT(draw(dashboard_with("stat", {{"gridPos", {{"h", -1}}}})), HasSubstr("gridPos"));
  EXPECT_THAT(draw(json::object()), HasSubstr("no panels"));
  EXPECT_THAT(draw({{"panels", json::array({7})}}), HasSubstr("no object"));
}

TEST(DashboardDrawingTest, ViewsAreChecked) {
  EXPECT_FALSE(read_view(7).ok());
  EXPECT_FALSE(read_view({{"start", 1}, {"end", 2}}).ok());
  EXPECT_FALSE(read_view({{"start", 2}, {"end", 2}, {"step", 1}}).ok());
  EXPECT_FALSE(read_view({{"start", 1}, {"end", 2}, {"step", 0}}).ok());
  EXPECT_FALSE(read_view({{"start", 1}, {"end", 1e12}, {"step", 1}}).ok());
  EXPECT_FALSE(read_view({{"start", -1}, {"end", 1}, {"step", 1}}).ok());
  EXPECT_FALSE(read_view({{"start", 1}, {"end", 2}, {"step", 1}, {"variables", {{"a", 1}}}}).ok());
}

TEST(DashboardDrawingTest, TimesCountFromTheStartOrAreDates) {
  const std::string answer = matrix_of(R"({"metric":{"who":"one"},"values":[[100,"0"],[101,"10"]]})");
  DashboardView view = view_of_ten_seconds();
  view.axis.unit = "us";
  view.axis.seconds_per_unit = 0.1;
  EXPECT_THAT(texts_in(picture_of(dashboard_with("timeseries"), answer, view)), ::testing::Contains("100 us"));
  view.axis = {.start = 1'772'323'200,
               .end = 1'772'323'200 + 4 * 86400,
               .step = 3600,
               .unit = "date",
               .seconds_per_unit = 86400};
  const std::string dates = picture_of(dashboard_with("timeseries"),
                                       matrix_of(R"({"metric":{"who":"one"},"values":[[1772366400,"3"]]})"), view);
  EXPECT_THAT(texts_in(dates), ::testing::IsSupersetOf({"Mar 01", "Mar 03"}));
}

TEST(DashboardDrawingTest, PicturesOfTheDocumentationAreWellFormed) {
  for (const auto& [name, dashboard] : all_dashboards()) {
    const std::string picture = read_file(fmt::format("docs/images/dashboard-{}.svg", name.substr(0, name.rfind('.'))));
    EXPECT_EQ(xml_fault(picture), "") << name;
    EXPECT_LT(picture.size(), 200'000u) << name;
    EXPECT_THAT(picture, HasSubstr("not by Grafana")) << name;
  }
}

// What the dashboards of the tree ask is more than these answers have, but all of their panels can be drawn.
TEST(DashboardDrawingTest, AllDashboardsOfTheTreeCanBeDrawn) {
  const std::string answer = matrix_of(R"({"metric":{"instance":"a","link":"x->y"},"values":[[100,"1"],[101,"2"]]})");
  for (const auto& [name, dashboard] : all_dashboards()) {
    const std::string picture = picture_of(dashboard, answer);
    const std::vector<std::string> texts = texts_in(picture);
    EXPECT_THAT(texts, Not(::testing::Contains("no data"))) << name;
    EXPECT_EQ(found(picture, "(<rect class=\"panel\")").size(), panels_of(dashboard).size()) << name;
  }
}

}  // namespace
}  // namespace fabrictwin::test
