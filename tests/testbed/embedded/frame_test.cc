// Frame parsing, on frames built byte by byte, and the numbering of flows.
#include "frame.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include "flow_table.h"
#include "siphash.h"

namespace {

using namespace embedded;
using Bytes = std::vector<std::uint8_t>;

Bytes operator+(Bytes left, const Bytes& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

Bytes ethernet(std::uint8_t type_high, std::uint8_t type_low) {
  return Bytes(12, 0xAA) + Bytes{type_high, type_low};
}

// 198.18.1.10 to 198.18.1.2; `words` 32-bit words of header.
Bytes ipv4(std::uint8_t protocol, std::uint16_t total_bytes, std::uint8_t words = 5,
           std::uint8_t fragment_offset = 0) {
  Bytes header(std::size_t{words} * 4, 0);
  header[0] = static_cast<std::uint8_t>(0x40 | words);
  header[2] = static_cast<std::uint8_t>(total_bytes >> 8);
  header[3] = static_cast<std::uint8_t>(total_bytes);
  header[7] = fragment_offset;
  header[9] = protocol;
  const Bytes addresses = {198, 18, 1, 10, 198, 18, 1, 2};
  std::copy(addresses.begin(), addresses.end(), header.begin() + 12);
  return header;
}

// Port 5201 to 40000, sequence number 0x01020304.
Bytes tcp() { return Bytes{0x14, 0x51, 0x9C, 0x40, 1, 2, 3, 4} + Bytes(12, 0); }

void expect_tcp_flow(const FrameFacts& facts) {
  ASSERT_TRUE(facts.flow);
  EXPECT_EQ(facts.flow->protocol, 6);
  EXPECT_EQ(facts.flow->source_port, 5201);
  EXPECT_EQ(facts.flow->destination_port, 40000);
  EXPECT_EQ(address_text(facts.flow->source, facts.flow->ip_version), "198.18.1.10");
  EXPECT_EQ(address_text(facts.flow->destination, facts.flow->ip_version), "198.18.1.2");
  EXPECT_EQ(facts.tcp_seq, 0x01020304u);
}

TEST(Frame, TcpOverIpv4) {
  const FrameFacts facts = parse_frame(ethernet(0x08, 0x00) + ipv4(6, 1500) + tcp() + Bytes(1460, 7));
  expect_tcp_flow(facts);
  EXPECT_EQ(facts.ip_bytes, 1500u);
}

TEST(Frame, Ipv4OptionsMoveThePorts) {
  const FrameFacts facts = parse_frame(ethernet(0x08, 0x00) + ipv4(6, 64, 11) + tcp());
  expect_tcp_flow(facts);
  EXPECT_EQ(facts.ip_bytes, 64u);
}

TEST(Frame, OneVlanTagOfEitherKind) {
  for (const auto& [high, low] : {std::pair{0x81, 0x00}, std::pair{0x88, 0xA8}}) {
    const Bytes tagged = ethernet(static_cast<std::uint8_t>(high), static_cast<std::uint8_t>(low)) +
                         Bytes{0x00, 0x05, 0x08, 0x00} + ipv4(6, 40) + tcp();
    const FrameFacts facts = parse_frame(tagged);
    expect_tcp_flow(facts);
    EXPECT_EQ(facts.ip_bytes, 40u);
  }
}

TEST(Frame, UdpHasPortsButNoSequenceNumber) {
  const FrameFacts facts =
      parse_frame(ethernet(0x08, 0x00) + ipv4(17, 28) + Bytes{0x01, 0xBB, 0x30, 0x39, 0, 8, 0xFF, 0xFF});
  ASSERT_TRUE(facts.flow);
  EXPECT_EQ(facts.flow->protocol, 17);
  EXPECT_EQ(facts.flow->source_port, 443);
  EXPECT_EQ(facts.flow->destination_port, 12345);
  EXPECT_EQ(facts.tcp_seq, 0u);
}

Bytes ipv6(std::uint8_t next_header, std::uint8_t payload_bytes) {
  Bytes header(40, 0);
  header[0] = 0x60;
  header[5] = payload_bytes;
  header[6] = next_header;
  header[8] = 0x20;
  header[9] = 0x01;
  header[23] = 0x0A;
  header[24] = 0xFD;
  header[39] = 0x02;
  return header;
}

TEST(Frame, TcpOverIpv6) {
  const FrameFacts facts = parse_frame(ethernet(0x86, 0xDD) + ipv6(6, 20) + tcp());
  ASSERT_TRUE(facts.flow);
  EXPECT_EQ(facts.ip_bytes, 60u);
  EXPECT_EQ(facts.tcp_seq, 0x01020304u);
  EXPECT_EQ(address_text(facts.flow->source, facts.flow->ip_version), "2001::a");
  EXPECT_EQ(address_text(facts.flow->destination, facts.flow->ip_version), "fd00::2");
}

TEST(Frame, Ipv6ExtensionHeadersAreNotWalked) {
  const Bytes hop_by_hop = {6, 0, 0, 0, 0, 0, 0, 0};
  const FrameFacts facts = parse_frame(ethernet(0x86, 0xDD) + ipv6(0, 28) + hop_by_hop + tcp());
  EXPECT_FALSE(facts.flow);
  EXPECT_EQ(facts.ip_bytes, 68u);
}

TEST(Frame, OtherProtocolsHaveIpBytesOnly) {
  const FrameFacts icmp = parse_frame(ethernet(0x08, 0x00) + ipv4(1, 84) + Bytes(64, 8));
  EXPECT_FALSE(icmp.flow);
  EXPECT_EQ(icmp.ip_bytes, 84u);
  const FrameFacts arp = parse_frame(ethernet(0x08, 0x06) + Bytes(46, 1));
  EXPECT_FALSE(arp.flow);
  EXPECT_EQ(arp.ip_bytes, 0u);
}

TEST(Frame, LaterFragmentsHaveNoPorts) {
  const FrameFacts facts = parse_frame(ethernet(0x08, 0x00) + ipv4(6, 40, 5, 185) + tcp());
  EXPECT_FALSE(facts.flow);
  EXPECT_EQ(facts.tcp_seq, 0u);
  EXPECT_EQ(facts.ip_bytes, 40u);
}

TEST(Frame, EthernetPaddingIsNotATransportHeader) {
  const FrameFacts facts = parse_frame(ethernet(0x08, 0x00) + ipv4(6, 20) + Bytes(26, 0));
  EXPECT_FALSE(facts.flow);
  EXPECT_EQ(facts.ip_bytes, 20u);
}

// Each frame is truncated at every length. Its ports are read only if the sequence number is complete.
TEST(Frame, TruncatedFramesAreReadAsFarAsPossible) {
  const Bytes plain = ethernet(0x08, 0x00) + ipv4(6, 40) + tcp();
  const Bytes tagged = ethernet(0x81, 0x00) + Bytes{0, 5, 0x08, 0x00} + ipv4(6, 40) + tcp();
  const Bytes six = ethernet(0x86, 0xDD) + ipv6(6, 20) + tcp();
  for (const auto& [frame, ip_from, flow_from] :
       {std::tuple{plain, 34u, 42u}, std::tuple{tagged, 38u, 46u}, std::tuple{six, 54u, 62u}}) {
    for (std::size_t length = 0; length <= frame.size(); ++length) {
      // A vector of exactly this size, so that a read beyond it is one beyond the memory.
      const Bytes cut(frame.begin(), frame.begin() + static_cast<std::ptrdiff_t>(length));
      const FrameFacts facts = parse_frame(cut);
      EXPECT_EQ(facts.ip_bytes != 0, length >= ip_from) << length;
      EXPECT_EQ(facts.flow.has_value(), length >= flow_from) << length;
    }
  }
}

TEST(Frame, ImpossibleHeaderLengthsAreIgnored) {
  Bytes header = ipv4(6, 40);
  header[0] = 0x44;  // 16 bytes
  EXPECT_FALSE(parse_frame(ethernet(0x08, 0x00) + header + tcp()).flow);
  header[0] = 0x4F;  // 60 bytes of a packet of 40
  EXPECT_FALSE(parse_frame(ethernet(0x08, 0x00) + header + tcp()).flow);
  header[0] = 0x65;  // version 6 under IPv4's type
  EXPECT_EQ(parse_frame(ethernet(0x08, 0x00) + header + tcp()).ip_bytes, 0u);
}

// The sum of RFC 1071 over an IPv4 header: 0xFFFF if its checksum is correct.
std::uint32_t sum_of(const Bytes& frame, std::size_t header_bytes = 20) {
  std::uint32_t sum = 0;
  for (std::size_t at = 14; at < 14 + header_bytes; at += 2) {
    sum += static_cast<std::uint32_t>(frame[at] << 8 | frame[at + 1]);
  }
  while (sum >> 16) {
    sum = (sum & 0xFFFF) + (sum >> 16);
  }
  return sum;
}

TEST(Frame, EctAndCeAreEcnCapable) {
  for (const int field : {0, 1, 2, 3}) {
    Bytes four = ipv4(6, 40);
    four[1] = static_cast<std::uint8_t>(0xB8 | field);
    EXPECT_EQ(parse_frame(ethernet(0x08, 0x00) + four + tcp()).ecn_capable, field != 0);
    Bytes six = ipv6(6, 20);
    six[1] = static_cast<std::uint8_t>(field << 4 | 0x0F);  // below it the flow label
    EXPECT_EQ(parse_frame(ethernet(0x86, 0xDD) + six + tcp()).ecn_capable, field != 0);
  }
}

// All values of the identification field, so that the checksum takes every value.
TEST(Frame, AMarkChangesOnlyEcnAndChecksumAndTheChecksumIsCorrect) {
  for (std::uint32_t identification = 0; identification < 65536; ++identification) {
    Bytes frame = ethernet(0x08, 0x00) + ipv4(6, 40) + tcp();
    frame[15] = 0x02;
    frame[18] = static_cast<std::uint8_t>(identification >> 8);
    frame[19] = static_cast<std::uint8_t>(identification);
    const std::uint32_t checksum = ~sum_of(frame) & 0xFFFF;
    frame[24] = static_cast<std::uint8_t>(checksum >> 8);
    frame[25] = static_cast<std::uint8_t>(checksum);
    Bytes marked = frame;
    mark_congestion(marked);
    ASSERT_EQ(marked[15], 0x03);
    ASSERT_EQ(sum_of(marked), 0xFFFFu) << identification;
    marked[15] = frame[15];
    marked[24] = frame[24];
    marked[25] = frame[25];
    ASSERT_EQ(marked, frame);
  }
}

TEST(Frame, AMarkOnIpv6AndAfterATagChangesOnlyTheTrafficClass) {
  Bytes six = ethernet(0x86, 0xDD) + ipv6(6, 20) + tcp();
  six[15] = 0x2F;
  Bytes expected = six;
  expected[15] = 0x3F;
  mark_congestion(six);
  EXPECT_EQ(six, expected);
  Bytes tagged = ethernet(0x81, 0x00) + Bytes{0, 5, 0x86, 0xDD} + ipv6(6, 20) + tcp();
  mark_congestion(tagged);
  EXPECT_EQ(tagged[19], 0x30);
}

TEST(Frame, PacketsOfOneFlowHaveOneHashAndOthersAnother) {
  const auto hash = [](const Bytes& packet) { return parse_frame(ethernet(0x08, 0x00) + packet).flow_hash; };
  Bytes later = tcp();
  later[7] = 99;  // sequence number
  EXPECT_EQ(hash(ipv4(6, 40) + tcp()), hash(ipv4(6, 52) + later + Bytes(12, 1)));
  Bytes other = tcp();
  other[3] ^= 1;  // destination port
  EXPECT_NE(hash(ipv4(6, 40) + tcp()), hash(ipv4(6, 40) + other));
  EXPECT_NE(hash(ipv4(6, 40) + tcp()), hash(ipv4(17, 40) + tcp()));
  EXPECT_EQ(hash(ipv4(1, 84) + Bytes(64, 8)), hash(ipv4(1, 84) + Bytes(64, 9)));  // no ports: the addresses
}

// Two addresses of one sender, found so that FNV-1a of both flows is the same.
TEST(Frame, FlowsThatWereMadeToCollideHaveDifferentHashesThatDependOnTheSalt) {
  const auto hash = [](const Bytes& interface, std::uint64_t salt) {
    Bytes header = ipv6(6, 20);
    const Bytes source = Bytes{0x20, 0x01, 0x0D, 0xB8} + interface;
    const Bytes destination = Bytes{0x20, 0x01, 0x0D, 0xB8} + Bytes(11, 0) + Bytes{2};
    std::ranges::copy(source + destination, header.begin() + 8);
    const Bytes ports = {0x0B, 0x6D, 0x9C, 0x40};
    return parse_frame(ethernet(0x86, 0xDD) + header + ports + Bytes(16, 0), salt).flow_hash;
  };
  const Bytes one = {0xB1, 0x06, 0xD2, 0x4D, 0x28, 0x8B, 0x0A, 0x51, 0x37, 0x50, 0x4D, 0x55};
  const Bytes other = {0xB0, 0x0A, 0x50, 0x47, 0x3E, 0x83, 0x28, 0xD5, 0x2F, 0x5F, 0x4A, 0x44};
  std::set<std::uint64_t> found;
  for (std::uint64_t salt = 0; salt < 1000; ++salt) {
    found.insert({hash(one, salt), hash(other, salt)});
  }
  EXPECT_EQ(found.size(), 2000u);
  EXPECT_EQ(hash(one, 7), hash(one, 7));
}

// The paper's test vector, appendix A.
TEST(SipHash, GivesTheHashOfItsPaper) {
  Bytes bytes(15);
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{0});
  EXPECT_EQ(siphash(bytes, {0x0706050403020100, 0x0F0E0D0C0B0A0908}), 0xA129CA6149BE45E5u);
}

TEST(Frame, FragmentsHashByAddressesAndProtocolOnly) {
  const auto facts = [](std::uint8_t protocol, bool more, std::uint8_t offset, std::uint8_t identification) {
    Bytes header = ipv4(protocol, 40, 5, offset);
    header[5] = identification;
    header[6] = more ? 0x20 : 0;
    return parse_frame(ethernet(0x08, 0x00) + header + tcp());
  };
  const FrameFacts first = facts(17, true, 0, 1);
  EXPECT_TRUE(first.flow);  // it has ports
  EXPECT_EQ(first.flow_hash, facts(17, true, 185, 1).flow_hash);
  EXPECT_EQ(first.flow_hash, facts(17, false, 250, 1).flow_hash);
  EXPECT_EQ(first.flow_hash, facts(17, true, 0, 2).flow_hash);
  EXPECT_NE(first.flow_hash, facts(17, false, 0, 1).flow_hash);  // whole: by its ports too
  EXPECT_NE(first.flow_hash, facts(6, true, 0, 1).flow_hash);
}

// The fragment header (RFC 8200, 4.5) stands before the ports, which are therefore not read.
TEST(Frame, FragmentsOfIpv6HashAlike) {
  const Bytes first = {17, 0, 0, 1, 0, 0, 0, 7};
  const Bytes later = {17, 0, 5, 0, 0, 0, 0, 7};
  const auto hash = [](const Bytes& packet) { return parse_frame(ethernet(0x86, 0xDD) + packet).flow_hash; };
  EXPECT_EQ(hash(ipv6(44, 28) + first + tcp()), hash(ipv6(44, 28) + later + Bytes(20, 9)));
}

TEST(FlowTable, NumbersFlowsInTheOrderOfTheirFirstPackets) {
  FlowTable table;
  FiveTuple first;
  first.source_port = 1;
  FiveTuple second;
  second.source_port = 2;
  EXPECT_EQ(table.number(0, second), 0u);
  EXPECT_EQ(table.number(0, first), 1u);
  EXPECT_EQ(table.number(1, second), 2u);
  EXPECT_EQ(table.number(0, second), 0u);
  EXPECT_EQ(table.number(0, std::nullopt), 4294967295u);
  ASSERT_EQ(table.flows().size(), 3u);
  EXPECT_EQ(table.flows()[1].tuple.source_port, 1);
  EXPECT_EQ(table.flows()[2].client, 1);
}

}  // namespace
