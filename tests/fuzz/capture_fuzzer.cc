// For any content of a file: reading ends, no memory error occurs, the counts are consistent, and the published
// copy gives the same packets, also where its headers are rewritten for pseudonyms.
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "extraction.h"
#include "flow_analysis.h"
#include "publication.h"

namespace {

using namespace capture;

constexpr std::size_t batch = 64;

void require(bool holds) {
  if (!holds) {
    std::abort();
  }
}

struct Found {
  std::vector<std::unique_ptr<PacketColumns>> batches;
  Counts counts;
  End end;
  std::size_t flows = 0;
};

// Every packet of a flow is counted once, and no RTT exceeds the duration of its flow.
void check(const FlowAnalysis& analysis, const Counts& counts) {
  std::int64_t packets = 0;
  for (const FlowTotals& totals : analysis.totals()) {
    packets += totals.down.packets + totals.up.packets;
    require(totals.first_ns <= totals.last_ns && totals.down.ip_bytes >= 0 && totals.up.ip_bytes >= 0);
    require(!totals.tcp || totals.tcp->rtt.median_ns() <= totals.last_ns - totals.first_ns);
  }
  require(packets <= static_cast<std::int64_t>(counts.packets));
}

Found read(Bytes bytes) {
  ClientSide side;
  side.add_ipv4(0xC6120102);  // 198.18.1.2, the client of the corpus
  side.set_ethernet({2, 0, 0, 0, 2, 2});
  FlowTable flows;
  FlowAnalysis analysis(flows);
  Extraction extraction(memory_source(bytes), side, flows, 0);
  Found found;
  while (auto columns = extraction.next(batch)) {
    analysis.add(*columns);
    found.batches.push_back(std::move(columns));
  }
  found.counts = extraction.counts();
  check(analysis, found.counts);
  found.end = extraction.end();
  found.flows = flows.flows().size();
  return found;
}

void check(const Found& found) {
  std::size_t packets = 0;
  for (const auto& columns : found.batches) {
    require(columns->size > 0 && columns->size <= batch);
    packets += columns->size;
    for (std::size_t row = 0; row < columns->size; ++row) {
      require((columns->known[row] & known_ports) == 0 || columns->known[row] & known_protocol);
      require((columns->known[row] & known_payload) == 0 || columns->payload_bytes[row] <= columns->ip_bytes[row]);
      require(columns->frame_bytes[row] >= 0 && columns->time_ns[row] >= 0);
    }
  }
  require(packets == found.counts.packets && found.flows <= packets);
  require(found.counts.first_ns <= found.counts.last_ns);
  require(found.end.ending != Ending::ok || found.end.bytes_left == 0);
}

void require_same(const PacketColumns& a, const PacketColumns& b) {
  require(a.size == b.size && a.tcp_sack == b.tcp_sack);
  std::vector<std::vector<std::int64_t>> columns;
  const auto collect = [&columns](std::size_t size) {
    return [&columns, size](const char*, const auto* array) {
      columns.emplace_back(array, array + size);
    };
  };
  PacketColumns::each(a, collect(a.size));
  PacketColumns::each(b, collect(b.size));
  for (std::size_t number = 0; number < columns.size() / 2; ++number) {
    require(columns[number] == columns[number + columns.size() / 2]);
  }
  require(std::equal(a.known, a.known + a.size, b.known));
}

// With these the addresses stay, so that the flows stay, and all else is rewritten.
Pseudonyms unchanged_addresses() {
  return Pseudonyms([](const std::string& address) { return address; });
}

std::string published(Bytes bytes, std::optional<Pseudonyms> pseudonyms) {
  Publication publication(memory_source(bytes), std::move(pseudonyms));
  std::string copy;
  for (std::string piece = publication.next(4096); !piece.empty(); piece = publication.next(4096)) {
    copy += piece;
  }
  return copy;
}

void require_same(const Found& found, const std::string& copy) {
  const Found again = read({reinterpret_cast<const std::uint8_t*>(copy.data()), copy.size()});
  require(found.end.ending == again.end.ending && found.batches.size() == again.batches.size());
  for (std::size_t number = 0; number < found.batches.size(); ++number) {
    require_same(*found.batches[number], *again.batches[number]);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const Found found = read({data, size});
    check(found);
    require_same(found, published({data, size}, {}));
    require_same(found, published({data, size}, unchanged_addresses()));
  } catch (const CaptureError&) {
    // The only allowed error: the file is not a capture.
  }
  return 0;
}
