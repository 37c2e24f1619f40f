#include "csv_writer.hpp"

#include <gmock/gmock.h>

#include <sstream>
#include <stdexcept>

namespace measure {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const RunFacts kFacts{"h100", "NVIDIA H100, 80GB", "535.104 for 12.2", "13.0", 2.5};

Row row() {
  Row made;
  made.kernel = "chain_fadd";
  made.group_size = 256;
  made.groups = 264;
  made.concurrent_groups = 2;
  made.parameters = {{"chains", 4}, {"steps", 1e6}};
  made.cycles = 123456.5;
  made.time_us = 70.5;
  made.clock_mhz = 1751;
  made.repeats = 5;
  made.spread = 0.01;
  made.how = "chain";
  return made;
}

TEST(CsvWriter, WritesEachRowBelowOneHeader) {
  std::ostringstream out;
  CsvWriter writer(out, kFacts);
  writer.write(row());
  EXPECT_EQ(out.str(),
            "kernel,device,group_size,groups,concurrent_groups,chains,steps,trips,conflict_degree,stride_bytes,"
            "footprint_bytes,paths,alpha,n,elements_per_thread,stride,cycles,source\n"
            "chain_fadd,h100,256,264,2,4,1000000,,,,,,,,,,123456.5,"
            "\"warpipe-measure: gpu=NVIDIA H100, 80GB; driver=535.104 for 12.2; toolkit=13.0; clock_mhz=1751; "
            "time_us=70.5; repeats=5; spread=0.01; launch_overhead_us=2.5; how=chain\"\n");
  EXPECT_EQ(writer.rows(), 1);
}

TEST(CsvWriter, WritesOfAProbeItsQuantityAndWhatItFits) {
  std::ostringstream out;
  CsvWriter writer(out, kFacts, true);
  Row probe = row();
  for (const Probe& what : {Probe{"fadd_full", Quantity::Cycles, "fadd.issue"}, Probe{"fadd_full", Quantity::Time, ""},
                            Probe{"launch", Quantity::TimeWithLaunch, "a b"}}) {
    probe.probe = what;
    writer.write(probe);
  }
  EXPECT_THAT(out.str(), HasSubstr(",stride,cycles,time_us,includes_overhead,fits,source\n"));
  EXPECT_THAT(out.str(), HasSubstr(",,123456.5,,,fadd.issue,\"warpipe-measure"));
  EXPECT_THAT(out.str(), HasSubstr(",,70.5,0,,\"warpipe-measure"));
  EXPECT_THAT(out.str(), HasSubstr(",,70.5,1,a b,\"warpipe-measure"));
  EXPECT_THAT(out.str(), HasSubstr("; launch_overhead_us=2.5; probe=fadd_full; how=chain\""));
}

TEST(CsvWriter, RefusesAParameterWithoutAColumn) {
  std::ostringstream out;
  CsvWriter writer(out, kFacts);
  Row odd = row();
  odd.parameters["colour"] = 1;
  EXPECT_THROW(writer.write(odd), std::logic_error);
  EXPECT_EQ(writer.rows(), 0);
}

TEST(CsvWriter, SeesAnOutputThatFails) {
  std::ostringstream out;
  CsvWriter writer(out, kFacts);
  out.setstate(std::ios::badbit);
  EXPECT_THROW(writer.write(row()), std::runtime_error);
}

TEST(CsvCell, QuotesWhatWouldBreakALine) {
  EXPECT_EQ(csv_cell("plain; text"), "plain; text");
  EXPECT_EQ(csv_cell("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_cell("say \"no\""), "\"say \"\"no\"\"\"");
  EXPECT_EQ(csv_cell("two\nlines"), "\"two\nlines\"");
}

TEST(TableName, IsTheGpusNameAsAFileWouldHaveIt) {
  EXPECT_EQ(table_name("NVIDIA H100 80GB HBM3"), "nvidia_h100_80gb_hbm3");
  EXPECT_EQ(table_name("  GeForce GTX 1060 6GB (Max-Q) "), "geforce_gtx_1060_6gb_max_q");
  EXPECT_EQ(table_name("global.load"), "global_load");
  EXPECT_EQ(table_name("()"), "gpu");
}

}  // namespace
}  // namespace measure
