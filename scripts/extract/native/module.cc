// The Python module observatory_capture. observatory_capture.pyi documents it.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <arpa/inet.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <system_error>

#include "byte_order.h"
#include "extraction.h"
#include "flow_analysis.h"
#include "publication.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace capture {
namespace {

const char* name_of(Ending ending) {
  return ending == Ending::ok ? "ok" : ending == Ending::cut ? "cut" : "corrupt";
}

std::string text_of(const std::array<std::uint8_t, 16>& address, std::uint8_t ip_version) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  inet_ntop(ip_version == 4 ? AF_INET : AF_INET6, address.data(), text.data(), text.size());
  return text.data();
}

// The flows of captures, and their totals.
struct Flows {
  Flows() = default;
  Flows(const Flows&) = delete;
  Flows& operator=(const Flows&) = delete;

  FlowTable table;
  FlowAnalysis analysis{table};
};

nb::list rows_of(const Flows& flows, std::size_t begin, std::size_t end) {
  nb::list rows;
  for (std::size_t number = begin; number < std::min(end, flows.table.flows().size()); ++number) {
    const Flow& flow = flows.table.flows()[number];
    rows.append(nb::make_tuple(flow.owner, flow.protocol, text_of(flow.source, flow.ip_version), flow.source_port,
                               text_of(flow.destination, flow.ip_version), flow.destination_port));
  }
  return rows;
}

void add_way(nb::dict& row, const std::string& way, const WayTotals& totals, bool tcp) {
  const auto of_tcp = [tcp](std::int64_t value) { return tcp ? nb::cast(value) : nb::none(); };
  row[("packets_" + way).c_str()] = totals.packets;
  row[("ip_bytes_" + way).c_str()] = totals.ip_bytes;
  row[("retransmissions_" + way).c_str()] = of_tcp(totals.retransmissions);
  row[("out_of_order_" + way).c_str()] = of_tcp(totals.out_of_order);
  row[("duplicate_acks_" + way).c_str()] = of_tcp(totals.duplicate_acks);
  row[("bytes_in_flight_" + way).c_str()] = of_tcp(totals.most_bytes_in_flight);
}

nb::list totals_of(const Flows& flows, std::size_t begin, std::size_t end) {
  nb::list rows;
  for (std::size_t number = begin; number < std::min(end, flows.analysis.totals().size()); ++number) {
    const FlowTotals& totals = flows.analysis.totals()[number];
    nb::dict row;
    row["first_ns"] = totals.first_ns;
    row["last_ns"] = totals.last_ns;
    add_way(row, "down", totals.down, totals.tcp != nullptr);
    add_way(row, "up", totals.up, totals.tcp != nullptr);
    if (totals.tcp) {
      const TimestampRtt& rtt = totals.tcp->rtt;
      row["rtt_samples"] = rtt.samples();
      row["rtt_min_ns"] = rtt.samples() > 0 ? nb::cast(rtt.least_ns()) : nb::none();
      row["rtt_median_ns"] = rtt.samples() > 0 ? nb::cast(rtt.median_ns()) : nb::none();
    }
    rows.append(row);
  }
  return rows;
}

ClientSide side_of(const std::vector<std::string>& addresses) {
  ClientSide side;
  for (const std::string& text : addresses) {
    ClientSide::Address address{};
    if (inet_pton(AF_INET, text.c_str(), address.data()) == 1) {
      side.add_ipv4(big_32(address.data()));
    } else if (inet_pton(AF_INET6, text.c_str(), address.data()) == 1) {
      side.add_ipv6(address);
    } else {
      throw nb::value_error((text + " is not an IP address").c_str());
    }
  }
  return side;
}

void open_capture(Extraction* self, const std::filesystem::path& path, Flows& flows, std::uint16_t owner,
                  const std::vector<std::string>& addresses, bool clients_interface) {
  const nb::gil_scoped_release released;
  ClientSide side = side_of(addresses);
  if (clients_interface) {
    if (const auto ethernet = learn_ethernet(file_source(path), side)) {
      side.set_ethernet(*ethernet);
    }
  }
  new (self) Extraction(file_source(path), std::move(side), flows.table, owner);
}

nb::dict facts_of(const Extraction& extraction) {
  const Counts& counts = extraction.counts();
  const End& end = extraction.end();
  nb::dict facts;
  facts["status"] = name_of(end.ending);
  facts["offset"] = end.offset;
  facts["bytes_left"] = end.bytes_left;
  facts["packets"] = counts.packets;
  facts["not_ip"] = counts.not_ip;
  facts["cut_headers"] = counts.cut_headers;
  facts["time_jumps"] = counts.time_jumps;
  facts["zero_length"] = counts.zero_length;
  facts["flows_not_numbered"] = counts.unnumbered;
  facts["first_ns"] = counts.first_ns;
  facts["last_ns"] = counts.last_ns;
  return facts;
}

// The bits of `known` that a packet needs for a value in each column.
const std::map<std::string, std::uint32_t> needed = {
    {"time_ns", 0},
    {"direction", known_direction},
    {"flow", known_flow},
    {"protocol", known_protocol},
    {"source_port", known_ports},
    {"destination_port", known_ports},
    {"frame_bytes", 0},
    {"ip_bytes", known_ip},
    {"payload_bytes", known_payload},
    {"tcp_seq", known_tcp},
    {"tcp_ack", known_tcp},
    {"tcp_flags", known_tcp},
    {"ip_version", known_ip},
    {"ip_id", known_ip_id},
    {"ip_ttl", known_ip},
    {"ip_tos", known_ip},
    {"fragment_offset", known_ip},
    {"more_fragments", known_ip},
    {"vlan", known_vlan},
    {"tcp_window", known_tcp},
    {"tcp_header_bytes", known_tcp_header},
    {"tcp_window_scale", known_window_scale},
    {"tcp_timestamp", known_timestamps},
    {"tcp_timestamp_echo", known_timestamps},
    {"tcp_sack", known_sack},
    {"quic_header", known_quic},
};

