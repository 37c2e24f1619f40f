#include "row_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warpipe::app {
namespace {

KeptRows kept_rows(const std::string& file, const ExpectedRows& expected, bool resume) {
  if (!resume) return {};
  const Place place(file);
  if (place.kind == Place::Kind::File) return read_kept_rows(place.file, expected);
  refuse("--resume", "there is a file to go on with", fmt::format("the rows go to {}", place.name()),
         "give --csv=FILE");
}

}  // namespace

RowWriter::RowWriter(Voice voice, const std::string& file, ExpectedRows expected, bool resume)
    : expected_(std::move(expected)),
      kept_(kept_rows(file, expected_, resume)),
      output_(file, kept_.bytes),
      done_(first()),
      progress_(voice, expected_.noun, done_),
      interruptible_([this] { say_interrupted(); }) {}

void RowWriter::take(const std::string& row) {
  interruptible_.whole([&] {
    if (done_ < kept_.count) {
      if (row != kept_.last) refuse_row(output_.file(), kept_.last_line, expected_, kept_.last, row);
    } else {
      const bool first_of_file = done_ == 0 && kept_.bytes == 0;
      output_.append(first_of_file ? expected_.header + row : row);
    }
    progress_.show(++done_, expected_.count);
  });
}

void RowWriter::finish() {
  interruptible_.whole([&] {
    if (expected_.count == 0 && kept_.bytes == 0) output_.append(expected_.header);
    output_.finish();
  });
}

void RowWriter::say_interrupted() {
  progress_.clear();
  const auto done = std::max(done_, kept_.count);
  const auto file = output_.file();
  std::string way_on = fmt::format("they are in {}; the same command with --resume goes on from there", file);
  if (done == 0) way_on = "nothing is written";
  if (file.empty()) {
    way_on = fmt::format("with --{}=FILE a run can be resumed", expected_.form == RowForm::Csv ? "csv" : "jsonl");
  }
  fmt::print(stderr, "warpipe: interrupted after {} of {} {}; {}\n", done, expected_.count, expected_.noun, way_on);
}

}  // namespace warpipe::app
