#include "capture.h"

#include "pcap.h"
#include "pcapng.h"

namespace capture {
namespace {

std::unique_ptr<RecordReader> reader_of(Window& window) {
  const Bytes beginning = window.peek(4);
  if (beginning.empty()) {
    throw CaptureError("is empty");
  }
  if (beginning.size() < 4) {
    throw CaptureError("its file head is incomplete");
  }
  if (PcapngReader::knows(beginning)) {
    return std::make_unique<PcapngReader>(window);
  }
  if (PcapReader::knows(beginning)) {
    return std::make_unique<PcapReader>(window);
  }
  throw CaptureError("is not a capture: it begins like neither pcap nor pcapng");
}

}  // namespace

CaptureReader::CaptureReader(std::unique_ptr<ByteSource> source)
    : window_(decompressed(std::move(source))), records_(reader_of(window_)) {}

bool CaptureReader::next(Record& record) {
  if (over_) {
    return false;
  }
  if (records_->next(record)) {
    return true;
  }
  finish();
  return false;
}

// A damaged compressed stream also cuts the last record. Then the ending of the stream is reported.
void CaptureReader::finish() {
  over_ = true;
  end_.offset = window_.offset();
  end_.bytes_left = window_.count_rest();
  const Ending stream = window_.source().ending();
  end_.ending = records_->ending() == Ending::corrupt || stream == Ending::ok ? records_->ending() : stream;
}

}  // namespace capture