using View = nb::ndarray<nb::memview, const std::uint8_t, nb::ndim<1>, nb::c_contig>;

// A view of memory that `owner` keeps alive.
template <typename T>
View view(const T* values, std::size_t count, nb::handle owner) {
  return View(reinterpret_cast<const std::uint8_t*>(values), {count * sizeof(T)}, owner);
}

// The packed bits as a Python bytes object.
nb::object bitmap(const PacketColumns& columns, std::uint32_t bits) {
  const std::vector<std::uint8_t> packed = columns.bits(bits);
  return nb::bytes(packed.data(), packed.size());
}

// None if all packets have a value: Arrow needs no validity bitmap then.
nb::object validity(const PacketColumns& columns, const std::string& name) {
  const std::uint32_t bits = needed.at(name);
  return bits == 0 || columns.all(bits) ? nb::none() : bitmap(columns, bits);
}

nb::object values(nb::handle_t<PacketColumns> self, const std::string& name) {
  const PacketColumns& columns = nb::cast<const PacketColumns&>(self);
  if (name == "more_fragments") {
    return bitmap(columns, is_more_fragments);
  }
  if (name == "tcp_sack") {
    return nb::cast(view(columns.tcp_sack.data(), columns.tcp_sack.size(), self));
  }
  if (name == "tcp_sack_end") {
    return nb::cast(view(columns.tcp_sack_end, columns.size + 1, self));
  }
  nb::object found;
  PacketColumns::each(columns, [&](const char* each, const auto* array) {
    if (name == each) {
      found = nb::cast(view(array, columns.size, self));
    }
  });
  if (!found.is_valid()) {
    throw nb::key_error(name.c_str());
  }
  return found;
}

// Calls `pseudonym` with the bytes of an address. The publication runs without the interpreter's lock.
Pseudonyms::Find finder(nb::callable pseudonym) {
  return [pseudonym = std::move(pseudonym)](const std::string& address) {
    const nb::gil_scoped_acquire held;
    const auto found = nb::cast<nb::bytes>(pseudonym(nb::bytes(address.data(), address.size())));
    if (found.size() != address.size()) {
      throw nb::value_error("a pseudonym must be as long as its address");
    }
    return std::string(found.c_str(), found.size());
  };
}

void open_publication(Publication* self, const std::filesystem::path& path, std::optional<nb::callable> pseudonym) {
  std::optional<Pseudonyms> pseudonyms;
  if (pseudonym) {
    pseudonyms.emplace(finder(std::move(*pseudonym)));
  }
  new (self) Publication(file_source(path), std::move(pseudonyms));
}

// The decompressed bytes of any file.
struct Stream {
  std::unique_ptr<ByteSource> source;
};

void open_stream(Stream* self, const std::filesystem::path& path) {
  new (self) Stream{decompressed(file_source(path))};
}

nb::bytes read_stream(Stream& stream, std::size_t size) {
  std::string piece(size, '\0');
  {
    const nb::gil_scoped_release released;
    piece.resize(stream.source->read({reinterpret_cast<std::uint8_t*>(piece.data()), size}));
  }
  return nb::bytes(piece.data(), piece.size());
}

nb::bytes next_piece(Publication& publication, std::size_t size) {
  std::string piece;
  {
    const nb::gil_scoped_release released;
    piece = publication.next(size);
  }
  return nb::bytes(piece.data(), piece.size());
}

}  // namespace
}  // namespace capture

NB_MODULE(observatory_capture, module) {
  using namespace capture;
  nb::exception<CaptureError>(module, "CaptureError", PyExc_ValueError);
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const std::system_error& error) {
      errno = error.code().value();
      PyErr_SetFromErrno(PyExc_OSError);
    }
  });
  nb::class_<Flows>(module, "Flows")
      .def(nb::init<>())
      .def("__len__", [](const Flows& flows) { return flows.table.flows().size(); })
      .def("rows", &rows_of, "begin"_a, "end"_a)
      .def("add", [](Flows& flows, const PacketColumns& packets) { flows.analysis.add(packets); }, "packets"_a,
           nb::call_guard<nb::gil_scoped_release>())
      .def("totals", &totals_of, "begin"_a, "end"_a);
  nb::class_<PacketColumns>(module, "Batch")
      .def("__len__", [](const PacketColumns& columns) { return columns.size; })
      .def("values", &values, "name"_a)
      .def("validity", &validity, "name"_a);
  nb::class_<Extraction>(module, "Capture")
      .def("__init__", &open_capture, "path"_a, "flows"_a, "owner"_a = 0, "addresses"_a = std::vector<std::string>{},
           "clients_interface"_a = false, nb::keep_alive<1, 3>())
      .def("next", &Extraction::next, "rows"_a, nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("consumed", &Extraction::consumed)
      .def("facts", &facts_of);
  nb::class_<Publication>(module, "Publication")
      .def("__init__", &open_publication, "path"_a, "pseudonym"_a = nb::none())
      .def("next", &next_piece, "size"_a);
  nb::class_<Stream>(module, "Stream").def("__init__", &open_stream, "path"_a).def("read", &read_stream, "size"_a);
}
